import * as z from 'zod';
import { isShortName, SHORT_NAME_RULE } from '../lib/short-name.ts';
import { developmentDetails } from './development.ts';
import { RESTRICTIONS } from './restrictions.ts';
import { bytes, checkedList, linesList, perLanguage, text, textRules, withoutNegativeZero } from './text-checks.ts';

/**
 * An agency's portfolio as documents: one JSON object per entry, distinguished by `kind`. As lines of NDJSON they are
 * imported and exported. Limits are those of the tables in `migrations/`. Optional keys default to null or to the default
 * named here; languages are keyed by their elements in the feed.
 */

const code = text(1, 200);
const labels = perLanguage(text(1, 200));
const flag = z.boolean();
const number = () => z.number().overwrite(withoutNegativeZero);
const whole = () => z.int().overwrite(withoutNegativeZero);
const amount = number();
const squareMetres = whole().min(0).max(1_000_000_000).nullable().default(null);
const cost = amount.nullable().default(null);
const energyLetter = z.enum(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'X']).default('X');

/** Whole seconds from 1970 to 9999, as ISO 8601 in UTC: `2026-05-01T09:30:00Z`. */
const time = z.iso
  .datetime({ precision: 0, error: 'must be a UTC time in whole seconds, such as 2026-05-01T09:30:00Z' })
  .refine((value) => value >= '1970', 'must not be before 1970');

/** A time that advances by a second with each change, so there must be room after it. */
const movingTime = time.refine((value) => value < '9900', 'must be before the year 9900');

/** Names of units are compared in Unicode NFC. */
export const unitName = z.string().normalize('NFC').pipe(text(0, 200));
const developmentId = text(1, 100).refine(
  (value) => value !== '.' && value !== '..',
  'must not be . or .., which no URL path can contain',
);

const typeSchema = z.strictObject({
  kind: z.literal('type'),
  code,
  /** In the older set of types, and in the current one. */
  labels: perLanguage(
    z.strictObject({
      older_type: text(1, 200),
      older_subtype: text(1, 200).nullable().default(null),
      type: text(1, 200),
      subtype: text(1, 200).nullable().default(null),
    }),
  ),
});

const categorySchema = z.strictObject({ kind: z.literal('category'), code, labels });

const featureSchema = z.strictObject({ kind: z.literal('feature'), code, category: code, labels });

export const developmentSchema = z.strictObject({
  kind: z.literal('development'),
  id: developmentId,
  name: text(1, 200),
  /** What feeds of new developments show; without it, what is stored stays. */
  details: developmentDetails.optional(),
});

export const unitStatus = z.literal([1, 2, 4, 8], {
  error: ({ input }) => (input === undefined ? undefined : 'must be 1, 2, 4 or 8'),
});

const directionCode = text(0, 16).refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters');

/** UntDirections: short text codes, or lists of them. Their number is checked before any code is, which limits the errors. */
export const unitDirections = z
  .array(z.unknown())
  .max(64, 'must have at most 64 entries')
  .refine((entries) => entries.flat().length <= 64, 'must contain at most 64 codes in total')
  .pipe(
    z.array(z.union([directionCode, z.array(directionCode)], { error: 'must be a string or an array of strings' })),
  );

const unitSchema = z.strictObject({
  kind: z.literal('unit'),
  development: developmentId,
  name: unitName,
  /** UntStatus: 1 available, 2 hold, 4 sold, 8 reserved. */
  status: unitStatus,
  price: amount,
  directions: unitDirections.default(() => []),
});

const identifier = text(1, 100)
  .refine((value) => !/^ | $/.test(value), 'must not begin or end with a space')
  .refine(
    // SQLite converts U+FFFE and U+FFFF to U+FFFD.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an identifier must not contain them
    (value) => !/[\u0000-\u001f\ufffd-\uffff]/.test(value),
    'must not contain control characters, nor U+FFFD to U+FFFF',
  );

const channelName = z.string().refine(isShortName, `must consist of ${SHORT_NAME_RULE}`);

export const propertySchema = z.strictObject({
  kind: z.literal('property'),
  id: identifier,
  ref: text(1, 255),
  type: code,
  unit: z.strictObject({ development: developmentId, name: unitName }).nullable().default(null),
  status: z.enum(['Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn']),
  rented: flag.default(false),
  on_own_website: flag.default(true),
  on_other_websites: flag.default(true),
  /** Where it may not go. */
  restrictions: z
    .array(z.enum(RESTRICTIONS as readonly string[] as [string, ...string[]]))
    .transform((names) => RESTRICTIONS.filter((name) => names.includes(name)) as string[])
    .default(() => []),
  listed_at: time,
  source_changed_at: time.nullable().default(null),
  /** When the data in sale feeds last changed; null leaves it to the database. */
  sale_updated_at: movingTime.nullable().default(null),
  /** When the data in rental feeds last changed; null leaves it to the database. */
  rental_updated_at: movingTime.nullable().default(null),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 currency code')
    .default('EUR'),
  /** Empty if unknown, like the province. */
  town: text(0, 200),
  area: text(0, 200).nullable().default(null),
  province: text(0, 200),
  country: text(0, 200).nullable().default(null),
  postcode: text(0, 40).nullable().default(null),
  /** Degrees of WGS 84. */
  location: z
    .strictObject({ latitude: number().min(-90).max(90), longitude: number().min(-180).max(180) })
    .nullable()
    .default(null),
  beds: whole().min(0).max(10_000).default(0),
  /** Baths plus toilets in one number: 4.5 is 4 baths and 1 toilet. */
  bath: number().min(0).max(10_000).default(0),
  built_area: squareMetres,
  plot_area: squareMetres,
  terrace_area: squareMetres,
  living_area: squareMetres,
  built_year: whole().min(1).max(9999).nullable().default(null),
  community_fees: cost,
  garbage_tax: cost,
  ibi_fees: cost,
  cadastral_ref: text(0, 200).nullable().default(null),
  has_pool: flag.default(false),
  has_garden: flag.default(false),
  has_garage: flag.default(false),
  emissions: energyLetter,
  consumption: energyLetter,
  /** Why there is no letter, if the source states it. */
  energy_status: z
    .string()
    .regex(/^(in_process|exempt)$/, 'must be in_process or exempt')
    .nullable()
    .default(null),
  virtual_tour_url: text(0, 1024).nullable().default(null),
  video_url: text(0, 1024).nullable().default(null),
  /** Only the Kyero format has the first three and the last. */
  new_build: flag.default(false),
  leasehold: flag.default(false),
  part_ownership: flag.default(false),
  prime: flag.default(false),
  commission: text(0, 200).nullable().default(null),
  address: text(0, 500).nullable().default(null),
  floor: text(0, 200).nullable().default(null),
  email: text(0, 320).nullable().default(null),
  notes: bytes(0, 65_536).nullable().default(null),
  /** A price of null is on request; a `minimum_price` of 0 is not set. */
  offers: z
    .strictObject({
      sale: z
        .strictObject({ price: cost, minimum_price: amount.default(0) })
        .nullable()
        .default(null),
      long_term: z.strictObject({ rent: cost }).nullable().default(null),
      short_term: z
        .strictObject({ low: cost, high: cost, license: text(0, 200).nullable().default(null) })
        .nullable()
        .default(null),
    })
    .prefault({}),
  texts: perLanguage(
    z.strictObject({
      title: text(0, 500).nullable().default(null),
      description: bytes(0, 65_536).nullable().default(null),
      url: text(0, 1024).nullable().default(null),
    }),
  ).default(() => ({})),
  /** URLs in the order of display. */
  pictures: linesList(1000),
  /** Codes of features in their order. */
  features: checkedList(200, ...textRules(1, 200)).refine(
    (codes) => new Set(codes).size === codes.length,
    'must not contain a feature twice',
  ),
  /** Names of the channels that it is assigned to, in alphabetical order; null leaves the assignments as they are. */
  channels: z
    .array(channelName)
    .transform((names) => [...new Set(names)].sort())
    .nullable()
    .default(null),
});

const documentSchema = z.discriminatedUnion('kind', [
  typeSchema,
  categorySchema,
  featureSchema,
  developmentSchema,
  unitSchema,
  propertySchema,
]);

export type TypeDocument = z.output<typeof typeSchema>;
export type CategoryDocument = z.output<typeof categorySchema>;
export type FeatureDocument = z.output<typeof featureSchema>;
export type DevelopmentDocument = z.output<typeof developmentSchema>;
export type UnitDocument = z.output<typeof unitSchema>;
export type PropertyDocument = z.output<typeof propertySchema>;

/** A complete document: every key is present, defaults are filled in. */
export type PortfolioDocument = z.output<typeof documentSchema>;

/** A document as given: keys with a default may be missing. */
export type PortfolioDocumentInput = z.input<typeof documentSchema>;

/** What is wrong with one field of a document. */
export interface DocumentProblem {
  /** The field's path, such as `offers.sale.price` or `pictures.3`; empty for the document. */
  readonly field: string;
  readonly detail: string;
}

/** A document that is not accepted, with every reason. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  readonly problems: readonly DocumentProblem[];

  constructor(problems: readonly DocumentProblem[]) {
    super(problems.map(({ field, detail }) => (field === '' ? detail : `${field}: ${detail}`)).join('; '));
    this.problems = problems;
  }
}

/**
 * Validates a document and fills in defaults.
 *
 * @throws DocumentError naming every field that is missing, unknown or out of its bounds
 */
export function parseDocument(value: unknown): PortfolioDocument {
  const result = documentSchema.safeParse(value);
  if (result.success) return result.data;
  throw new DocumentError(
    result.error.issues.map((issue) => ({ field: issue.path.map(String).join('.'), detail: issue.message })),
  );
}

/** What identifies a document within its account: its kind and its code, identifier or names. */
export function documentKey(document: PortfolioDocument): string {
  if (document.kind === 'unit') return keyOf('unit', document.development, document.name);
  return keyOf(document.kind, 'code' in document ? document.code : document.id);
}

/** The {@link documentKey} of a document that is referred to by its code, its identifier, or its development and name. */
export function keyOf(kind: PortfolioDocument['kind'], ...names: readonly string[]): string {
  return JSON.stringify([kind, ...names]);
}

/**
 * The identifiers that conflict with a property's own within an account: its rental records carry it with -LT or -ST
 * appended, and a feed has each identifier once.
 */
export function twinsOf(identifier: string): string[] {
  const [, longer] = /^(.*)-[LS]T$/s.exec(identifier) ?? [];
  return [`${identifier}-LT`, `${identifier}-ST`, ...(longer === undefined ? [] : [longer])];
}
