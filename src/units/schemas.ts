import * as z from 'zod';
import {
  named,
  namedObject,
  namedStrictObject,
  optionalHeaders,
  time,
  why,
  writeConditions,
} from '../api/schemas.ts';
import { notFound, type Problem } from '../problem.ts';
import { developmentDetails } from '../properties/development.ts';
import {
  developmentSchema,
  unitDirections,
  unitName,
  unitStatus,
} from '../properties/documents.ts';
import { deliveredStates } from '../readers/api/delivered-state.ts';

/** Maximum number of updates in a request. */
export const MAX_UPDATES = 500;

const developmentId = z
  .string()
  .normalize('NFC')
  .min(1)
  .meta({ description: 'The development’s identifier.', example: 'sol-azul' });

/** The path of a development. */
export const inDevelopment = z.object({ development_id: developmentId });

/** The path of a unit. */
export const ofUnit = inDevelopment.extend({
  name: z
    .string()
    .normalize('NFC')
    .min(1)
    .meta({ description: 'The unit’s name, percent-encoded.', example: 'A-101' }),
});

/** Developments and units of other accounts get the same response as missing ones. */
export function unitNotFound(
  kind: 'no development' | 'no unit',
  development: string,
  name: string,
  similar: readonly string[] = [],
): Problem {
  if (kind === 'no development') return notFound('development', development);
  const detail = `The development ${JSON.stringify(development)} has no unit named ${JSON.stringify(name)}.`;
  return { code: 'unit_not_found', detail, ...(similar.length > 0 && { similar }) };
}

export const ifMatch = optionalHeaders({
  'If-Match': {
    description:
      'The `ETag` of the unit: 412 if it has changed since, unless this update has already been ' +
      'applied.',
    example: '"1"',
  },
});

/** The header that an operation on several units refuses. */
export const noIfMatch = optionalHeaders({
  'If-Match': { description: 'Not supported: 412.', example: '"1"' },
});

export const ifUnchanged = writeConditions('unit', '"1"');

const name = unitName.meta({
  maxLength: 200,
  description: 'Compared exactly, after Unicode NFC normalisation.',
});

const status = unitStatus.meta({
  type: 'integer',
  enum: [1, 2, 4, 8],
  description: '1 available, 2 hold, 4 sold, 8 reserved; any status may follow any other.',
});

const price = z
  .number()
  .describe('Any number that a double-precision number represents as written.');

const CODE_FORM = { type: 'string', maxLength: 16, pattern: '^\\P{Cc}*$' } as const;

const directions = unitDirections.meta({
  maxItems: 64,
  description: 'Text codes without control characters, or lists of them; at most 64 in total.',
  items: { anyOf: [CODE_FORM, { type: 'array', items: CODE_FORM }] },
});

const VALUES = { UntStatus: status, UntPrice: price, UntDirections: directions };

export const unitUpdate = namedObject('UnitUpdate', { UntName: name, ...VALUES });

export const unitValues = namedStrictObject('UnitChangeValues', VALUES);

/** The path of a development that may not exist yet. */
export const byNewDevelopment = z.object({
  development_id: developmentSchema.shape.id.meta({
    description: 'The development’s identifier, 1 to 100 characters.',
    example: 'sol-azul',
  }),
});

/** The path of a unit that may not exist yet. */
export const byNewUnit = byNewDevelopment.extend({
  name: name
    .pipe(z.string().min(1))
    .meta({ description: 'The unit’s name, percent-encoded.', example: 'A-103' }),
});

/** Short text codes, or lists of them. */
export type Directions = z.output<typeof directions>;

/** 1 available, 2 hold, 4 sold, 8 reserved. */
export type UnitStatus = z.output<typeof status>;

/** Each update is validated separately: one that is invalid has its own result. */
export const unitUpdates = named(
  'UnitUpdates',
  z.array(z.unknown().meta({ $ref: '#/components/schemas/UnitUpdate' })).max(MAX_UPDATES),
);

/** A unit in responses: the fields of an update under the same names, and those that the service adds. */
export const unit = namedObject('Unit', {
  development_id: z.string(),
  UntName: z.string(),
  ...VALUES,
  version: z.int().min(1).describe('Incremented by every change; the ETag is derived from it.'),
  changed_at: time,
});

const valuesOfUnit = namedObject('UnitValues', VALUES);

const unitChange = namedObject('UnitChange', {
  changed_at: time,
  client_id: z.string(),
  from: valuesOfUnit,
  to: valuesOfUnit,
});

export const unitWithChanges = namedObject('UnitWithChanges', {
  ...unit.shape,
  changes: z.array(unitChange).describe('The last changes, newest first.'),
  deliveries: deliveredStates
    .optional()
    .describe('Only with a token that also has the scope `readers:read`.'),
});

export const units = namedObject('Units', { units: z.array(unit) });

const development = namedObject('Development', {
  development_id: z.string(),
  name: z.string(),
  units: z.int().describe('How many it has.'),
});

/** A development in responses, with what feeds of new developments show of it. */
export const developmentWithDetails = namedObject('DevelopmentWithDetails', {
  ...development.shape,
  details: developmentDetails.optional(),
});

export const developmentChange = namedStrictObject('DevelopmentChange', {
  name: developmentSchema.shape.name.describe('As feeds show it.'),
  details: developmentDetails
    .optional()
    .describe(
      'What feeds of new developments show: place, stage, dates, texts, pictures. Omitted, the ' +
        'stored details remain.',
    ),
});

export const developments = namedObject('Developments', { developments: z.array(development) });

const updated = z.object({ status: z.literal(200), code: z.enum(['changed', 'unchanged']), unit });

const notUpdated = z.object({ status: z.int(), ...why });

export const updateResults = named(
  'UpdateResults',
  z
    .object({ results: z.array(z.union([updated, notUpdated])) })
    .describe('A result for each update.'),
);
