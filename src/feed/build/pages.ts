import { Buffer } from 'node:buffer';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { readVocabulary } from '../../vocabulary/stored.ts';
import {
  appendChecksum,
  type Checksum,
  type DeflatedPiece,
  deflatePiece,
  EMPTY_CHECKSUM,
} from '../document/gzip.ts';
import type { Dictionary } from '../formats/format.ts';
import { isSameRevision, type PlannedPart } from '../manifest/plan.ts';
import type { BuildClaim, BuiltPart } from './builds.ts';
import type { FeedContext } from './context.ts';
import { type Page, type PropertiesRead, type Revision, readPages } from './feed-properties.ts';

/** Bytes that a part may have compressed. A value in KV has at most 25 MiB. */
const MAX_PART_BYTES = 24 * 1024 * 1024;

/** Bytes of a part that are kept uncompressed until they are sent: slow readers hold them. A part of short texts has 2.5 MB. */
const MAX_PLAIN_BYTES = 3 * 1024 * 1024;

/** How often a part is built if a change comes between the statements that read its pages; then it is sent and not cached. */
const ATTEMPTS = 3;

/**
 * Builds a part page by page, since one of long texts does not fit into memory as a whole: each page is compressed before the next
 * is read.
 *
 * @throws what D1 throws, or if the part is too large even compressed
 */
export async function buildPart(
  part: PlannedPart,
  claim: BuildClaim,
  context: FeedContext,
): Promise<BuiltPart> {
  for (let attempt = 1; ; attempt++) {
    const { built, pages } = await buildOnce(part, claim, context);
    if (built.revision === null && pages > 1 && attempt < ATTEMPTS) continue;
    claim.built();
    return built;
  }
}

const encoder = new TextEncoder();

async function buildOnce(part: PlannedPart, claim: BuildClaim, context: FeedContext) {
  const { env, format, parameters, set, manifest, envelope } = context;
  const pieces: DeflatedPiece[] = [];
  const states: (Revision | null)[] = [];
  const reading = {
    accountId: manifest.accountId,
    selection: parameters,
    needs: format,
    channel: set.channel,
  };
  let records = 0;
  let bytes = 0;
  let plain: Uint8Array | null = null;
  const pages = readPages(env.DB, reading, part.scope, part.bytes);
  // No `for await`: it would hold a page until the next one is there.
  for (let page = await buildPage(pages, records, part, context); page !== null; ) {
    if (envelope.separator !== null && records > 0 && page.records > 0)
      pieces.push(envelope.separator);
    if (page.isLast && pieces.length === 0) plain = page.plain;
    pieces.push(page.piece);
    states.push(page.revision);
    records += page.records;
    bytes += page.piece.deflated.length;
    if (bytes > MAX_PART_BYTES) throw new Error('The part has more than 24 MiB compressed');
    if (!page.isLast) claim.hold(bytes);
    page = page.isLast ? null : await buildPage(pages, records, part, context);
  }
  const [revision = null] = states;
  const isConsistent = states.every((one) => one && revision && isSameRevision(one, revision));
  const checksum = pieces.reduce<Checksum>(appendChecksum, EMPTY_CHECKSUM);
  const deflated = Buffer.concat(pieces.map((piece) => piece.deflated));
  const built: BuiltPart = {
    deflated,
    plain,
    ...checksum,
    records,
    revision: isConsistent ? revision : null,
  };
  return { built, pages: states.length };
}

/** Reads, writes and compresses the next page. @param recordsBefore the records on the pages before it */
async function buildPage(
  pages: AsyncGenerator<Page, void>,
  recordsBefore: number,
  part: PlannedPart,
  context: FeedContext,
) {
  const { value } = await pages.next();
  if (!value) return null;
  const { read, isLast } = value;
  const dictionary = await findDictionary(context, read.vocabularyRevision);
  const place = { development: read.development, recordsBefore, isLast };
  const { text, records } = context.format.writeProperties(
    read.rows,
    context.parameters,
    dictionary,
    place,
  );
  const plain = encoder.encode(text);
  return {
    piece: deflatePiece(plain),
    plain: !context.compressed && plain.length <= MAX_PLAIN_BYTES ? plain : null,
    records,
    revision: revisionOf(read, dictionary, part),
    isLast,
  };
}

/** The revision that determines what is written of a page; `null` if a change came between the statements that read it. */
function revisionOf(
  { revision, vocabularyRevision }: PropertiesRead,
  dictionary: Dictionary,
  { order }: PlannedPart,
) {
  const isOfOrder = order === null || isSameRevision(order.revision, revision);
  return dictionary.revision === vocabularyRevision && isOfOrder ? revision : null;
}

const dictionaries = boundedCache<Dictionary>(50);

/** The account's dictionary, from memory or D1, at a revision of its vocabulary or at the current one if that is newer. */
async function findDictionary(context: FeedContext, revision: string): Promise<Dictionary> {
  const { env, format, manifest, parameters } = context;
  const { accountId } = manifest;
  const { languages } = parameters;
  const key = `${accountId} ${format.name} ${languages.join(',')}`;
  const remembered = dictionaries.get(key);
  if (remembered?.revision === revision) return remembered;
  const dictionary = format.renderDictionary(await readVocabulary(env.DB, accountId), languages);
  dictionaries.set(key, dictionary);
  return dictionary;
}
