import { FORMATS } from '../feed/formats.ts';
import { errorSchema } from './error.ts';

/** The schemas by file name. */
export const SCHEMAS: Readonly<Record<string, () => string>> = {
  ...Object.assign({}, ...FORMATS.map(({ schemas }) => schemas)),
  'error.xsd': errorSchema,
};
