import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { moveAccount, planMove, undoMove } from '../../../src/operator/move/move.ts';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { obtainToken, withToken } from '../../support/accounts/units.ts';
import { ask } from '../../support/worker/ask.ts';
import { BROWSER, send } from '../console/visitor.ts';
import { databases, prepareThree, three } from './three.ts';

const SCOPES = [
  'units:write',
  'readers:write',
  'readers:read',
  'properties:write',
  'properties:read',
  'feeds:read',
];

let agency: Agency;
let authorization: Record<string, string>;
let cookie: string;

/** An account whose move was killed before it was switched. */
beforeAll(async () => {
  await prepareThree();
  agency = await createAgency(env.DB, 'REFUSED', ['A-1'], SCOPES);
  await openReader(agency.accountId, 'portal');
  authorization = withToken(await obtainToken(agency, undefined, three));
  cookie = await signIn();
  const killed = moveAccount((await planMove(databases, agency.code, databases[1]!))!, {
    graceMs: 0,
    onStep: (step) => {
      if (step === 'switching') throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
});

async function signIn(): Promise<string> {
  const signedIn = await send(
    '/sign-in',
    { account: agency.code, password: 'demo' },
    '',
    undefined,
    three,
  );
  expect(signedIn.status).toBe(303);
  return signedIn.headers.get('Set-Cookie')!.split(';')[0]!;
}

const PROPERTY = {
  ref: 'W',
  status: 'Available',
  type: 'villa',
  town: 'Nerja',
  province: 'Málaga',
  offers: { sale: { price: 1 } },
};
const UNIT = { UntName: 'A-1', UntStatus: 2, UntPrice: 5, UntDirections: [] };

/** Requests that change what feeds show, and others. */
const WRITES: readonly [method: string, path: string, body?: object][] = [
  ['PUT', '/v1/properties/NEW', PROPERTY],
  ['POST', `/v1/developments/${DEVELOPMENT}/units/update-by-name`, UNIT],
  ['PATCH', '/v1/readers/portal', { disabled: true }],
  ['DELETE', '/v1/readers/portal'],
];

test.each(WRITES)(
  '%s %s of an account that is being moved: 503 with Retry-After',
  async (method, path, body) => {
    const init = { method, headers: authorization, ...(body && { body: JSON.stringify(body) }) };
    const { status, headers, text } = await ask(path, init, three);
    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    expect(JSON.parse(text)).toMatchObject({ code: 'unavailable' });
  },
);

test('a form of the console: a page with status 503 and Retry-After', async () => {
  const { status, headers, text } = await send(
    '/settings/client',
    { id: 'crm', scope: 'units:read' },
    cookie,
    undefined,
    three,
  );
  expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
  expect(text).toContain('<html');
});

test('feeds, changes, tokens and pages are served; signing in, which writes a session, is a 503', async () => {
  const feed = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${agency.code}&P=demo`;
  expect((await ask(feed, {}, three)).status).toBe(200);
  for (const path of ['/v1/changes', '/v1/properties', '/v1/readers']) {
    expect([path, (await ask(path, { headers: authorization }, three)).status]).toEqual([
      path,
      200,
    ]);
  }
  await obtainToken(agency, undefined, three);
  const headers = { ...BROWSER, Cookie: cookie };
  expect((await ask('/properties', { headers }, three)).status).toBe(200);
  const fields = { account: agency.code, password: 'demo' };
  const refused = await send('/sign-in', fields, '', undefined, three);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
});

test('a service with one database: what triggers refuse gets a 503 with Retry-After', async () => {
  const init = { method: 'PUT', headers: authorization, body: JSON.stringify(PROPERTY) };
  const { status, headers } = await ask('/v1/properties/NEW', init);
  expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
});

test('an account of the same database that is not being moved can be changed, and this one once the move is undone', async () => {
  const other = await createAgency(env.DB, 'UNMOVED', ['A-1'], SCOPES);
  const update = (headers: Record<string, string>) =>
    ask('/v1/properties/NEW', { method: 'PUT', headers, body: JSON.stringify(PROPERTY) }, three);
  expect((await update(withToken(await obtainToken(other, undefined, three)))).status).toBe(201);
  await undoMove((await planMove(databases, agency.code, databases[1]!))!);
  expect((await update(authorization)).status).toBe(201);
});
