import { FORMATS } from '../feed/formats/formats.ts';

/**
 * The schemas that are served, by file name, with the paths of their sources in the project: the folder of each format has one
 * source for all of its schemas, which {@link schemaText} tells apart.
 */
export const SCHEMA_FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    FORMATS.flatMap(({ name, schemas }) =>
      schemas.map((file) => [file, `src/feed/formats/${name}/schema.xsd`]),
    ),
  ),
  'error.xsd': 'src/service/error.xsd',
};

/** An element on lines of its own, which begin and end equally indented, that is only in the schemas that it names. */
const ELEMENT_OF_SOME =
  /^( *)<([\w:]+)[^\n>]* only="([^"]*)"[^\n>]*(?:\/>|>(?:[^\n]*<\/\2>|\n(?:.*\n)*?\1<\/\2>))\n/gm;

/**
 * A schema: its source without the elements that are only in others, such as `only="feed-v1 feed-v2"`.
 *
 * @param file its name in {@link SCHEMA_FILES}
 */
export function schemaText(file: string, source: string): string {
  const schema = file.replace('.xsd', '');
  return source.replaceAll(ELEMENT_OF_SOME, (element, _, __, schemas: string) =>
    schemas.split(' ').includes(schema)
      ? schemaText(file, element.replace(` only="${schemas}"`, ''))
      : '',
  );
}

/** The JSON Schema of a property, which the build derives from the documents of a portfolio. */
export const PROPERTY_SCHEMA = 'property.json';
