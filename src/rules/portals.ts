/**
 * Portals whose published requirements rules rest on.
 *
 * - Kyero: its schema (kyero v3.0.xsd) and https://help.kyero.com/estate-agents/xml-import-specification
 * - Idealista: https://feeds.idealista.com/v6/specs/properties.html
 * - Trovit (also Mitula, Nestoria): https://corporate.trovit.com/specs-es-homes/
 * - Green-Acres: http://fi.green-acres.com/se/passerelle_green_acres.htm
 * - CostaNova: https://validator.costanova.es/specifications/idealista
 * - Property Showrooms: http://www.propertyshowrooms.com/feeds/xml-specification.asp
 * - ReSales-Online: https://support.resales-online.com/en/articles/8540594-property-images-do-s-and-dont-s
 * - A Place in the Sun, JamesEdition: https://kb.tesorohq.io/en/mls-portals/connect-portals/
 */
export const PORTALS = {
  kyero: 'Kyero',
  idealista: 'Idealista',
  trovit: 'Trovit',
  'green-acres': 'Green-Acres',
  costanova: 'CostaNova',
  'property-showrooms': 'Property Showrooms',
  'resales-online': 'ReSales-Online',
  'a-place-in-the-sun': 'A Place in the Sun',
  'james-edition': 'JamesEdition',
} as const;

export type Portal = keyof typeof PORTALS;

export function isPortal(name: string): name is Portal {
  return Object.hasOwn(PORTALS, name);
}
