import * as z from 'zod';
import { reader } from '../api/readers/schemas.ts';
import { named } from '../http/schemas.ts';
import { SCHEMAS } from './schema-files.ts';

export const directory = named(
  'Directory',
  z.object({
    service: z.string(),
    documentation: z.string(),
    feed: z.string().meta({ description: 'An RFC 6570 template.' }),
    kyero: z.string().meta({ description: 'The same for the Kyero format.' }),
    schemas: z.array(z.string()),
    developments: z.string(),
    token_metadata: z.string().optional().meta({ description: 'Absent if another issuer issues the tokens.' }),
  }),
);

export const health = named(
  'Health',
  z.object({
    status: z.enum(['ok', 'unavailable']),
    late_readers: z.array(reader).optional().meta({
      description: 'Only with a token with the scope `readers:read`: the readers of its account that are late.',
    }),
  }),
);

export const xmlSchema = named('XmlSchema', z.string().meta({ description: 'An XML Schema.' }));

export const schemaList = named('SchemaList', z.object({ schemas: z.array(z.string()) }));

/** The path of a schema. */
export const bySchema = z.object({
  name: z.string().meta({ description: 'The schema’s file name.', enum: [...SCHEMAS], example: 'feed-v3.xsd' }),
});

/** The conditions of reading a schema. */
export const schemaConditions = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .meta({ description: 'The `ETag` of the last response: 304 if the schema is the same.' }),
});
