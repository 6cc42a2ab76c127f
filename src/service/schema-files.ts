import { FORMATS } from '../feed/formats/formats.ts';

/** The schemas that are served, by file name, with the paths in the project of what {@link schemaText} makes them from. */
export const SCHEMA_FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    FORMATS.flatMap(({ name, schemas }) => schemas.map((file) => [file, `src/feed/formats/${name}/schemas.xsd`])),
  ),
  'error.xsd': 'src/service/error.xsd',
};

/** One of the schemas of a format in one text: lines from `<?only feed-v1 feed-v2?>` to `<?end?>` belong to these two alone. */
export function schemaText(file: string, all: string): string {
  const schema = file.replace(/\.xsd$/, '');
  return all.replaceAll(/^ *<\?only (.*)\?>\n([\s\S]*?)^ *<\?end\?>\n/gm, (_, names: string, lines: string) =>
    names.split(' ').includes(schema) ? lines : '',
  );
}

/** The JSON Schema of a property, which the build derives from the documents of a portfolio. */
export const PROPERTY_SCHEMA = 'property.json';

/** The names of all schemas. */
export const SCHEMAS: readonly string[] = [...Object.keys(SCHEMA_FILES), PROPERTY_SCHEMA];
