/** What a portal makes of a record: the fields that existing readers are known to take. */
export interface Listing {
  readonly id: string;
  readonly ref: string;
  /** 0 where none is known; `null` where the record has no price at all. */
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
  /** In English, in their order. */
  readonly features: readonly string[];
  readonly pictures: readonly string[];
  readonly forRent: boolean;
  readonly newBuild: boolean;
}

/** A number that a reader found as text; `null` where it found none. */
export function numberIn(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}
