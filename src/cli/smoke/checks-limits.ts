import { randomBytes } from 'node:crypto';
import { type Check, fail, pass, type Subject, skip } from './check.ts';
import { feedPath, IDENTITY } from './feed.ts';
import type { Exchange } from './http.ts';

/** No response has contained a password or a secret. */
export const secrets: Check = {
  name: 'secrets',
  run: async ({ scanner }) => {
    const [first, ...more] = scanner.found;
    if (first === undefined) return pass(`none in ${scanner.responses} responses`);
    return fail(`a password or secret is in a response of ${[first, ...more].join(' and ')}`);
  },
};

/** Attempts with wrong passwords are limited, and readers of cached feeds are not affected. */
export const rateLimit: Check = {
  name: 'rate limit',
  run: async (subject) => {
    const limited = await exhaustLimit(subject);
    if (limited === undefined) return fail(`${MAX_ATTEMPTS} wrong passwords without a 429`);
    const retryAfter = limited.headers['retry-after'];
    if (!/^[1-9]\d*$/.test(retryAfter ?? '')) return fail('429 without Retry-After');
    const path = subject.seen.identity?.path;
    if (path === undefined) return skip(`429 with Retry-After: ${retryAfter}; no cached feed was received to compare`);
    const statuses: number[] = [];
    for (let request = 0; request < 5; request++) {
      statuses.push((await subject.client.send(path, { ...IDENTITY, discard: true })).status);
    }
    const served = statuses.filter((status) => status === 200).length;
    if (served === 0) return fail(`meanwhile, the cached feed gets ${statuses[0]}, not 200`);
    return pass(`429 with Retry-After: ${retryAfter}; meanwhile ${served} of 5 requests for the cached feed get 200`);
  },
};

/** Limits count approximately, and per location. */
const MAX_ATTEMPTS = 400;
const AT_ONCE = 10;

async function exhaustLimit({ client }: Subject): Promise<Exchange | undefined> {
  const account = `SMOKE-${randomBytes(4).toString('hex')}`.toUpperCase();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += AT_ONCE) {
    const exchanges = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => client.send(feedPath({ account, password: `${attempt + at}` }, {}))),
    );
    const limited = exchanges.find(({ status }) => status === 429);
    if (limited !== undefined) return limited;
  }
  return undefined;
}
