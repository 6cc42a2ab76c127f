import { Buffer } from 'node:buffer';
import { type PropertiesRead, type Revisions, readProperties } from '../../db/feed/feed-properties.ts';
import { readVocabulary } from '../../db/vocabulary.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { appendChecksum, type Checksum, type DeflatedPiece, deflatePiece, EMPTY_CHECKSUM } from '../document/gzip.ts';
import type { Dictionary } from '../formats/format.ts';
import { type PlannedPart, sameRevisions } from '../manifest/plan.ts';
import type { BuildClaim, BuiltPart } from './builds.ts';
import type { FeedContext } from './context.ts';

/** Bytes that a part may have compressed. A value in KV has at most 25 MiB. */
const MAX_PART_BYTES = 24 * 1024 * 1024;

/** How often a part is built if a change comes between the statements that read its pages; then it is sent and not cached. */
const ATTEMPTS = 3;

/**
 * Builds a part page by page, since one of long texts does not fit into memory as a whole: each page is compressed before the next
 * is read.
 *
 * @throws what D1 throws, or if the part is too large even compressed
 */
export async function buildPart(part: PlannedPart, claim: BuildClaim, context: FeedContext): Promise<BuiltPart> {
  for (let attempt = 1; ; attempt++) {
    const { stored, pages, ...built } = await buildOnce(part, claim, context);
    if (built.revisions === null && pages > 1 && attempt < ATTEMPTS) continue;
    claim.built(stored);
    return built;
  }
}

const encoder = new TextEncoder();

async function buildOnce(part: PlannedPart, claim: BuildClaim, context: FeedContext) {
  const { env, format, parameters, set, manifest, envelope } = context;
  const pieces: DeflatedPiece[] = [];
  const states: (Revisions | null)[] = [];
  let [records, bytes, stored] = [0, 0, 0];
  for (let next: number | null = 0; next !== null; ) {
    if (next > 0) claim.hold(bytes);
    const page = await readProperties(env.DB, manifest.accountId, part.scope, parameters, format, set.channel, next);
    const dictionary = await findDictionary(context, page.vocabularyRevision);
    const place = { development: page.development, recordsBefore: records, isLast: page.next === null };
    const written = format.writeProperties(page.rows, parameters, dictionary, place);
    if (envelope.separator !== null && records > 0 && written.records > 0) pieces.push(envelope.separator);
    const piece = deflatePiece(encoder.encode(written.text));
    pieces.push(piece);
    states.push(revisionsOf(page, dictionary, part, context));
    records += written.records;
    bytes += piece.deflated.length;
    stored += storedBytes(page);
    next = page.next;
    if (bytes > MAX_PART_BYTES) throw new Error('The part has more than 24 MiB compressed');
  }
  const [revisions = null] = states;
  const isConsistent = states.every((one) => one && revisions && sameRevisions(one, revisions, set));
  const checksum = pieces.reduce<Checksum>(appendChecksum, EMPTY_CHECKSUM);
  const deflated = Buffer.concat(pieces.map((piece) => piece.deflated));
  return { deflated, ...checksum, records, revisions: isConsistent ? revisions : null, stored, pages: states.length };
}

/** The revisions that determine what is written of a page; `null` if a change came between the statements that read it. */
function revisionsOf(page: PropertiesRead, dictionary: Dictionary, { order }: PlannedPart, { set }: FeedContext) {
  const { revisions, vocabularyRevision } = page;
  const isOfOrder = order === null || sameRevisions(order.revisions, revisions, set);
  return dictionary.revision === vocabularyRevision && isOfOrder ? revisions : null;
}

const dictionaries = boundedCache<Dictionary>(50);

/** The account's dictionary, from memory or D1, at a revision of its vocabulary or at the current one if that is newer. */
async function findDictionary(context: FeedContext, revision: number): Promise<Dictionary> {
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

/** The bytes of texts and pictures of a page, as they are stored. */
function storedBytes({ rows }: PropertiesRead): number {
  let bytes = 0;
  for (const { descriptions, pictures } of rows) {
    for (const text of descriptions) bytes += text?.length ?? 0;
    bytes += pictures?.length ?? 0;
  }
  return bytes;
}
