import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { stringsFeed } from './strings.ts';

/**
 * Serves feeds of version 3, in English and Spanish, from a SQLite file, at `/<compression>/<account>/<pictures>`. Run as
 * `server.ts <database> <port>`; notifies its parent once it is listening.
 */

/** The same as in the Worker. */
const DEFLATE = { level: 1, memLevel: 9 };

/** Characters written at a time. */
const WRITTEN_AT_ONCE = 256 * 1024;

const [, , database, port] = process.argv;
const db = new DatabaseSync(database!, { readOnly: true });
const feed = stringsFeed(db);

process.on('disconnect', () => process.exit());

createServer({ keepAliveTimeout: 0 }, (request, response) => {
  const [, compression, account, pictures] = request.url!.split('/');
  const chunks = inChunks(feed(account!, [1, 2], Number(pictures)));
  response.setHeader('Content-Type', 'application/xml; charset=utf-8');
  send(compression!, chunks, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
}).listen(Number(port), '127.0.0.1', () => process.send?.('listening'));

async function send(compression: string, chunks: Iterable<Buffer>, response: ServerResponse): Promise<void> {
  switch (compression) {
    case 'none':
      for (const chunk of chunks) if (!response.write(chunk)) await once(response, 'drain');
      response.end();
      return;
    case 'gzip':
      response.setHeader('Content-Encoding', 'gzip');
      await pipeline(Readable.from(chunks), createGzip({ ...DEFLATE, chunkSize: 128 * 1024 }), response);
      return;
    default:
      throw new TypeError(`There is no compression ${compression}`);
  }
}

function* inChunks(parts: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length >= WRITTEN_AT_ONCE) {
      yield Buffer.from(text);
      text = '';
    }
  }
  yield Buffer.from(text);
}
