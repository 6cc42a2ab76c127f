import { randomBytes } from 'node:crypto';
import { PROGRAM } from '../command/lines.ts';
import { cached, feeds, get, head, headers, notModified, schema } from './feed-checks.ts';
import { type Check, type Exchange, ensure, Skipped } from './service.ts';
import { token, update } from './update-checks.ts';

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

/** In their order: the rate limit would deny others, and `secrets` has searched all responses. */
export const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['service', service],
  ['password', password],
  ['feeds', feeds],
  ['headers', headers],
  ['cached', cached],
  ['304', notModified],
  ['HEAD', head],
  ['schema', schema],
  ['token', token],
  ['update', update],
  ['rate limit', rateLimit],
  ['secrets', secrets],
]);
