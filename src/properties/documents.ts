import * as z from 'zod';
import { isShortName, SHORT_NAME_PATTERN } from '../lib/short-name.ts';
import { because, type CodedMessage, inEnglish } from '../messages/messages.ts';
import { matching, parsed } from '../messages/parsed.ts';
import {
  bytes,
  isVisible,
  location,
  name,
  optional,
  perLanguage,
  text,
  textList,
  time,
} from './checks.ts';
import { developmentDetails } from './development.ts';
import { pictures } from './pictures.ts';
import { RESTRICTIONS } from './restrictions.ts';

/**
 * An agency's portfolio as documents: one JSON object per entry, distinguished by `kind`. As lines of NDJSON they are
 * imported and exported, and this is how they are stored. Optional keys default to null or to the default
 * named here; languages are keyed by their elements in the feed.
 */

const code = name(1, 200);
const labels = perLanguage(text(1, 200));

export const unitName = name(0, 200);
const developmentId = name(1, 100).refine(
  (value) => value !== '.' && value !== '..',
  because('only_dots'),
);

export const typeSchema = z.strictObject({
  kind: z.literal('type'),
  code,
  /** In the older set of types, and in the current one. */
  labels: perLanguage(
    z.strictObject({
      older_type: text(1, 200),
      older_subtype: optional(text(1, 200)),
      type: text(1, 200),
      subtype: optional(text(1, 200)),
    }),
  ),
});

export const categorySchema = z.strictObject({ kind: z.literal('category'), code, labels });

export const featureSchema = z.strictObject({
  kind: z.literal('feature'),
  code,
  category: code,
  labels,
});

export const developmentSchema = z.strictObject({
  kind: z.literal('development'),
  id: developmentId,
  name: text(1, 200),
  /** What feeds of new developments show; without it, what is stored stays. */
  details: developmentDetails.optional(),
});

export const unitStatus = z.literal([1, 2, 4, 8]);

const directionCode = text(0, 16).refine(
  (value) => !/\p{Cc}/u.test(value),
  because('has_control_characters'),
);

/** UntDirections: short text codes, or lists of them. Their number is checked before any code is, which limits the errors. */
export const unitDirections = z
  .array(z.unknown())
  .max(64)
  .refine((entries) => entries.flat().length <= 64, because('too_many_codes', { most: 64 }))
  .pipe(z.array(z.union([directionCode, z.array(directionCode)])));

const unitSchema = z.strictObject({
  kind: z.literal('unit'),
  development: developmentId,
  name: unitName,
  /** UntStatus: 1 available, 2 hold, 4 sold, 8 reserved. */
  status: unitStatus,
  price: z.number(),
  directions: unitDirections.default(() => []),
});

const identifier = name(1, 100)
  .refine((value) => !/^ | $/.test(value), because('has_outer_space'))
  .refine(isVisible, because('blank'))
  .refine(
    // SQLite converts U+FFFE and U+FFFF to U+FFFD.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an identifier must not contain them
    (value) => !/[\u0000-\u001f\ufffd-\uffff]/.test(value),
    because('has_special_characters'),
  )
  .meta({
    minLength: 1,
    maxLength: 100,
    pattern: '^(?! )[^\\u0000-\\u001f\\ufffd-\\uffff]*(?<! )$',
  });

const channelName = z
  .string()
  .refine(isShortName, because('not_short_name'))
  .meta({ pattern: SHORT_NAME_PATTERN.source });

/** An amount of money, up to a trillion. */
const money = z.number().min(0).max(1e12);
/** `null` if it is unknown or on request. */
const amount = optional(money);
const flag = z.boolean().default(false);
const area = optional(z.int().min(0).max(1_000_000_000)).describe('In square metres.');
const letter = z.enum(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'X']).default('X');
const link = optional(text(0, 1024));

const restrictions = textList(
  z.enum(RESTRICTIONS as readonly string[] as [string, ...string[]]),
  64,
)
  .meta({ items: { type: 'string', enum: [...RESTRICTIONS] } })
  .transform((names) => RESTRICTIONS.filter((name) => names.includes(name)) as string[])
  .default(() => [])
  .describe('Where it may not go.');

const offers = z
  .strictObject({
    sale: optional(z.strictObject({ price: amount, minimum_price: money.default(0) })),
    long_term: optional(z.strictObject({ rent: amount })),
    short_term: optional(
      z.strictObject({ low: amount, high: amount, license: optional(text(0, 200)) }),
    ),
  })
  .prefault({})
  .describe(
    '`rent` is a month’s, `low` and `high` a week’s; `null` is on request. A `minimum_price` of 0 is not set.',
  );

/** The currency of a property that states none, and of units without a listing, which would get it. */
export const DEFAULT_CURRENCY = 'EUR';

export const propertySchema = z.strictObject({
  kind: z.literal('property'),
  id: identifier,
  ref: text(1, 255),
  type: code,
  unit: optional(z.strictObject({ development: developmentId, name: unitName })).describe(
    'The unit of a development that it is. Feeds show the unit’s status, sale price and directions instead of its own, ' +
      'unless it is withdrawn.',
  ),
  status: z.enum(['Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn']),
  rented: flag,
  on_own_website: z.boolean().default(true),
  on_other_websites: z.boolean().default(true),
  restrictions,
  listed_at: time,
  source_changed_at: optional(time),
  updated_at: optional(time).describe('When it last changed; `null` leaves it to the service.'),
  currency: matching(/^[A-Z]{3}$/, 'not_currency').default(DEFAULT_CURRENCY),
  offers,
  town: text(0, 200),
  area: optional(text(0, 200)),
  province: text(0, 200),
  country: optional(text(0, 200)),
  postcode: optional(text(0, 40)),
  address: optional(text(0, 500)),
  floor: optional(text(0, 200)),
  location: optional(location),
  beds: z.int().min(0).max(10_000).default(0),
  bath: z
    .number()
    .min(0)
    .max(10_000)
    .default(0)
    .describe('Baths and toilets in one number: 4.5 is 4 baths and 1 toilet.'),
  built_area: area,
  plot_area: area,
  terrace_area: area,
  living_area: area,
  built_year: optional(z.int().min(1).max(9999)),
  community_fees: amount.describe('Per month.'),
  garbage_tax: amount.describe('Per year.'),
  ibi_fees: amount.describe('Per year.'),
  cadastral_ref: optional(text(0, 200)),
  has_pool: flag,
  has_garden: flag,
  has_garage: flag,
  new_build: flag,
  leasehold: flag,
  part_ownership: flag,
  prime: flag,
  emissions: letter,
  consumption: letter,
  energy_status: optional(z.enum(['in_process', 'exempt'])).describe(
    'Why there is no letter, if that is known.',
  ),
  virtual_tour_url: link,
  video_url: link,
  commission: optional(text(0, 200)),
  email: optional(text(0, 320)),
  notes: optional(bytes(0, 65_536)),
  features: textList(code, 200)
    .transform((codes) => [...new Set(codes)])
    .default(() => [])
    .describe('Codes of features, in their order; one that is named twice counts once.'),
  channels: optional(
    textList(channelName, 1_000).transform((names) => [...new Set(names)].sort()),
  ).describe(
    'Names of the channels that it is in, in alphabetical order; `null` leaves them as they are.',
  ),
  pictures: pictures.describe(
    'In the order of display. An address leaves what is known of that picture as it is; a photo of ' +
      'which nothing more is known is its address in responses, too.',
  ),
  texts: perLanguage(
    z.strictObject({
      title: optional(text(0, 500)),
      description: optional(bytes(0, 65_536)),
      url: optional(text(0, 1024)),
    }),
  )
    .default(() => ({}))
    .describe('By language, as in ISO 639-1, except that `uk` is English and `ua` Ukrainian.'),
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
  readonly message: CodedMessage;
}

/** A document that is not accepted, with every reason. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  readonly problems: readonly DocumentProblem[];

  constructor(problems: readonly DocumentProblem[]) {
    super(
      problems
        .map(({ field, message }) => `${field}: ${inEnglish(message)}`.replace(/^: /, ''))
        .join('; '),
    );
    this.problems = problems;
  }
}

/**
 * Validates a document and fills in defaults.
 *
 * @throws DocumentError naming every field that is missing, unknown or out of its bounds
 */
export function parseDocument(value: unknown): PortfolioDocument {
  const result = parsed(documentSchema, value);
  if ('value' in result) return result.value;
  throw new DocumentError(
    result.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
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
export function suffixVariants(identifier: string): string[] {
  const [, longer] = /^(.*)-[LS]T$/s.exec(identifier) ?? [];
  return [`${identifier}-LT`, `${identifier}-ST`, ...(longer === undefined ? [] : [longer])];
}
