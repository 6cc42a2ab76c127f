import { concatenate } from '../../lib/bytes/bytes.ts';
import { StepInflater } from '../../lib/bytes/inflate.ts';
import type { FeedContext } from '../build/context.ts';
import { buildMissing, type LoadedPart } from '../build/parts.ts';
import type { PlannedPart } from '../manifest/plan.ts';

/** Inflated bytes that are sent at a time, and that a slow reader keeps in memory. */
const CHUNK_BYTES = 128 * 1024;

type SentPart = Pick<LoadedPart, 'crc' | 'length' | 'records' | 'revisions'>;

/**
 * A part's bytes as the reader pulls: compressed in one chunk, or inflated in chunks of bounded size. A snapshot that KV loses
 * in the meantime is built again.
 *
 * @returns what was sent, without the bytes, which would stay in memory
 * @throws if the part has changed since its first chunk was sent
 */
export async function* partChunks(
  part: PlannedPart,
  loaded: LoadedPart,
  context: FeedContext,
): AsyncGenerator<Uint8Array, SentPart | null> {
  let current = loaded;
  let sent = 0;
  for (;;) {
    try {
      for await (const chunk of context.compressed ? wholeOf(current) : inflated(current, sent)) {
        sent += chunk.length;
        yield chunk;
      }
      const { crc, length, records, revisions } = current;
      return { crc, length, records, revisions };
    } catch (error) {
      if (!(error instanceof LostSnapshot)) throw error;
    }
    current = await buildMissing(part, context, 'lost');
    if (sent > 0 && (current.crc !== loaded.crc || current.length !== loaded.length)) throw new LostSnapshot();
  }
}

class LostSnapshot extends Error {
  constructor() {
    super('KV lost a snapshot while it was sent');
  }
}

async function* wholeOf({ bytes }: LoadedPart): AsyncGenerator<Uint8Array, void> {
  const deflated = await bytes();
  if (deflated === null) throw new LostSnapshot();
  if (deflated.length > 0) yield deflated;
}

/** @param skipped bytes that were already sent */
async function* inflated({ bytes }: LoadedPart, skipped: number): AsyncGenerator<Uint8Array, void> {
  const inflater = new StepInflater();
  let toSkip = skipped;
  try {
    for (let pending: Uint8Array[] = [], size = 0; ; ) {
      const deflated = await bytes();
      if (deflated === null) throw new LostSnapshot();
      if (deflated.length === 0) return;
      for (const output of await inflater.next(deflated)) {
        const rest = output.subarray(toSkip);
        toSkip -= output.length - rest.length;
        pending.push(rest);
        size += rest.length;
      }
      const isLast = inflater.consumed === deflated.length;
      if (size < CHUNK_BYTES && !isLast) continue;
      if (size > 0) yield concatenate(pending);
      if (isLast) return;
      [pending, size] = [[], 0];
    }
  } finally {
    inflater.close();
  }
}
