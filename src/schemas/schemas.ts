import { KYERO_SCHEMAS } from '../feed/formats/kyero/schema.ts';
import { RESALES_SCHEMAS } from '../feed/formats/resales/schema.ts';
import { errorSchema } from './error.ts';

/** The schemas by file name. The build writes them to files, which the Worker serves: see {@link SCHEMA_NAMES}. */
export const SCHEMAS: Readonly<Record<string, () => string>> = {
  ...RESALES_SCHEMAS,
  ...KYERO_SCHEMAS,
  'error.xsd': errorSchema,
};
