import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type * as z from 'zod';
import { escapeXml } from '../../lib/bytes/xml.ts';
import type { unit as unitSchema } from '../../units/schemas.ts';
import { PROGRAM } from '../command/lines.ts';
import {
  type Check,
  type Exchange,
  ensure,
  type Message,
  type ReceivedFeed,
  type Service,
  Skipped,
} from './service.ts';

const service: Check = async (service) => {
  const health = await service.send('/health').catch(({ message, code }: NodeJS.ErrnoException) => {
    throw new Error(`not responding: ${message || code}`);
  });
  // developers.cloudflare.com/cloudflare-challenges: a challenge page has this header.
  const isChallenge = health.headers['cf-mitigated'] === 'challenge';
  ensure(
    !isChallenge,
    'Cloudflare challenges programs such as portals: turn off Bot Fight Mode for this domain',
  );
  ensure(
    health.status !== 503,
    `the database is not responding; for details: ${PROGRAM} doctor --url ${service.target.origin.origin}`,
  );
  ensure(health.status === 200, `/health: ${health.status}; is Lindero served here?`);
  return `responds after ${health.firstByteMs.toFixed(0)} ms`;
};

const LIMITED =
  'the limit of attempts is exhausted, as after a run less than a minute ago: repeat in a minute';

const password: Check = async (service) => {
  const { account } = service.target;
  const { status } = await service.send(service.feedPath({ FV: 3, IC: 1 }));
  ensure(status !== 401, `the password of ${account} is wrong, or there is no such account`);
  ensure(status !== 429, LIMITED);
  ensure(status === 200, `the feed of ${account} gets ${status}, not 200`);
  const wrong = randomBytes(12).toString('base64url');
  const Authorization = `Basic ${btoa(`OWNPROPERTIES@${account}:${wrong}`)}`;
  const inUrl = await service.send(service.feedPath({ FV: 3, P: wrong }));
  const inBasic = await service.send('/CreateXMLFeedV3.asp?FV=3', { headers: { Authorization } });
  for (const denied of [inUrl, inBasic]) {
    if (denied.status === 429) throw new Skipped(LIMITED);
    ensure(denied.status === 401, `a wrong one gets ${denied.status}, not 401`);
    ensure(!denied.body.includes('<property>'), 'a wrong one gets 401, but with properties');
    ensure(denied.headers['www-authenticate'] !== undefined, 'the 401 has no WWW-Authenticate');
  }
  return 'accepted; a wrong one gets 401, in the URL and in HTTP Basic';
};

/**
 * Feeds arrive completely, compressed and not, both when they are built and when they are cached.
 */
const feeds: Check = async (service) => {
  const gzip = await receiveTwice(service, 'gzip');
  const identity = await receiveTwice(service, 'identity');
  // Some readers send no Accept-Encoding, and cannot read gzip.
  const plain = await service.send(identity.path);
  ensure(
    plain.headers['content-encoding'] === undefined,
    'compressed although Accept-Encoding is missing',
  );
  service.feeds = [gzip, identity];
  const properties = gzip.body.toString().split('<property>').length - 1;
  return `${properties} properties: ${gzip.bytes} bytes compressed, ${identity.bytes} uncompressed`;
};

function get(
  service: Service,
  { path, encoding }: Pick<ReceivedFeed, 'path' | 'encoding'>,
  more: Message = {},
) {
  return service.send(path, { ...more, headers: { 'Accept-Encoding': encoding, ...more.headers } });
}

/** The first response from the cache for a feed that was not cached before. */
async function receiveTwice(
  service: Service,
  encoding: ReceivedFeed['encoding'],
): Promise<ReceivedFeed> {
  // A feed that hardly anyone has requested before: a random number of pictures, and two random
  // languages.
  const language = randomInt(1, 10);
  const parameters = {
    FV: 3,
    IC: randomInt(100, 1000),
    Language: `${language},${randomInt(language + 1, 11)}`,
  };
  const feed = { path: service.feedPath(parameters), encoding };
  const first = await get(service, feed);
  const deadline = performance.now() + service.target.cachedWithinMs;
  let second = first;
  while (second.status === 200 && !isHit(second) && performance.now() < deadline) {
    await setTimeout(500);
    second = await get(service, feed);
  }
  for (const { status, headers, body } of [first, second]) {
    ensure(status === 200, `${encoding}: ${status}, not 200`);
    ensure(
      (headers['content-encoding'] ?? 'identity') === encoding,
      `${encoding}: the encoding is another one`,
    );
    const isComplete = body.subarray(-20).toString().trimEnd().endsWith('</root>');
    ensure(isComplete, `${encoding}: the document is truncated`);
  }
  const isChanged = first.headers.etag !== second.headers.etag;
  ensure(
    isChanged || first.body.equals(second.body),
    `${encoding}: the second document differs from the first`,
  );
  return { ...second, ...feed };
}

/** Whether every part of a feed came from the cache (RFC 9211). */
function isHit({ headers }: Exchange): boolean {
  return /;\s*hit\b/.test(headers['cache-status'] ?? '');
}

/** A check of each feed that was received; a problem is preceded by its encoding. */
function ofFeeds(
  detail: string,
  check: (feed: ReceivedFeed, service: Service) => Promise<void> | void,
): Check {
  return async (service) => {
    if (service.feeds === undefined) throw new Skipped('no feed was received completely');
    for (const feed of service.feeds) {
      try {
        await check(feed, service);
      } catch (error) {
        throw new Error(`${feed.encoding}: ${(error as Error).message}`);
      }
    }
    return detail;
  };
}

const headers = ofFeeds('Content-Length, Content-Type and no-transform', ({ bytes, headers }) => {
  const {
    'content-length': length,
    'content-type': type,
    'cache-control': caching = 'missing',
  } = headers;
  ensure(Number(length) === bytes, `Content-Length is ${length}, the body has ${bytes} bytes`);
  ensure(type === 'application/xml; charset=utf-8', `Content-Type is ${type}`);
  ensure(/\bno-transform\b/.test(caching), `Cache-Control is ${caching}, without no-transform`);
});

const cached = ofFeeds(
  'the second request is a hit, and begins to arrive in time',
  async (feed, service) => {
    ensure(isHit(feed), feed.headers['cache-status'] ?? 'no Cache-Status');
    const times: number[] = [];
    while (times.length < 5) times.push((await get(service, feed)).firstByteMs);
    const median = times.sort((a, b) => a - b)[2]!;
    const limit = service.target.firstByteMs;
    ensure(
      median <= limit,
      `first byte after ${median.toFixed(0)} ms, the median of 5; the limit is ${limit} ms`,
    );
  },
);

const notModified = ofFeeds('for If-None-Match and If-Modified-Since', async (feed, service) => {
  const { etag, 'last-modified': date } = feed.headers;
  ensure(etag !== undefined, 'no ETag');
  const tagged = await get(service, feed, { headers: { 'If-None-Match': etag } });
  ensure(tagged.status === 304, `If-None-Match gets ${tagged.status}`);
  ensure(tagged.headers.etag === etag, `the ETag of the 304 is ${tagged.headers.etag}`);
  if (date === undefined) return;
  const dated = await get(service, feed, { headers: { 'If-Modified-Since': date } });
  ensure(dated.status === 304, `If-Modified-Since gets ${dated.status}`);
});

/** Headers of the resource, not of the message or of the way that it took. */
const COMPARED =
  'cache-control content-encoding content-length content-type etag last-modified vary'.split(' ');

/**
 * HEAD has the headers of GET, unless the feed has changed in between. `Last-Modified` appears
 * seconds after a change.
 */
const head = ofFeeds('has the headers of GET', async (feed, service) => {
  const got = await get(service, feed);
  const headed = await get(service, feed, { method: 'HEAD' });
  ensure(headed.status === got.status, `HEAD gets ${headed.status}, GET ${got.status}`);
  const appears = (name: string) => name === 'last-modified' && got.headers[name] === undefined;
  const different = COMPARED.filter(
    (name) => got.headers[name] !== headed.headers[name] && !appears(name),
  );
  ensure(
    different.length === 0 || different.includes('etag'),
    `differs from GET in ${different.join(', ')}`,
  );
});

const schema: Check = async (service) => {
  const { feeds } = service;
  if (feeds === undefined) throw new Skipped('no feed was received completely');
  const parameters = { IC: 1, Language: 1 };
  const paths = [1, 2, 3].map(
    (FV) => [`feed-v${FV}.xsd`, service.feedPath({ FV, ...parameters })] as const,
  );
  for (const [name, path] of [
    ...paths,
    ['kyero.xsd', service.feedPath(parameters, 'kyero.xml')] as const,
  ]) {
    const published = await service.send(`/schemas/${name}`);
    ensure(published.status === 200, `/schemas/${name}: ${published.status}`);
    const { status, body } = await service.send(path);
    ensure(status === 200, `the feed of ${name}: ${status}`);
    const error = await validate(body, published.body);
    ensure(error === undefined, `${name}, ${error}`);
  }
  return 'versions 1, 2 and 3 and kyero.xml are valid';
};

async function validate(document: Buffer, schemaText: Buffer): Promise<string | undefined> {
  const { ParseOption, XmlDocument, XmlLibError, XsdValidator } = await import('libxml2-wasm');
  const option = ParseOption.XML_PARSE_HUGE | ParseOption.XML_PARSE_BIG_LINES;
  using definition = XmlDocument.fromBuffer(schemaText);
  using validator = XsdValidator.fromDoc(definition);
  using parsed = XmlDocument.fromBuffer(document, { option });
  try {
    validator.validate(parsed);
    return undefined;
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    const [{ line, message } = { line: 0, message: error.message }] = error.details;
    return `line ${line}: ${message.trim()}`;
  }
}

/** Limits count approximately, and per location. */
const MAX_ATTEMPTS = 400;
const CONCURRENT_ATTEMPTS = 10;

const rateLimit: Check = async (service) => {
  const U = `OWNPROPERTIES@SMOKE-${randomBytes(4).toString('hex')}`;
  let limited: Exchange | undefined;
  for (
    let attempt = 0;
    attempt < MAX_ATTEMPTS && limited === undefined;
    attempt += CONCURRENT_ATTEMPTS
  ) {
    const numbers = Array.from({ length: CONCURRENT_ATTEMPTS }, (_, at) => attempt + at);
    const exchanges = await Promise.all(
      numbers.map((P) => service.send(service.feedPath({ U, P }))),
    );
    limited = exchanges.find(({ status }) => status === 429);
  }
  ensure(limited !== undefined, `${MAX_ATTEMPTS} wrong passwords without a 429`);
  const retryAfter = limited.headers['retry-after'] ?? '';
  ensure(/^[1-9]\d*$/.test(retryAfter), '429 without Retry-After');
  const feed = service.feeds?.[1];
  if (feed === undefined) return `429 with Retry-After: ${retryAfter}`;
  const { status } = await get(service, feed);
  ensure(status === 200, `meanwhile, the cached feed gets ${status}, not 200`);
  return `429 with Retry-After: ${retryAfter}; meanwhile, the cached feed gets 200`;
};

const secrets: Check = async (service) => {
  const paths = [...service.leaks].join(' and ');
  ensure(paths === '', `a password or secret is in a response of ${paths}`);
  return `none in ${service.responses} responses`;
};

function clientOf({ target: { client } }: Service) {
  if (client !== undefined) return client;
  throw new Skipped('no client was given: set LINDERO_CLIENT_ID and LINDERO_CLIENT_SECRET');
}

const token: Check = async (service) => {
  const { id, secret } = clientOf(service);
  const request = (secret: string) =>
    service.send('/oauth/token', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
      },
      body: 'grant_type=client_credentials',
    });
  const denied = await request(`${secret}-wrong`);
  if (denied.status === 404) throw new Skipped('the service accepts the tokens of another issuer');
  ensure([401, 429].includes(denied.status), `a wrong secret gets ${denied.status}, not 401`);
  const { status, headers, body } = await request(secret);
  ensure(status !== 401, 'the client or its secret is wrong');
  ensure(status === 200, `${status}, not 200`);
  const { access_token, token_type, expires_in } = JSON.parse(body.toString());
  ensure(
    typeof access_token === 'string' && /^bearer$/i.test(token_type),
    'no bearer token in the response',
  );
  service.token = access_token;
  ensure(/\bno-store\b/.test(headers['cache-control'] ?? ''), 'Cache-Control lacks no-store');
  return `valid for ${expires_in} s; a wrong secret gets ${denied.status}`;
};

type Unit = z.output<typeof unitSchema> & { readonly path: string };

const SOLD = 4;
const MAX_DEVELOPMENTS = 5;

/** An update is applied, the feed shows it a second later, and it is undone. */
const update: Check = async (service) => {
  clientOf(service);
  if (service.token === undefined) throw new Skipped('there is no token');
  const unit = await findUnit(service);
  if (unit === undefined) throw new Skipped('no price of a unit of this account is in its feed');
  const price = unit.UntPrice + 1;
  let status: number | undefined;
  try {
    const updated = await post(service, { ...unit, UntPrice: price });
    status = updated.status;
    ensure(status === 200, `update-by-name gets ${status}, not 200`);
    const { UntPrice }: Unit = JSON.parse(updated.body.toString());
    ensure(UntPrice === price, `update-by-name responds with the price ${UntPrice}, not ${price}`);
    await setTimeout(1_000);
    const isVisible = isShown(await readFeed(service), unit, price);
    ensure(isVisible, 'a feed requested a second after the update does not show it');
  } finally {
    // After a 5xx, or without a response, the update may have been applied.
    if (status === undefined || status < 400 || status >= 500) await restore(service, unit);
  }
  return `${unit.UntName}: in the feed a second after the update, and restored`;
};

async function findUnit(service: Service): Promise<Unit | undefined> {
  const feed = await readFeed(service);
  const developments = await list<{ development_id: string }>(service, '/v1/developments');
  for (const { development_id } of developments.slice(0, MAX_DEVELOPMENTS)) {
    const path = `/v1/developments/${encodeURIComponent(development_id)}/units`;
    const units = await list<Unit>(service, `${path}?limit=500`);
    const shown = units.find(
      (unit) => unit.UntStatus !== SOLD && isShown(feed, unit, unit.UntPrice),
    );
    if (shown !== undefined) return { ...shown, path };
  }
  return undefined;
}

async function list<Item>(service: Service, path: string): Promise<Item[]> {
  const { status, body } = await service.send(path, {
    headers: { Authorization: `Bearer ${service.token}` },
  });
  ensure(status === 200, `GET ${path} gets ${status}; the client needs the scope units:read`);
  return Object.values<Item[]>(JSON.parse(body.toString())).find(Array.isArray) ?? [];
}

/**
 * Restores an updated unit, even if the program has been interrupted, but not if someone else has
 * changed it since.
 */
async function restore(service: Service, unit: Unit): Promise<void> {
  const uninterrupted = new AbortController().signal;
  const updated = { ...unit, version: unit.version + 1 };
  const { status } = await post(service, updated, uninterrupted).catch(() => ({ status: 0 }));
  const reason =
    status === 412 ? 'it has been changed in the meantime' : `the service responds ${status}`;
  ensure(
    status === 200,
    `unit not restored: ${reason}. Before the update: ${valuesOf(unit)}, at ${unit.path}`,
  );
}

function post(service: Service, unit: Unit, signal?: AbortSignal): Promise<Exchange> {
  const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
  const message = {
    headers: { ...headers, 'If-Match': `"${unit.version}"` },
    body: valuesOf(unit),
  };
  return service.send(`${unit.path}/update-by-name`, { method: 'POST', ...message }, signal);
}

function valuesOf({ UntName, UntStatus, UntPrice, UntDirections }: Unit): string {
  return JSON.stringify({ UntName, UntStatus, UntPrice, UntDirections });
}

async function readFeed(service: Service): Promise<string> {
  return (await service.send(service.feedPath({ FV: 3, IC: 1, Language: 1 }))).body.toString();
}

function isShown(feed: string, { UntName }: Unit, price: number): boolean {
  const name = `<unit_name>${escapeXml(UntName)}</unit_name>`;
  return feed
    .split('<property>')
    .some((record) => record.includes(name) && record.includes(`<price>${price}</price>`));
}

/** In their order: the rate limit would deny others, and `secrets` has searched all responses. */
export const CHECKS: ReadonlyMap<string, Check> = new Map([
  ...Object.entries({ service, password, feeds, headers, cached }),
  ['304', notModified],
  ...Object.entries({ HEAD: head, schema, token, update }),
  ['rate limit', rateLimit],
  ['secrets', secrets],
]);
