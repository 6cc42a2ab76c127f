import { LANGUAGE } from '../parameters.ts';

/** What the parameters do, by name, for the documentation and the console. */
export const EFFECTS = {
  T: 'only properties with this kind of offer, and only the records of these offers',
  [LANGUAGE]:
    'languages of descriptions and web pages: 1 to 10 as in the other format, 11 Italian, 12 Portuguese, 13 Finnish, ' +
    '14 Catalan; all by default. Kyero has no Polish',
  IC: "maximum pictures per property; 0 for all, of which Kyero's schema allows 50",
  NW: "only properties marked for the agency's own website and for other agents' websites",
  ExRented: 'excludes rented properties',
  OnlyAvailable: 'excludes Under Offer and Sale Agreed',
  ShortTerm: 'includes short-term rentals, with weekly prices, which Kyero no longer accepts',
  Extended: "adds nodes that programs read but Kyero's schema does not allow",
} as const satisfies Readonly<Record<string, string>>;
