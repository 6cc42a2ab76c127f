import { createGzip } from 'node:zlib';

/** Rows of one statement, as many as the properties of a segment. */
const ROWS = 500;

/** A Worker that reads the properties of an account with their texts, writes the rows as JSON, and compresses that if asked to. */
export default {
  async fetch(request: Request, { DB }: { DB: D1Database }): Promise<Response> {
    const [, account, encoding] = new URL(request.url).pathname.split('/');
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const write = encoding === 'gzip' ? compressed : plain;
    void write(pages(DB, account!), writable);
    return new Response(readable, { headers: { 'Content-Type': 'application/json' } });
  },
};

async function* pages(db: D1Database, account: string): AsyncGenerator<Uint8Array> {
  for (let start = 0; ; start += ROWS) {
    const { results } = await db
      .prepare(
        `SELECT p.identifier, p.document, p.pictures, p.texts, p.changed_at
           FROM properties p JOIN accounts a ON a.id = p.account_id
          WHERE a.code = ?1 AND p.number > ?2 AND p.number <= ?3 ORDER BY p.number`,
      )
      .bind(account, start, start + ROWS)
      .all();
    if (results.length === 0) return;
    yield new TextEncoder().encode(JSON.stringify(results));
  }
}

async function plain(
  pages: AsyncIterable<Uint8Array>,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = writable.getWriter();
  for await (const page of pages) await writer.write(page);
  await writer.close();
}

async function compressed(
  pages: AsyncIterable<Uint8Array>,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const gzip = createGzip({ level: 1, memLevel: 9, chunkSize: 128 * 1024 });
  const writer = writable.getWriter();
  const written = (async () => {
    for await (const chunk of gzip) await writer.write(chunk as Uint8Array);
    await writer.close();
  })();
  for await (const page of pages) gzip.write(page);
  gzip.end();
  await written;
}
