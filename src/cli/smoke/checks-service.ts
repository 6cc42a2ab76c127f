import { randomBytes } from 'node:crypto';
import { PROGRAM } from '../command.ts';
import { type Check, fail, pass, skip } from './check.ts';
import { feedPath, GZIP } from './feed.ts';
import { ms } from './format.ts';
import type { Exchange } from './http.ts';

/** The service responds at all, and not something in front of it. */
export const service: Check = {
  name: 'service',
  run: async ({ client }) => {
    let exchange: Exchange;
    try {
      exchange = await client.send('/schemas/error.xsd');
    } catch (error) {
      return fail(`does not respond: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`);
    }
    if (isChallenge(exchange)) {
      return fail('Cloudflare challenges programs, as portals are: turn off Bot Fight Mode for this domain');
    }
    if (exchange.status !== 200) return fail(`/schemas/error.xsd: ${exchange.status}; is Lindero served here?`);
    return pass(`responds after ${ms(exchange.firstByte)}`);
  },
};

/** developers.cloudflare.com/cloudflare-challenges: a challenge page has this header. */
function isChallenge({ headers }: Exchange): boolean {
  return headers['cf-mitigated'] === 'challenge';
}

/** The database responds and has its tables, and credentials can be looked up there. */
export const database: Check = {
  name: 'database',
  run: async ({ client }) => {
    const health = await client.send('/health');
    if (health.status !== 200) return fail(`/health: ${health.status}; ${PROGRAM} doctor --remote says more`);
    const unknown = { account: `SMOKE-${randomBytes(4).toString('hex')}`.toUpperCase(), password: 'none' };
    const exchange = await client.send(feedPath(unknown, {}));
    if (exchange.status === 429) return skip(LIMITED);
    if (exchange.status === 401) return pass('responds, and accounts can be looked up');
    return fail(`an unknown account gets ${exchange.status}, not 401: ${PROGRAM} doctor --remote says more`);
  },
};

/** The account's password is accepted. */
export const password: Check = {
  name: 'password',
  run: async ({ client, ...reader }) => {
    const exchange = await client.send(feedPath(reader, { FV: 3, IC: 1 }), { ...GZIP, discard: true });
    if (exchange.status === 401) {
      return fail(`the password of ${reader.account} is wrong, or there is no such account`);
    }
    if (exchange.status === 429) return fail(LIMITED);
    if (exchange.status !== 200) return fail(`the feed of ${reader.account} gets ${exchange.status}, not 200`);
    return pass(`${reader.account} has a feed of ${exchange.properties} properties`);
  },
};

/** A wrong password is denied, in the URL and in HTTP Basic. */
export const wrongPassword: Check = {
  name: 'wrong password',
  run: async ({ client, account }) => {
    const wrong = { account, password: randomBytes(12).toString('base64url') };
    const basic = Buffer.from(`OWNPROPERTIES@${account}:${wrong.password}`).toString('base64');
    const exchanges = [
      await client.send(feedPath(wrong, { FV: 3 })),
      await client.send('/CreateXMLFeedV3.asp?FV=3', { headers: { Authorization: `Basic ${basic}` } }),
    ];
    if (exchanges.some(({ status }) => status === 429)) return skip(LIMITED);
    for (const { status, headers, properties } of exchanges) {
      if (status !== 401) return fail(`gets ${status}, not 401`);
      if (properties > 0) return fail('gets 401, but with properties');
      if (headers['www-authenticate'] === undefined) return fail('gets 401 without WWW-Authenticate');
    }
    return pass('401, in the URL and in HTTP Basic');
  },
};

const LIMITED = 'the limit of attempts is exhausted, as after a run less than a minute ago: repeat in a minute';
