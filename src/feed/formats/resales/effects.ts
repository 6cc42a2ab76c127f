import { LANGUAGE } from '../parameters.ts';

/** What the parameters do, by name, for the documentation and the console. */
export const EFFECTS = {
  FV: 'feed version',
  T: 'only properties with this kind of offer, and only its nodes',
  [LANGUAGE]:
    'languages of types, features and descriptions: 1 English, 2 Spanish, 3 German, 4 French, 5 Dutch, 6 Danish, ' +
    '7 Russian, 8 Swedish, 9 Polish, 10 Norwegian',
  IC: 'maximum pictures per property; 0 for all',
  VT: '1: virtual tours; 2: virtual tours and videos',
  N: 'the feed if it has fewer records; otherwise an error that states how many',
  P_PageNo: '1: the feed; any other page: a document without records',
  Ref: 'an error: a feed cannot be reduced to one record',
  NW: "only properties marked for the agency's own website and for other agents' websites",
  ExRented: 'excludes rented properties',
  OnlyAvailable: 'excludes Under Offer and Sale Agreed',
  DisplayListingDate: 'adds `listing_date` and orders records by it, newest first',
  AR: 'long-term and short-term rentals as separate records',
  ARP: 'weekly low and high season prices of short-term rentals',
  ShowRTA: 'licence number of short-term rentals',
  ST: 'terrace in `surface_area`',
  NPT: 'current property types and subtypes instead of the older ones',
  ER_Show: 'CO2 emissions',
  ER_ShowAll: 'CO2 emissions and energy consumption',
} as const satisfies Readonly<Record<string, string>>;
