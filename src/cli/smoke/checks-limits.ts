import { randomBytes } from 'node:crypto';
import { type Check, fail, feedPath, pass, type Subject } from './check.ts';
import type { Exchange } from './http.ts';

/** No response has contained a password or a secret. */
export const secrets: Check = {
  name: 'secrets',
  run: async ({ client }) => {
    if (client.leaks.length === 0) return pass(`none in ${client.responses} responses`);
    return fail(`a password or secret is in a response of ${client.leaks.join(' and ')}`);
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
    const detail = `429 with Retry-After: ${retryAfter}`;
    const feed = subject.seen.feeds?.[1];
    if (feed === undefined) return pass(detail);
    const { status } = await subject.client.send(feed.path, { headers: { 'Accept-Encoding': feed.encoding } });
    return status === 200
      ? pass(`${detail}; meanwhile, the cached feed gets 200`)
      : fail(`meanwhile, the cached feed gets ${status}, not 200`);
  },
};

/** Limits count approximately, and per location. */
const MAX_ATTEMPTS = 400;
const CONCURRENT_ATTEMPTS = 10;

async function exhaustLimit({ client }: Subject): Promise<Exchange | undefined> {
  const account = `SMOKE-${randomBytes(4).toString('hex')}`.toUpperCase();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += CONCURRENT_ATTEMPTS) {
    const exchanges = await Promise.all(
      Array.from({ length: CONCURRENT_ATTEMPTS }, (_, at) =>
        client.send(feedPath({ account, password: `${attempt + at}` }, {})),
      ),
    );
    const limited = exchanges.find(({ status }) => status === 429);
    if (limited !== undefined) return limited;
  }
  return undefined;
}
