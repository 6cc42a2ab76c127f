import { parseXml } from '../../support/xml.ts';

/** What the reader imports of a record. */
export interface Mapped {
  readonly id: string;
  readonly price: number;
  /** The portal's own type, if the joined names of the record are in its table. */
  readonly type: string | undefined;
}

/** The joined names of type and subtype that the portal knows, older and current, and its own name for each. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['Apartment - Ground Floor', 'flat'],
  ['Apartment - Middle Floor', 'flat'],
  ['Apartment - Penthouse', 'penthouse'],
  ['Plot - Land', 'land'],
  ['Plot - Residential', 'plot'],
  ['Townhouse - Terraced', 'terraced house'],
  ['Villa - Detached', 'detached house'],
  ['Apartment - Ground Floor Apartment', 'flat'],
  ['Apartment - Middle Floor Apartment', 'flat'],
  ['Apartment - Penthouse Duplex', 'penthouse'],
  ['House - Detached Villa', 'detached house'],
  ['House - Townhouse', 'terraced house'],
  ['Plot - Residential Plot', 'plot'],
]);

/**
 * Reads a feed like a WordPress plugin on PHP 8: the first record without a numeric price ends the whole import, and the
 * portal's type is looked up by type and subtype, joined.
 *
 * @throws TypeError as PHP does for arithmetic on a missing price
 */
export function importMapped(feed: string): Mapped[] {
  return parseXml(feed)
    .all('property')
    .map((property) => {
      const id = property.textOf('id') ?? '';
      const price = property.textOf('price');
      if (price === undefined || !/^-?\d+(\.\d+)?$/.test(price)) {
        throw new TypeError(`Unsupported operand types: the price of ${id} is ${JSON.stringify(price)}`);
      }
      const names = [property.textOf('type/uk'), property.textOf('subtype/uk')].filter((name) => name !== undefined);
      return { id, price: Number(price), type: TYPES.get(names.join(' - ')) };
    });
}
