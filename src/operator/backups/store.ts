/** How the keys of backups begin; the bucket deletes them after some days. */
export const BACKUPS = 'backups/';
export const BACKUP_DAYS = 30;

/** A day's backup of an account. */
interface Backup {
  /** The account's code. */
  readonly account: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly pieces: number;
  readonly bytes: number;
  /** `null` if the backup is not complete. */
  readonly documents: number | null;
}

/** How the keys of an account's backups begin. */
export function backupsOf(account: string): string {
  return `${BACKUPS}${account}/`;
}

/** The key of a piece of a backup, whose pieces are in the order of their keys. */
export function pieceKey(account: string, day: string, piece: number): string {
  return `${backupsOf(account)}${day}/${String(piece).padStart(5, '0')}.ndjson.gz`;
}

/** The backups of an account, or of all accounts, by account and day. */
export async function listBackups(files: R2Bucket, account?: string): Promise<Backup[]> {
  const prefix = account === undefined ? BACKUPS : backupsOf(account);
  const found = new Map<string, Backup>();
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await files.list({
      prefix,
      include: ['customMetadata'],
      ...(cursor && { cursor }),
    });
    for (const { key, size, customMetadata = {} } of page.objects) {
      const [, code, day] = key.split('/') as [string, string, string];
      const before = found.get(`${code}/${day}`) ?? { pieces: 0, bytes: 0 };
      found.set(`${code}/${day}`, {
        account: code,
        day,
        pieces: before.pieces + 1,
        bytes: before.bytes + size,
        documents: customMetadata.next === '' ? Number(customMetadata.documents) : null,
      });
    }
    if (!page.truncated) return [...found.values()];
    cursor = page.cursor;
  }
}

/** The bytes of a backup's export, decompressed, one piece after another. */
export async function* openBackup(
  files: R2Bucket,
  { account, day, pieces }: Backup,
): AsyncGenerator<Uint8Array> {
  for (let piece = 0; piece < pieces; piece++) {
    const object = await files.get(pieceKey(account, day, piece));
    if (object === null) throw new Error(`The backup lacks ${pieceKey(account, day, piece)}`);
    const compressed = new Response(await object.arrayBuffer()).body!;
    const inflated = compressed.pipeThrough(new DecompressionStream('gzip'));
    yield new Uint8Array(await new Response(inflated).arrayBuffer());
  }
}
