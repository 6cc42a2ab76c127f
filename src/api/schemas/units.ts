import { z } from 'zod';
import { MAX_CODE_LENGTH, MAX_CODES, MAX_NAME_LENGTH } from '../../units/change.ts';
import { MAX_UPDATES } from '../../units/update-many.ts';
import { named, text, time } from './named.ts';
import { why } from './problem.ts';
import { holdings } from './readers.ts';

const unitName = z
  .string()
  .refine((value) => value.isWellFormed() && [...value.normalize('NFC')].length <= MAX_NAME_LENGTH)
  .meta({ maxLength: MAX_NAME_LENGTH, description: 'Compared exactly, after Unicode NFC normalisation.' });

const status = z
  .union([z.literal(1), z.literal(2), z.literal(4), z.literal(8)])
  .meta({ description: '1 available, 2 hold, 4 sold, 8 reserved; any status may follow any other.' });

const price = z.number().meta({ description: 'Any number that a double-precision number represents as written.' });

const directionCode = text(MAX_CODE_LENGTH).refine((code) => !/\p{Cc}/u.test(code));

const directions = z
  .array(z.union([directionCode, z.array(directionCode)]))
  .max(MAX_CODES)
  .refine((entries) => entries.flat().length <= MAX_CODES)
  .meta({ description: `Text codes without control characters, or lists of them; at most ${MAX_CODES} in total.` });

const VALUES = { UntStatus: status, UntPrice: price, UntDirections: directions };

/** What `parseChange` of `units/change.ts` accepts; a test compares the two. */
export const unitUpdate = named('UnitUpdate', z.object({ UntName: unitName, ...VALUES }));

export const unitUpdates = named('UnitUpdates', z.array(unitUpdate).max(MAX_UPDATES));

const unitShape = {
  development_id: z.string(),
  ...unitUpdate.shape,
  version: z.int().min(1).meta({ description: 'Incremented by every change; the ETag is derived from it.' }),
  changed_at: time,
};

export const unit = named('Unit', z.object(unitShape));

const unitValues = named('UnitValues', z.object(VALUES));

const unitChange = named(
  'UnitChange',
  z.object({ changed_at: time, client_id: z.string(), from: unitValues, to: unitValues }),
);

export const unitWithChanges = named(
  'UnitWithChanges',
  z.object({
    ...unitShape,
    changes: z.array(unitChange).meta({ description: 'The last changes, newest first.' }),
    deliveries: holdings.optional().meta({ description: 'Only with a token that also has the scope `readers:read`.' }),
  }),
);

export const units = named('Units', z.object({ units: z.array(unit) }));

const development = named(
  'Development',
  z.object({ development_id: z.string(), name: z.string(), units: z.int().meta({ description: 'How many it has.' }) }),
);

export const developments = named('Developments', z.object({ developments: z.array(development) }));

const updated = z.object({ status: z.literal(200), code: z.enum(['changed', 'unchanged']), unit });

const notUpdated = z.object({ status: z.int(), ...why });

export const updateResults = named(
  'UpdateResults',
  z.object({ results: z.array(z.union([updated, notUpdated])) }).meta({ description: 'A result for each update.' }),
);
