/** What a portal imports of a record of a Kyero feed. */
export interface KyeroListing {
  readonly id: string;
  readonly ref: string;
  readonly date: string;
  /** `null` on request. */
  readonly price: number | null;
  readonly frequency: string;
  readonly type: string;
  readonly town: string;
  readonly province: string;
  readonly beds: number;
  readonly baths: number;
  readonly pool: boolean;
  readonly built: number | null;
  /** In English; empty if there is none. */
  readonly description: string;
  readonly features: readonly string[];
  readonly pictures: readonly string[];
}

/** The number that a text states; `null` if it states none. */
export function numberOf(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}
