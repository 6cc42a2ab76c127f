import { LRUCache } from 'lru-cache';
import { type PropertiesRead, type Revisions, readProperties } from '../../db/feed/feed-properties.ts';
import { readVocabulary } from '../../db/vocabulary.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import { appendChecksum, type Checksum, type DeflatedPiece, deflatePiece, EMPTY_CHECKSUM } from '../document/gzip.ts';
import type { Dictionary } from '../formats/format.ts';
import { type PlannedPart, sameRevisions } from '../manifest/plan.ts';
import { type BuildClaim, type BuiltPiece, PAGE_MEMORY_BYTES, type WrittenPage } from './builds.ts';
import type { FeedContext } from './context.ts';

/** Bytes that a part may have compressed. A value in KV has at most 25 MiB. */
const MAX_PART_BYTES = 24 * 1024 * 1024;

/** How often a part is built if a change comes between the statements that read its pages; then it is sent and not cached. */
const ATTEMPTS = 3;

/** A page of a part's properties: a part of long texts does not fit into memory as a whole. */
export interface Page {
  readonly read: PropertiesRead;
  readonly dictionary: Dictionary;
}

/** Reads a page of a part: the first, or the one at the `next` of the page before. */
export async function readPage({ scope }: PlannedPart, context: FeedContext, from = 0): Promise<Page> {
  const { env, format, parameters, set, manifest } = context;
  const read = await readProperties(env.DB, manifest.accountId, scope, parameters, format, set.channel, from);
  return { read, dictionary: await findDictionary(context, read.vocabularyRevision) };
}

const dictionaries = new LRUCache<string, Dictionary>({ max: 50 });

/** The account's dictionary, from memory or D1, at a revision of its vocabulary or at the current one if that is newer. */
async function findDictionary(
  { env, format, manifest: { accountId }, parameters: { languages } }: FeedContext,
  revision: number,
): Promise<Dictionary> {
  const key = `${accountId} ${format.name} ${languages.join(',')}`;
  const remembered = dictionaries.get(key);
  if (remembered?.revision === revision) return remembered;
  const dictionary = format.renderDictionary(await readVocabulary(env.DB, accountId), languages);
  dictionaries.set(key, dictionary);
  return dictionary;
}

/** The bytes of texts and pictures of a page, as they are stored. */
export function storedBytes({ read }: Page): number {
  let bytes = 0;
  for (const { descriptions, pictures } of read.rows) {
    for (const text of descriptions) bytes += text?.length ?? 0;
    bytes += pictures?.length ?? 0;
  }
  return bytes;
}

export function writePage(
  { read, dictionary }: Page,
  { order }: PlannedPart,
  { format, parameters, set }: FeedContext,
  recordsBefore = 0,
): WrittenPage {
  const { rows, revisions, vocabularyRevision, development, next } = read;
  const place = { development, recordsBefore, isLast: next === null };
  const isOfOrder = order === null || sameRevisions(order.revisions, revisions, set);
  return {
    ...format.writeProperties(rows, parameters, dictionary, place),
    revisions: dictionary.revision === vocabularyRevision && isOfOrder ? revisions : null,
  };
}

/**
 * Builds a part of several pages, of which the first has been read: each is compressed before the next is read.
 *
 * @throws what D1 throws, or if the part is too large even compressed
 */
export async function buildInPages(
  first: Page,
  part: PlannedPart,
  claim: BuildClaim,
  context: FeedContext,
): Promise<BuiltPiece> {
  const { separator } = context.frame;
  for (let attempt = 1, page = first; ; attempt++) {
    const pieces: DeflatedPiece[] = [];
    let [records, bytes, stored] = [0, 0, 0];
    const found: (Revisions | null)[] = [];
    for (;;) {
      const written = writePage(page, part, context, records);
      const { next } = page.read;
      stored += storedBytes(page);
      if (separator !== null && records > 0 && written.records > 0) pieces.push(separator.piece);
      const piece = deflatePiece(concatenate(written.chunks));
      pieces.push(piece);
      found.push(written.revisions);
      records += written.records;
      bytes += piece.deflated.length;
      if (bytes > MAX_PART_BYTES) throw new Error('The part has more than 24 MiB compressed');
      claim.hold(PAGE_MEMORY_BYTES + bytes);
      if (next === null) break;
      page = await readPage(part, context, next);
    }
    const [revisions = null] = found;
    const isConsistent = found.every((one) => one && revisions && sameRevisions(one, revisions, context.set));
    if (isConsistent || attempt === ATTEMPTS) {
      claim.measured(stored);
      const checksum = pieces.reduce<Checksum>(appendChecksum, EMPTY_CHECKSUM);
      const deflated = concatenate(pieces.map((piece) => piece.deflated));
      return { deflated, ...checksum, records, revisions: isConsistent ? revisions : null };
    }
    page = await readPage(part, context);
  }
}
