import { type Check, fail, pass, skip } from './check.ts';
import { type FeedAccount, feedPath, GZIP } from './feed.ts';
import { megabytes } from './format.ts';

/** Feeds of all versions are valid against the schemas that the service publishes. */
export const schema: Check = {
  name: 'schema',
  run: async ({ client, seen, ...reader }) => {
    if (seen.gzip === undefined) return skip('because of gzip');
    for (const { name, path, feedPath } of DOCUMENTS) {
      const published = await client.send(path);
      if (published.status !== 200) return fail(`${path}: ${published.status}`);
      const feed = await client.send(feedPath(reader), GZIP);
      if (feed.status !== 200) return fail(`${name}: ${feed.status}`);
      if (feed.body.length > MAX_VALIDATED) {
        return skip(`the feed has ${megabytes(feed.body.length)}, too much to validate here`);
      }
      const errors = await validate(feed.body, published.body);
      if (errors.length > 0) return fail(`${name}, ${errors[0]}`);
    }
    return pass('versions 1, 2 and 3 and kyero.xml are valid');
  },
};

const DOCUMENTS = [
  ...[1, 2, 3].map((version) => ({
    name: `version ${version}`,
    path: `/schemas/feed-v${version}.xsd`,
    feedPath: (reader: FeedAccount) => feedPath(reader, { FV: version, IC: 1, Language: 1 }),
  })),
  {
    name: 'kyero.xml',
    path: '/schemas/kyero.xsd',
    feedPath: (reader: FeedAccount) => feedPath(reader, { IC: 1, Language: 1 }, 'kyero.xml'),
  },
];

/** libxml2 builds a tree of about ten times the size of the document. */
const MAX_VALIDATED = 50_000_000;

async function validate(document: Buffer, schemaText: Buffer): Promise<string[]> {
  const { ParseOption, XmlDocument, XmlLibError, XsdValidator } = await import('libxml2-wasm');
  const option = ParseOption.XML_PARSE_HUGE | ParseOption.XML_PARSE_BIG_LINES;
  const used: { dispose(): void }[] = [];
  const disposed = <Resource extends { dispose(): void }>(resource: Resource): Resource => {
    used.unshift(resource);
    return resource;
  };
  try {
    const validator = disposed(XsdValidator.fromDoc(disposed(XmlDocument.fromBuffer(schemaText))));
    validator.validate(disposed(XmlDocument.fromBuffer(document, { option })));
    return [];
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    return error.details.map(({ line, message }) => `line ${line}: ${message.trim()}`);
  } finally {
    for (const resource of used) resource.dispose();
  }
}
