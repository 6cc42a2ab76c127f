import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedDocumentOf } from '../../src/properties/store/property-rows.ts';
import { openAccount, PASSWORD } from '../support/accounts/open-account.ts';
import { property, store, VOCABULARY } from '../support/accounts/portfolio.ts';
import { findFeedErrors } from '../support/documents/xsd.ts';
import { isInstalled } from '../support/processes/programs.ts';
import { type Server, startServer } from '../support/processes/server.ts';

let server: Server;
let accounts = 0;
const sized = new Map<number, Account>();

beforeAll(async () => {
  server = await startServer();
  for (const segments of SIZES) sized.set(segments, await accountOf(segments));
});

afterAll(() => server.stop());

interface Account {
  readonly id: number;
  address(query?: string): string;
}

/** An account with one property in each of some segments. */
async function accountOf(segments: number): Promise<Account> {
  const code = `W${++accounts}`;
  const id = await openAccount(server.db, code);
  await store(server.db, id, VOCABULARY);
  const numbers = JSON.stringify(
    Array.from({ length: segments }, (_, segment) => segment * 500 + 1),
  );
  await server.db
    .prepare(
      `INSERT INTO properties (account_id, number, identifier, document)
       SELECT ?1, value, 'ñ' || value, json_set(?3, '$.offers.sale.price', value) FROM json_each(?2)`,
    )
    .bind(id, numbers, JSON.stringify(storedDocumentOf(property('-'))))
    .run();
  const address = (query = '') =>
    new URL(`/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=${PASSWORD}&${query}`, server.url).href;
  return { id, address };
}

/** By a connection of its own: the server may be closing one that has been idle just as a request reuses it. */
function request(address: string, encoding: string): ClientRequest {
  return get(address, { agent: false, headers: { 'Accept-Encoding': encoding } });
}

async function bytesOf(address: string, encoding: string): Promise<Buffer> {
  const [response] = await once(request(address, encoding), 'response');
  expect(response.statusCode).toBe(200);
  return buffer(response);
}

/** Reads 4 MB a second. */
async function readSlowly(address: string): Promise<void> {
  const [response] = (await once(request(address, 'identity'), 'response')) as [IncomingMessage];
  for await (const chunk of response) await pause(chunk.length / 4_000);
}

/** Waits until `parts` snapshots of an account are recorded, for half a minute at most, and says whether they are. */
async function isCached(id: number, parts: number): Promise<boolean> {
  for (const giveUpAt = Date.now() + 30_000; Date.now() < giveUpAt; ) {
    const recorded = await server.db
      .prepare('SELECT count(*) AS n FROM snapshots WHERE account_id = ?')
      .bind(id)
      .first('n');
    if (recorded === parts) return true;
    await pause(20);
  }
  return false;
}

/** Deletes the records of some snapshots, and waits until the Worker reads its manifest again. */
async function deleteSnapshots(id: number, parts: readonly number[]): Promise<void> {
  await server.db
    .prepare(
      'DELETE FROM snapshots WHERE account_id = ? AND part IN (SELECT value FROM json_each(?))',
    )
    .bind(id, JSON.stringify(parts))
    .run();
  await pause(1_050);
}

const DECOMPRESS_IN_PYTHON =
  'import gzip,sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))';

/** Other programs that read a feed, each from its address or from its bytes, compressed. */
const READERS: readonly (readonly [
  program: string,
  read: (address: string, gzip: Buffer) => Buffer,
])[] = [
  ['gunzip', (_, gzip) => execFileSync('gunzip', ['-c'], { input: gzip })],
  ['python3', (_, gzip) => execFileSync('python3', ['-c', DECOMPRESS_IN_PYTHON], { input: gzip })],
  ['curl', (address) => execFileSync('curl', ['-sSf', '--compressed', address])],
];

const SIZES = [0, 1, 3, 20];

describe.concurrent.each(SIZES)('GET of a feed of %i segments', (segments) => {
  // Every mixture of cached and missing snapshots for up to three segments; all, none and some for twenty.
  const mixtures =
    segments <= 3
      ? Array.from({ length: 2 ** segments }, (_, bits) =>
          Array.from({ length: segments }, (_, part) => part).filter((part) => bits & (1 << part)),
        )
      : [[], [0, 7, 19], Array.from({ length: segments }, (_, part) => part)];

  const mixed = mixtures[Math.floor(mixtures.length / 2)]!;

  test('any mixture of cached and built parts: one gzip member of the same document, for every reader', async () => {
    const { id, address } = sized.get(segments)!;
    const plain = await bytesOf(address(), 'identity');
    expect(findFeedErrors(plain)).toEqual([]);
    expect(plain.toString().match(/<property>/g)?.length ?? 0).toBe(segments);
    for (const missing of mixtures) {
      expect(await isCached(id, segments)).toBe(true);
      await deleteSnapshots(id, missing);
      const gzip = await bytesOf(address(), 'gzip');
      expect(gunzipSync(gzip).equals(plain), `${missing.length} of ${segments} built`).toBe(true);
      expect(await isCached(id, segments)).toBe(true);
      expect((await bytesOf(address(), 'identity')).equals(plain)).toBe(true);
      // Starting other programs takes longer than all else: they read one mixture of each size.
      if (missing !== mixed) continue;
      for (const [program, read] of READERS) {
        if (isInstalled(program)) expect(read(address(), gzip).equals(plain), program).toBe(true);
      }
    }
  });
});

describe('GET by a reader that pauses', () => {
  const LANGUAGES = 'Language=1,2,3,4,5,6,7,8,9,10';

  /**
   * Starts to read a feed of 40 segments of 600 KB each, more than the buffers of a connection hold, and executes something while the reader
   * pauses.
   */
  async function readWhile(account: Account, encoding: string, meanwhile: () => Promise<void>) {
    const [response] = (await once(request(account.address(LANGUAGES), encoding), 'response')) as [
      IncomingMessage,
    ];
    const received: Buffer[] = [];
    response.on('data', (chunk: Buffer) => {
      received.push(chunk);
      if (received.length === 1) response.pause();
    });
    response.on('error', () => {});
    const closed = new Promise((resolve) => response.once('close', resolve));
    await once(response, 'pause');
    await meanwhile();
    response.resume();
    await closed;
    return {
      complete: response.complete,
      bytes: Buffer.concat(received),
      headers: response.headers,
    };
  }

  async function largeAccount(): Promise<Account> {
    const account = await accountOf(40);
    for (const language of ['uk', 'es', 'de', 'fr', 'nl', 'da', 'ru', 'sv', 'pl', 'no']) {
      await server.db
        .prepare(
          `UPDATE properties SET texts = json_set(texts, '$.' || ?2, json_object('description', hex(randomblob(30000))))
            WHERE account_id = ?1`,
        )
        .bind(account.id, language)
        .run();
    }
    return account;
  }

  async function cachedAccount(): Promise<Account> {
    for (let attempts = 1; attempts <= 10; attempts++) {
      const account = await largeAccount();
      // Slowly, and more than the connection buffers: parts that are built faster than KV stores them are not cached. Another request
      // would cache them, but keep the others in memory.
      await readSlowly(account.address(LANGUAGES));
      if (await isCached(account.id, 40)) return account;
    }
    throw new Error('No feed was cached as a whole');
  }

  async function deleteFromKv({ id }: Account, part: number): Promise<void> {
    const { keys } = await server.snapshots.list({ limit: 1000 });
    for (const { name } of keys) {
      if (name.includes(`/account${id}/part${part}/`)) await server.snapshots.delete(name);
    }
  }

  /** Reads a feed while its database fails. */
  async function readWhileD1Fails(account: Account, encoding: string) {
    const read = await readWhile(account, encoding, async () => {
      await server.db.prepare('ALTER TABLE developments RENAME TO developments_moved').run();
    });
    await server.db.prepare('ALTER TABLE developments_moved RENAME TO developments').run();
    return read;
  }

  test('D1 fails, gzip: the connection is aborted, and no reader takes the bytes for a complete feed', async () => {
    const { bytes, complete } = await readWhileD1Fails(await largeAccount(), 'gzip');
    expect(bytes.length).toBeGreaterThan(100_000);
    expect(complete).toBe(false);
    expect(() => gunzipSync(bytes)).toThrow();
  });

  test('D1 fails, identity: the connection is aborted, and the document is not closed', async () => {
    const { bytes, complete } = await readWhileD1Fails(await largeAccount(), 'identity');
    expect(complete).toBe(false);
    expect(bytes.length).toBeGreaterThan(500_000);
    expect(bytes.toString()).not.toContain('</root>');
  });

  test('D1 fails and KV loses a snapshot, all parts cached: the connection is aborted', async () => {
    const account = await cachedAccount();
    await deleteFromKv(account, 39);
    const { complete, headers } = await readWhileD1Fails(account, 'gzip');
    expect(Number(headers['content-length'])).toBeGreaterThan(1_000_000);
    expect(complete).toBe(false);
  });

  test.each([
    ['gzip', 'longer', "'$.uk.description', texts ->> '$.uk.description' || 'more'"],
    ['identity', 'shorter', "'$.uk.description', NULL"],
  ])(
    '%s, all parts cached, one gets %s and its snapshot is lost: the connection is aborted; then the current feed',
    async (encoding, _, description) => {
      const account = await cachedAccount();
      const { complete, headers } = await readWhile(account, encoding, async () => {
        await server.db
          .prepare(
            `UPDATE properties SET texts = json_set(texts, ${description}) WHERE account_id = ? AND number = 19501`,
          )
          .bind(account.id)
          .run();
        await deleteFromKv(account, 39);
      });
      expect(Number(headers['content-length'])).toBeGreaterThan(1_000_000);
      expect(complete).toBe(false);
      await deleteSnapshots(account.id, [39]);
      const plain = await bytesOf(account.address(LANGUAGES), 'identity');
      expect(findFeedErrors(plain)).toEqual([]);
      expect(plain.toString().match(/<property>/g)).toHaveLength(40);
    },
  );
});
