import { readFileSync } from 'node:fs';
import { ParseOption, XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm';
import { SCHEMA_FILES, schemaText } from '../../../src/service/schema-files.ts';

const validators = new Map<string, XsdValidator>();

/**
 * The errors that libxml2 finds in a document: that it is not well-formed, or everything that its schema does not allow.
 * For Node: tests inside the Worker use `validate` of `schema.ts`.
 */
export function findErrors(xml: string | Uint8Array, which: string): string[] {
  const bytes = typeof xml === 'string' ? new TextEncoder().encode(xml) : xml;
  let document: XmlDocument | undefined;
  try {
    document = XmlDocument.fromBuffer(bytes, {
      option: ParseOption.XML_PARSE_HUGE | ParseOption.XML_PARSE_BIG_LINES,
    });
    validatorOf(which).validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    return error.details.map(({ line, message }) => `line ${line}: ${message.trim()}`);
  } finally {
    document?.dispose();
  }
}

/** The errors that libxml2 finds in a feed, by the schema of the format and the version that it states. */
export function findFeedErrors(feed: string | Uint8Array): string[] {
  const start =
    typeof feed === 'string' ? feed.slice(0, 200) : new TextDecoder().decode(feed.subarray(0, 200));
  if (start.includes('<kyero>')) {
    const whole = typeof feed === 'string' ? feed : new TextDecoder().decode(feed);
    return findErrors(feed, whole.includes('<status>') ? 'kyero-extended.xsd' : 'kyero.xsd');
  }
  const version = /<feed_version>([123])<\/feed_version>/.exec(start)?.[1] as
    | '1'
    | '2'
    | '3'
    | undefined;
  return version === undefined
    ? ['There is no feed_version']
    : findErrors(feed, `feed-v${version}.xsd`);
}

/** A service for the Worker under test: POST a document to the path of its schema, and the response lists its errors. */
export async function serveValidation(request: {
  url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}) {
  const which = new URL(request.url).pathname.slice(1);
  return Response.json(findErrors(new Uint8Array(await request.arrayBuffer()), which));
}

function validatorOf(which: string): XsdValidator {
  const known = validators.get(which);
  if (known !== undefined) return known;
  const schema = XmlDocument.fromString(
    schemaText(which, readFileSync(SCHEMA_FILES[which]!, 'utf8')),
  );
  try {
    const validator = XsdValidator.fromDoc(schema);
    validators.set(which, validator);
    return validator;
  } finally {
    schema.dispose();
  }
}
