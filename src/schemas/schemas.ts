import { errorSchema } from './error.ts';
import { feedSchema } from './feed.ts';

export type SchemaName = 'feed-v1.xsd' | 'feed-v2.xsd' | 'feed-v3.xsd' | 'error.xsd';

/** The schemas by file name. */
export const SCHEMAS: Readonly<Record<SchemaName, () => string>> = {
  'feed-v1.xsd': () => feedSchema(1),
  'feed-v2.xsd': () => feedSchema(2),
  'feed-v3.xsd': () => feedSchema(3),
  'error.xsd': errorSchema,
};
