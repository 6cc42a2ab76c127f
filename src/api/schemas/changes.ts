import { z } from 'zod';
import { named, time } from '../../http/schemas.ts';
import { unit } from '../../units/schemas.ts';

const number = z.int().meta({ description: 'Advances with every change of the account.' });

function page(id: string, change: z.ZodType) {
  return named(
    id,
    z.object({
      changes: z.array(change).meta({ description: 'In the order of the changes, each property or unit once.' }),
      next: z.string().meta({ description: '`after` of the next request. It does not expire.' }),
      has_more: z.boolean().meta({ description: 'Whether more changes follow at once.' }),
      as_of: time,
    }),
  );
}

export const propertyChanges = page(
  'PropertyChanges',
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('changed'),
      id: z.string(),
      number,
      property: z.looseObject({}).meta({
        description: 'The property as it is now, as `lindero export` writes it. A reader gets what feeds show.',
      }),
    }),
    z.object({ kind: z.literal('removed'), id: z.string(), number }),
  ]),
);

export const unitChanges = page(
  'UnitChanges',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('changed'), number, unit }),
    z.object({ kind: z.literal('removed'), number, development_id: z.string(), UntName: z.string() }),
  ]),
);
