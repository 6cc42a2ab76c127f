import { FORMATS } from '../feed/formats/formats.ts';

/** The file names of the schemas: those of the formats, and that of their error document. */
export const SCHEMA_NAMES: readonly string[] = [...FORMATS.flatMap(({ schemas }) => schemas), 'error.xsd'];
