import { findAccount } from '../../accounts/accounts.ts';
import type { Env } from '../../env.ts';
import { closingLine, OPENING_LINE } from '../../imports/formats/ndjson/source.ts';
import { type EpochMilliseconds, isoDate } from '../../lib/time/time.ts';
import {
  EXPORT_START,
  type ExportPage,
  type ExportPosition,
  readExportPage,
} from '../../properties/store/export.ts';
import { sendTask, type Task } from '../../tasks/tasks.ts';
import { pieceKey } from './store.ts';

/** Characters of NDJSON after which a piece ends: what an isolate has in memory at a time. */
const PIECE_CHARACTERS = 4_000_000;

interface PieceMetadata {
  /** Where the next piece begins, as JSON; empty for the last one. */
  readonly next: string;
  /** The documents of all pieces up to this one. */
  readonly documents: string;
}

/** Asks for the day's backup of each of these accounts. */
export async function startBackups(
  env: Env,
  accountIds: readonly number[],
  now: EpochMilliseconds,
): Promise<void> {
  const day = isoDate(now / 1_000);
  for (const accountId of accountIds)
    await sendTask(env, { kind: 'backup', accountId, day, piece: 0 });
}

/**
 * Writes one piece of an account's backup, and asks for the next. Pieces are gzipped NDJSON, which together are an export. A
 * message that comes twice finds its piece written, and continues after it.
 *
 * @throws also if the next piece cannot be asked for: no schedule would find it
 */
export async function backUp(env: Env, task: Extract<Task, { kind: 'backup' }>): Promise<void> {
  const { accountId, day, piece } = task;
  const code = (await findAccount(env.DB, { id: accountId }))?.code;
  if (code === undefined) return;
  const key = pieceKey(code, day, piece);
  const written = await metadataOf(env.FILES, key);
  const before = piece === 0 ? START : await metadataOf(env.FILES, pieceKey(code, day, piece - 1));
  if (before === undefined || before.next === '') return;
  const { next } = written ?? (await writePiece(env, accountId, key, before));
  if (next !== '' && !(await sendTask(env, { ...task, piece: piece + 1 })))
    throw new Error('The queue fails');
}

/** What precedes the first piece. */
const START: PieceMetadata = { next: JSON.stringify(EXPORT_START), documents: '0' };

async function metadataOf(files: R2Bucket, key: string) {
  return (await files.head(key))?.customMetadata as PieceMetadata | undefined;
}

async function writePiece(
  env: Env,
  accountId: number,
  key: string,
  before: PieceMetadata,
): Promise<PieceMetadata> {
  let documents = Number(before.documents);
  let text = documents === 0 && before.next === START.next ? OPENING_LINE : '';
  let position: ExportPosition | null = JSON.parse(before.next);
  while (position !== null && text.length < PIECE_CHARACTERS) {
    const page: ExportPage = await readExportPage(env.DB, accountId, position);
    text += page.documents.map((document) => `${JSON.stringify(document)}\n`).join('');
    documents += page.documents.length;
    position = page.next;
  }
  if (position === null) text += closingLine(documents);
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const customMetadata = {
    next: position === null ? '' : JSON.stringify(position),
    documents: String(documents),
  };
  await env.FILES.put(key, await new Response(compressed).arrayBuffer(), { customMetadata });
  return customMetadata;
}
