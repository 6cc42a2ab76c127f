import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { UnsecuredJWT } from 'jose';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateSigningKey } from '../../src/oauth/own-keys.ts';
import { createAgency } from '../support/accounts/agency.ts';
import { freePort, Inspector } from '../support/processes/inspector.ts';
import { type Server, startServer } from '../support/processes/server.ts';

const REQUESTS = 1_000;
const MAX_MEGABYTES = 100;

/** Characters of a text in a form that may have 2 MB, and in a URL or a header. */
const LONG = 1_400_000;
const MEDIUM = 12_000;

let server: Server;
let inspector: Inspector;

beforeAll(async () => {
  const SIGNING_KEYS = JSON.stringify({ keys: [await generateSigningKey()] });
  const inspectorPort = await freePort();
  server = await startServer({ SIGNING_KEYS }, undefined, 1_000_000, false, {
    databases: ['DB_2', 'DB_3'],
    inspectorPort,
  });
  inspector = await Inspector.connect(inspectorPort);
});

afterAll(async () => {
  inspector?.close();
  await server?.stop();
});

/** A name that no other request has. */
function nameOf(index: number, length: number): string {
  return `${index}-`.padEnd(length, 'X');
}

function token(claims: Record<string, unknown>): string {
  return new UnsecuredJWT(claims).setExpirationTime('1h').encode();
}

/**
 * What somebody without any credentials can send that names an account or a client, with the
 * longest name that fits.
 */
const ATTACKS: readonly ((index: number) => Promise<number>)[] = [
  (index) =>
    form('/sign-in', index, {
      token: token({ account: nameOf(index, LONG), sub: 'code:person:1', jti: 'x' }),
      code: '123456',
    }),
  (index) => form('/sign-in', index, { account: nameOf(index, LONG), password: 'guess' }),
  (index) =>
    form('/sign-in', index, { account: 'COSTA', name: nameOf(index, LONG), password: 'guess' }),
  (index) => get(`/invitation?token=guess&account=${nameOf(index, MEDIUM)}`, index),
  (index) =>
    form('/oauth/token', index, {
      grant_type: 'client_credentials',
      client_id: nameOf(index, MEDIUM),
      client_secret: 'guess',
    }),
  (index) =>
    get('/v1/changes', index, {
      authorization: `Bearer ${token({ client_id: nameOf(index, MEDIUM) })}`,
    }),
  (index) => get(`/CreateXMLFeedV3.asp?U=OWNPROPERTIES@COSTA&P=${nameOf(index, MEDIUM)}`, index),
];

async function get(path: string, index: number, headers: Record<string, string> = {}) {
  return send(path, { method: 'GET', headers: { ...headers, ...from(index) } });
}

async function form(path: string, index: number, fields: Record<string, string>) {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: server.url.origin,
    ...from(index),
  };
  return send(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
}

/** From an address of its own: each may fail some times. */
function from(index: number) {
  return { 'cf-connecting-ip': `10.1.${index >> 8}.${index & 255}` };
}

async function send(path: string, init: NonNullable<Parameters<typeof request>[1]>) {
  const { statusCode, body } = await request(new URL(path, server.url), init);
  await body.dump();
  return statusCode;
}

test('with three databases, 1,000 requests with long names of which nothing is verified: live memory stays below 100 MB', async () => {
  const statuses = new Set<number>();
  for (let index = 0; index < REQUESTS; index++)
    statuses.add(await ATTACKS[index % ATTACKS.length]!(index));
  expect([...statuses].filter((status) => status < 400 || status >= 500)).toEqual([]);
  const megabytes = await inspector.liveMegabytes(() => get('/nothing', 0));
  console.info(`live memory: ${megabytes.toFixed(0)} MB`);
  expect(megabytes).toBeLessThan(MAX_MEGABYTES);
});

const UPLOADS = 8;

/** A photograph of nearly 30 MB: its comments are what makes it large. */
function largePhotograph(seed: number): Buffer {
  const photograph = readFileSync('src/demo/pictures/villa.jpg');
  const comment = Buffer.alloc(65_537, seed);
  comment.set([0xff, 0xfe, 0xff, 0xff]);
  const comments = Array<Buffer>(Math.floor((29_900_000 - photograph.length) / comment.length));
  return Buffer.concat([
    photograph.subarray(0, 2),
    ...comments.fill(comment),
    photograph.subarray(2),
  ]);
}

test('eight photographs of 30 MB at once: live memory stays below 100 MB while they arrive, and all are taken', async () => {
  const scopes = ['properties:read', 'properties:write'];
  const { clientId, secret } = await createAgency(server.db, 'LARGE', [], scopes);
  const json = { 'Content-Type': 'application/json' };
  const token = await (
    await fetch(new URL('/oauth/token', server.url), {
      method: 'POST',
      headers: json,
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      }),
    })
  ).json();
  const headers = { Authorization: `Bearer ${(token as { access_token: string }).access_token}` };
  const home = { ref: 'L', type: 'Villa', status: 'Available', town: 'Nerja', province: 'Málaga' };
  const path = new URL('/v1/properties/L', server.url);
  await fetch(path, {
    method: 'PUT',
    headers: { ...headers, ...json },
    body: JSON.stringify(home),
  });
  let arrived = 0;
  const measured = Promise.withResolvers<void>();
  const half = Promise.withResolvers<void>();
  async function* slowly(file: Buffer) {
    const middle = file.length / 2;
    for (let at = 0; at < file.length; at += 500_000) {
      if (at >= middle && at < middle + 500_000) {
        if (++arrived === UPLOADS) half.resolve();
        await measured.promise;
      }
      yield file.subarray(at, at + 500_000);
    }
  }
  const uploads = Array.from({ length: UPLOADS }, async (_, seed) => {
    const file = largePhotograph(seed);
    const { statusCode, body } = await request(`${path}/pictures`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'image/jpeg', 'content-length': String(file.length) },
      body: Readable.from(slowly(file)),
    });
    await body.dump();
    return statusCode;
  });
  await half.promise;
  const during = await inspector.liveMegabytes(() => get('/nothing', 0));
  measured.resolve();
  expect(await Promise.all(uploads)).toEqual(Array(UPLOADS).fill(201));
  const after = await inspector.liveMegabytes(() => get('/nothing', 0));
  console.info(
    `live memory: ${during.toFixed(0)} MB while they arrive, ${after.toFixed(0)} MB after`,
  );
  expect(Math.max(during, after)).toBeLessThan(MAX_MEGABYTES);
});
