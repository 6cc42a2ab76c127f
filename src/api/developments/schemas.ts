import * as z from 'zod';
import { documentedIn } from '../../http/operation.ts';
import { named } from '../../http/schemas.ts';
import { developmentDetails } from '../../portfolio/development.ts';
import { developmentSchema } from '../../portfolio/documents.ts';
import { development, unitUpdate } from '../units/schemas.ts';
import EXAMPLES from './examples.json' with { type: 'json' };

export const documented = documentedIn(EXAMPLES);

export const developmentChange = named(
  'DevelopmentChange',
  z.strictObject({
    name: developmentSchema.shape.name.meta({ description: 'As feeds show it.' }),
    details: developmentDetails.optional().meta({
      description: 'What feeds of new developments show: place, stage, dates, texts, pictures. Without it, it stays.',
    }),
  }),
);

/** A development in responses, with what feeds of new developments show of it. */
export const developmentWithDetails = named(
  'DevelopmentWithDetails',
  development.extend({ details: developmentDetails.optional() }),
);

/** The path of a development that may not exist yet. */
export const byNewDevelopment = z.object({
  development_id: developmentSchema.shape.id.meta({
    description: 'The development’s identifier, 1 to 100 characters.',
    example: 'sol-azul',
  }),
});

/** The path of a unit that may not exist yet. */
export const byNewUnit = byNewDevelopment.extend({
  name: unitUpdate.shape.UntName.pipe(z.string().min(1)).meta({
    description: 'The unit’s name, percent-encoded.',
    example: 'A-103',
  }),
});

export const unitValues = named('UnitChangeValues', z.strictObject(unitUpdate.omit({ UntName: true }).shape));

export const unitConditions = z.object({
  'If-Match': z.string().optional().meta({ description: 'The `ETag` of the unit: 412 if it has changed since.' }),
  'If-None-Match': z.string().optional().meta({ description: '`*`: 412 if the unit exists.', example: '*' }),
});
