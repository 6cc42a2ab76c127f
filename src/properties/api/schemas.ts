import * as z from 'zod';
import { pageQuery } from '../../api/requests.ts';
import {
  flag,
  named,
  namedObject,
  namedStrictObject,
  validateQuery,
  why,
  writeConditions,
} from '../../api/schemas.ts';
import { because } from '../../messages/messages.ts';
import type { Problem } from '../../problem.ts';
import { isVisible, text } from '../checks.ts';
import { propertySchema } from '../documents.ts';
import { type PictureEntry, picture as pictureSchema } from '../pictures.ts';
import { labels, labelsParameter } from './vocabulary.ts';

/** Maximum number of operations in a batch. */
export const MAX_OPERATIONS = 500;

export const picture = named(
  'Picture',
  pictureSchema.describe('A picture with what is known of it; a photo unless it says otherwise.'),
);

export const property = named(
  'Property',
  propertySchema.describe(
    'A property, as `lindero export` writes it and `lindero import` reads it.',
  ),
);

/** A place that the API writes. Imported files may lack it, and rules say so. */
const place = text(1, 200).refine(isVisible, because('blank'));
const PLACES = { town: place, province: place };

/** What a property must satisfy that the API writes. */
export const writtenProperty = propertySchema.extend(PLACES);

/** The document of a request: the path has the id, and a new property is listed now unless it says otherwise. */
export const propertyDocument = namedStrictObject('PropertyDocument', {
  ...writtenProperty.shape,
  kind: propertySchema.shape.kind.optional(),
  id: propertySchema.shape.id.optional().describe('If present, the id in the path.'),
  listed_at: propertySchema.shape.listed_at.optional(),
});

export const propertyPatch = named(
  'PropertyPatch',
  // Not an object of zod, which would drop a member `__proto__`.
  z
    .any()
    .refine(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      because('not_object'),
    )
    .meta({ type: 'object' })
    .describe(
      'A JSON Merge Patch (RFC 7396): members replace those of the property, objects are ' +
        'merged, and null restores the default.',
    ),
);

const understood = z
  .array(
    z.object({
      kind: z.enum(['type', 'feature']),
      name: z.string(),
      code: z.string().describe('The type or feature of the account.'),
      unknown: z
        .boolean()
        .describe('Whether the name was unknown: it became a new type or feature.'),
    }),
  )
  .describe(
    'What names of types and features that are not codes of the account were understood as.',
  );

/** A type or feature that a document names, and what it was understood as. */
export type Understood = z.output<typeof understood>[number];

export const propertyWritten = namedObject('PropertyWritten', { property, understood });

export const properties = namedObject('Properties', {
  properties: z.array(property),
  labels: labels.optional(),
});

const ID = { description: 'The property’s id, percent-encoded.', example: 'R4100001' };

/** The path of a property. */
export const byId = z.object({ id: z.string().normalize('NFC').min(1).meta(ID) });

/** The path of a property that may not exist yet. */
export const byNewId = z.object({ id: propertySchema.shape.id.meta(ID) });

export const listQuery = pageQuery.extend({
  labels: labelsParameter,
  status: propertySchema.shape.status.optional().describe('Only properties with this status.'),
  changed_after: propertySchema.shape.listed_at.optional().meta({
    description:
      'Only properties that have changed in feeds after this time, or left them. `/v1/changes` ' +
      'lists every change.',
    example: '2026-11-01T09:30:00Z',
  }),
});

export const ifUnchanged = writeConditions('property', '"9f86d081884c7d659a2feaa0c55ad015"');

export const purgeQuery = validateQuery.extend({
  purge: flag.describe(
    'Whether the property is removed for good. Otherwise its status becomes Withdrawn, and no ' +
      'feed shows it.',
  ),
});

export const batchQuery = validateQuery.extend({
  atomic: flag.describe(
    'Whether no operation is applied if one fails. Otherwise the others are applied, in one ' +
      'transaction.',
  ),
});

const conditions = { if_match: z.string().optional(), if_none_match: z.string().optional() };
const id = propertySchema.shape.id;

/** Each operation of a batch is validated separately: one that is invalid has its own result. */
export const propertyOperation = named(
  'PropertyOperation',
  z.discriminatedUnion('op', [
    z.strictObject({ op: z.literal('put'), id, property: propertyDocument, ...conditions }),
    z.strictObject({ op: z.literal('patch'), id, patch: propertyPatch, ...conditions }),
    z.strictObject({
      op: z.literal('delete'),
      id,
      purge: z.boolean().default(false),
      ...conditions,
    }),
  ]),
);

/** The id that an operation states, whatever else is wrong with it. */
export const stated = z.object({ id: z.string().nullable() }).catch({ id: null });

/** What is to be done with a property. A new one without a time of listing is listed now. */
export type PropertyOperation = Readonly<
  Partial<Record<keyof typeof conditions, string | undefined>>
> & {
  readonly id: string;
} & (
    | { readonly op: 'put'; readonly property: object }
    | { readonly op: 'patch'; readonly patch: object }
    | {
        readonly op: 'pictures';
        /** The pictures after the change; or those of the problem that it would be. */
        readonly change: (pictures: readonly PictureEntry[]) => readonly PictureEntry[] | Problem;
      }
    | { readonly op: 'delete'; readonly purge: boolean }
  );

export const batch = namedStrictObject('PropertyBatch', {
  operations: z
    .array(z.unknown().meta({ $ref: '#/components/schemas/PropertyOperation' }))
    .min(1)
    .max(MAX_OPERATIONS),
});

const result = z.object({
  id: z.string().nullable().describe('As the operation states it; `null` if it states none.'),
  status: z.int().describe('The status that the operation by itself would have.'),
  code: z
    .string()
    .describe('`created`, `changed`, `unchanged`, `removed`, or the code of an error.'),
  detail: why.detail.optional(),
  errors: why.errors,
  etag: z.string().optional(),
  understood: understood.optional(),
});

export const batchResults = namedObject('PropertyResults', {
  results: z.array(result).describe('In the order of the operations.'),
});
