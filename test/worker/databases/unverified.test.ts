import { UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { ask, watched } from '../../support/worker/ask.ts';
import { BROWSER } from '../console/visitor.ts';
import { prepareThree, three } from './three.ts';

const ORIGIN = 'https://feeds.example';
const FORM = 'application/x-www-form-urlencoded';

let networks = 100;

beforeAll(prepareThree);

/**
 * The service with three databases, the keys that its limits are asked for, and how often it reads
 * the directory.
 */
function counted(isAllowed: boolean) {
  const asked: string[] = [];
  const reads: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    asked.push(key);
    return { success: isAllowed };
  };
  const { DB } = watched(({ what }) => what.includes('"directory"') && reads.push(what));
  const limiters = { CREDENTIAL_CHECKS: { limit }, ADDRESS_CHECKS: { limit } };
  return { asked, reads, bindings: { ...three, ...limiters, DB } as Env };
}

/** Unsigned, with the form of a session or of a client's token. */
function token(claims: Record<string, unknown>): string {
  return new UnsecuredJWT(claims).setExpirationTime('1h').encode();
}

function sessionOf(account: string): string {
  return token({ account, sub: 'code:person:1', jti: 'x' });
}

interface Sent {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Record<string, string>;
}

/** Requests that name an account or a client, of which nothing is verified. */
const NAMING: Readonly<Record<string, (name: string) => Sent>> = {
  'POST /sign-in, the account of a password': (account) => ({
    path: '/sign-in',
    body: { account, password: 'guess' },
  }),
  'POST /sign-in, the account of a token': (account) => ({
    path: '/sign-in',
    body: { token: sessionOf(account), code: '123456' },
  }),
  'GET /, the account of a session': (account) => ({
    path: '/',
    headers: { Cookie: `__Host-session=${sessionOf(account)}` },
  }),
  'GET /invitation': (account) => ({ path: `/invitation?account=${account}&token=guess` }),
  'POST /invitation': (account) => ({
    path: `/invitation?account=${account}&token=guess`,
    body: { password: 'long enough' },
  }),
  'POST /oauth/token': (client_id) => ({
    path: '/oauth/token',
    body: { grant_type: 'client_credentials', client_id, client_secret: 'guess' },
  }),
  'GET /v1/changes, the client of a token': (client_id) => ({
    path: '/v1/changes',
    headers: { Authorization: `Bearer ${token({ client_id })}` },
  }),
  'GET /v1/changes, the account of a key': (account) => ({
    path: '/v1/changes',
    headers: { Authorization: `Basic ${btoa(`OWNPROPERTIES@${account}:guess`)}` },
  }),
  'GET a feed': (account) => ({
    path: `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${account}&P=guess`,
  }),
};

function sendTo(bindings: Env, { path, headers = {}, body }: Sent, address = '192.0.2.1') {
  return ask(
    path,
    {
      headers: {
        ...BROWSER,
        ...headers,
        'CF-Connecting-IP': address,
        Origin: ORIGIN,
        ...(body && { 'Content-Type': FORM }),
      },
      ...(body && { method: 'POST', body: new URLSearchParams(body).toString() }),
    },
    bindings,
  );
}

describe.each(Object.entries(NAMING))('%s', (_, naming) => {
  test('a name of 15,000 characters: refused, without asking a limit or the directory about it', async () => {
    const { bindings, asked, reads } = counted(true);
    const { status } = await sendTo(bindings, naming('X'.repeat(15_000)));
    expect([400, 401, 410]).toContain(status);
    expect(asked.filter((key) => key.length > 200)).toEqual([]);
    expect(reads).toEqual([]);
  });

  test('once too many checks of the network have failed: refused, without reading the directory', async () => {
    const address = `192.0.2.${++networks}`;
    const { bindings, reads } = counted(false);
    await sendTo(
      bindings,
      { path: '/v1/changes', headers: { Authorization: 'Bearer x' } },
      address,
    );
    const { status } = await sendTo(bindings, naming('UNKNOWN'), address);
    expect([401, 429]).toContain(status);
    expect(reads).toEqual([]);
  });
});
