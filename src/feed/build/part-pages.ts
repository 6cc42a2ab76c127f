import { type PropertiesRead, type Revisions, readProperties } from '../../db/feed/feed-properties.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import { appendChecksum, type DeflatedPiece, deflatePiece } from '../document/gzip.ts';
import type { Dictionary, WrittenRecords } from '../formats/format.ts';
import { type PlannedPart, sameRevisions } from '../manifest/plan.ts';
import { type BuildClaim, PAGE_MEMORY_BYTES } from './builds.ts';
import { BuiltPart } from './built-part.ts';
import type { FeedContext } from './context.ts';
import { findDictionary } from './dictionaries.ts';

/** Bytes that a part may have compressed. A value in KV has at most 25 MiB. */
const MAX_PART_BYTES = 24 * 1024 * 1024;

/** How often a part is built if a change comes between the statements that read its pages; then it is sent and not cached. */
const ATTEMPTS = 3;

/** The pages of a part, of which one is in memory at a time: a part of long texts would not fit. */
export class PartPages {
  readonly #part: PlannedPart;
  readonly #context: FeedContext;
  #page: { readonly read: PropertiesRead; readonly dictionary: Dictionary } | null = null;
  /** Stored bytes of texts and pictures so far. */
  #bytes = 0;

  constructor(part: PlannedPart, context: FeedContext) {
    this.#part = part;
    this.#context = context;
  }

  /** Where the page after the one in memory begins; `null` if that is the last one. */
  get next(): number | null {
    return this.#page!.read.next;
  }

  get storedBytes(): number {
    return this.#bytes;
  }

  async read(from: number): Promise<void> {
    const { env, format, parameters, set } = this.#context;
    const { accountId } = this.#context.manifest;
    const { scope } = this.#part;
    const read = await readProperties(env.DB, accountId, scope, parameters, format, set.channel, from);
    const dictionary = await findDictionary(env.DB, format, accountId, parameters.languages, read.vocabularyRevision);
    this.#page = { read, dictionary };
    if (from === 0) this.#bytes = 0;
    for (const { descriptions, pictures } of read.rows) {
      for (const text of descriptions) this.#bytes += text?.length ?? 0;
      this.#bytes += pictures?.length ?? 0;
    }
  }

  /** The records of the page, which leaves the memory, and the revisions that determine them: see {@link consistentRevisions}. */
  write(recordsBefore = 0): { readonly written: WrittenRecords; readonly revisions: Revisions | null } {
    const { read, dictionary } = this.#page!;
    this.#page = null;
    const { format, parameters, set } = this.#context;
    return {
      written: format.writeProperties(read.rows, parameters, dictionary, {
        development: read.development,
        recordsBefore,
        isLast: read.next === null,
      }),
      revisions: consistentRevisions(this.#part, read, dictionary, set),
    };
  }
}

/** The revisions of what was read; `null` if a change came between the statements that read it. */
function consistentRevisions(
  { order }: PlannedPart,
  { revisions, vocabularyRevision }: PropertiesRead,
  dictionary: Dictionary,
  set: FeedContext['set'],
): Revisions | null {
  if (dictionary.revision !== vocabularyRevision) return null;
  return order === null || sameRevisions(order.revisions, revisions, set) ? revisions : null;
}

/**
 * Builds a part of several pages, of which the first has been read: each is compressed before the next is read.
 *
 * @throws what D1 throws, or if the part is too large even compressed
 */
export async function buildInPages(
  pages: PartPages,
  claim: BuildClaim,
  { set, frame: { separator } }: FeedContext,
): Promise<BuiltPart> {
  for (let attempt = 1; ; attempt++) {
    const pieces: DeflatedPiece[] = [];
    let [records, bytes] = [0, 0];
    let common: Revisions | null = null;
    let isConsistent = true;
    for (let next = pages.next; ; next = pages.next) {
      const page = compressPage(pages, records);
      common ??= page.revisions;
      isConsistent &&= page.revisions !== null && sameRevisions(common!, page.revisions, set);
      if (separator !== null && records > 0 && page.records > 0) pieces.push(separator.piece);
      pieces.push(page.piece);
      records += page.records;
      bytes += page.piece.deflated.length;
      if (bytes > MAX_PART_BYTES) throw new Error('The part has more than 24 MiB compressed');
      claim.hold(PAGE_MEMORY_BYTES + bytes);
      if (next === null) break;
      await pages.read(next);
    }
    if (!isConsistent && attempt < ATTEMPTS) {
      await pages.read(0);
      continue;
    }
    return new BuiltPart(joined(pieces), records, isConsistent ? common : null, () => claim.yieldMemory());
  }
}

function compressPage(pages: PartPages, recordsBefore: number) {
  const { written, revisions } = pages.write(recordsBefore);
  return { piece: deflatePiece(concatenate(written.chunks)), records: written.records, revisions };
}

function joined(pieces: readonly DeflatedPiece[]): DeflatedPiece {
  const checksum = pieces.reduce<{ crc: number; length: number }>(appendChecksum, { crc: 0, length: 0 });
  return { deflated: concatenate(pieces.map(({ deflated }) => deflated)), ...checksum };
}
