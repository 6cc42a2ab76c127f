import { randomBytes } from 'node:crypto';
import { PROGRAM } from '../command/command.ts';
import { type Check, duration, fail, feedPath, pass, skip } from './check.ts';
import type { Exchange } from './http.ts';

/** The service and its database respond, and not something in front of them. */
export const service: Check = {
  name: 'service',
  run: async ({ client }) => {
    let health: Exchange;
    try {
      health = await client.send('/health');
    } catch (error) {
      return fail(`not responding: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`);
    }
    // developers.cloudflare.com/cloudflare-challenges: a challenge page has this header.
    if (health.headers['cf-mitigated'] === 'challenge') {
      return fail('Cloudflare challenges programs such as portals: turn off Bot Fight Mode for this domain');
    }
    if (health.status === 503) return fail(`the database is not responding; for details: ${PROGRAM} doctor --remote`);
    if (health.status !== 200) return fail(`/health: ${health.status}; is Lindero served here?`);
    return pass(`responds after ${duration(health.firstByteMs)}`);
  },
};

/** The account's password is accepted; a wrong one is denied, in the URL and in HTTP Basic. */
export const password: Check = {
  name: 'password',
  run: async ({ client, ...reader }) => {
    const { status } = await client.send(feedPath(reader, { FV: 3, IC: 1 }));
    if (status === 401) return fail(`the password of ${reader.account} is wrong, or there is no such account`);
    if (status === 429) return fail(LIMITED);
    if (status !== 200) return fail(`the feed of ${reader.account} gets ${status}, not 200`);
    const wrong = { account: reader.account, password: randomBytes(12).toString('base64url') };
    const basic = Buffer.from(`OWNPROPERTIES@${wrong.account}:${wrong.password}`).toString('base64');
    const denied = [
      await client.send(feedPath(wrong, { FV: 3 })),
      await client.send('/CreateXMLFeedV3.asp?FV=3', { headers: { Authorization: `Basic ${basic}` } }),
    ];
    if (denied.some((exchange) => exchange.status === 429)) return skip(LIMITED);
    for (const exchange of denied) {
      if (exchange.status !== 401) return fail(`a wrong one gets ${exchange.status}, not 401`);
      if (exchange.body.includes('<property>')) return fail('a wrong one gets 401, but with properties');
      if (exchange.headers['www-authenticate'] === undefined) return fail('the 401 has no WWW-Authenticate');
    }
    return pass('accepted; a wrong one gets 401, in the URL and in HTTP Basic');
  },
};

const LIMITED = 'the limit of attempts is exhausted, as after a run less than a minute ago: repeat in a minute';
