/** What a portal imports of a record: the fields that existing readers are known to use. */
export interface Listing {
  readonly id: string;
  readonly ref: string;
  /** 0 if none is known; `null` if the record has no price node. */
  readonly price: number | null;
  readonly town: string;
  readonly province: string;
  readonly beds: number;
  readonly baths: number;
  /** In English. */
  readonly type: string;
  readonly subtype: string;
  readonly built: number | null;
  readonly terrace: number | null;
  readonly pool: boolean;
  /** In English. */
  readonly description: string;
  /** In English, in document order. */
  readonly features: readonly string[];
  readonly pictures: readonly string[];
  readonly forRent: boolean;
  readonly newBuild: boolean;
}

/** The number that a text states; `null` if there is no text. */
export function numberIn(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}

/**
 * The fields of a listing that are each the text of one node.
 *
 * @param text the text at a path of nodes; empty if there is none
 */
export function plainFields(text: (path: string) => string) {
  return {
    id: text('id'),
    ref: text('ref'),
    price: numberIn(text('price')),
    town: text('town'),
    province: text('province'),
    beds: Number(text('beds')),
    baths: Number(text('baths')),
    type: text('type/uk'),
    subtype: text('subtype/uk'),
    built: numberIn(text('surface_area/built')),
    terrace: numberIn(text('surface_area/terrace')),
    pool: text('has_pool') === '1',
    description: text('description/uk'),
  };
}
