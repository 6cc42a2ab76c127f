import { FORMATS } from '../feed/formats/formats.ts';

/** The schemas that are served, by file name, with their paths in the project: each is in the folder of its format. */
export const SCHEMA_FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    FORMATS.flatMap(({ name, schemas }) =>
      schemas.map((file) => [file, `src/feed/formats/${name}/${file}`]),
    ),
  ),
  'error.xsd': 'src/service/error.xsd',
};

/** The JSON Schema of a property, which the build derives from the documents of a portfolio. */
export const PROPERTY_SCHEMA = 'property.json';
