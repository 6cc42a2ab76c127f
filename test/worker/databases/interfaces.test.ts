import { env } from 'cloudflare:workers';
import { UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { environmentsOf } from '../../../src/accounts/environments.ts';
import { app } from '../../../src/app.ts';
import { newClient } from '../../../src/oauth/client.ts';
import { deleteClient } from '../../../src/oauth/clients.ts';
import { listAccount, type NamedDatabase, RANGE_SIZE } from '../../../src/operator/databases.ts';
import { inItsDatabase } from '../../../src/routing.ts';
import type { Task } from '../../../src/tasks/tasks.ts';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { obtainToken, withToken } from '../../support/accounts/units.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import {
  ask,
  type CompleteResponse,
  failingWhen,
  type Use,
  watched,
} from '../../support/worker/ask.ts';
import { emptyCaches } from '../../support/worker/caches.ts';
import { BROWSER, send, withCookies } from '../console/visitor.ts';
import { databases, prepareThree, three } from './three.ts';

const SCOPES = [
  'units:read',
  'units:write',
  'readers:read',
  'readers:write',
  'feeds:read',
  'properties:read',
  'properties:write',
];

let agencies: (Agency & NamedDatabase)[];

beforeAll(async () => {
  await prepareThree();
  agencies = [];
  for (const { name, db } of databases) {
    const code = `IN-${name.replace('_', '')}`;
    const agency = await createAgency(db, code, ['A-1', 'A-2'], SCOPES);
    if (name !== 'DB')
      await listAccount(env.DB, { account: code, database: name, clients: [agency.clientId] });
    agencies.push({ ...agency, name, db });
  }
});

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${btoa(`${user}:${password}`)}`,
});

test('each database gives out ids of a range of its own', () => {
  const ranges = agencies.map(({ accountId }) => Math.floor(accountId / RANGE_SIZE));
  expect(new Set(ranges).size).toBe(databases.length);
});

describe.each(databases.map(({ name }, index) => [name, index] as const))(
  'an account in %s',
  (_, index) => {
    let agency: Agency & NamedDatabase;
    let authorization: Record<string, string>;

    beforeAll(async () => {
      agency = agencies[index]!;
      authorization = withToken(await obtainToken(agency, undefined, three));
    });

    const answer = (path: string, init: RequestInit = {}) => ask(path, init, three);
    /** The page with a secret or a link that a form leads to. */
    const shownAfter = ({ headers }: CompleteResponse, cookie: string) =>
      answer(headers.get('Location')!, {
        headers: { ...BROWSER, Cookie: withCookies(cookie, headers) },
      });

    test.each(['CreateXMLFeedV3.asp?FV=3&', 'kyero.xml?'])(
      'GET /%s…: its own properties',
      async (path) => {
        const credentials = `U=OWNPROPERTIES@${agency.code}&P=demo`;
        const { status, text } = await answer(`/${path}${credentials}`);
        expect([status, text.match(/<property>/g)?.length]).toEqual([200, 2]);
        expect((await answer(`/${path}${credentials}x`)).status).toBe(401);
        const inBasic = await answer(`/${path}`, {
          headers: basic(`OWNPROPERTIES@${agency.code}`, 'demo'),
        });
        expect(inBasic.status).toBe(200);
      },
    );

    test('a unit is updated, in its history, and in the feed a second later', async () => {
      const body = {
        UntName: 'A-1',
        UntStatus: 1,
        UntPrice: 123_400 + index,
        UntDirections: ['N'],
      };
      const units = `/v1/developments/${DEVELOPMENT}/units`;
      const post = (operation: string, given: unknown) =>
        answer(`${units}/${operation}`, {
          method: 'POST',
          headers: authorization,
          body: JSON.stringify(given),
        });
      expect(await post('update-by-name', body)).toMatchObject({ status: 200 });
      expect(await post('update-many', [{ ...body, UntName: 'A-2' }])).toMatchObject({
        status: 200,
      });
      const read = await answer(`${units}/A-1`, { headers: authorization });
      expect(JSON.parse(read.text)).toMatchObject({
        UntPrice: 123_400 + index,
        changes: [{ client_id: agency.clientId }],
      });
      const feed = await answer(`/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${agency.code}&P=demo`);
      expect(feed.text).toContain(`<price>${123_400 + index}</price>`);
    });

    test('a reader is created, fetches its feed and its changes by its key, and is in the list', async () => {
      const channel = JSON.stringify({ properties: ['P1'] });
      const created = await answer('/v1/channels/coast/add', {
        method: 'POST',
        headers: authorization,
        body: channel,
      });
      expect([200, 201]).toContain(created.status);
      const body = JSON.stringify({ name: 'portal' });
      const { key } = JSON.parse(
        (await answer('/v1/readers', { method: 'POST', headers: authorization, body })).text,
      );
      const user = `OWNPROPERTIES@${agency.code}`;
      expect((await answer(`/CreateXMLFeedV3.asp?U=${user}&P=${key}`)).status).toBe(200);
      expect(
        JSON.parse((await answer('/v1/changes', { headers: basic(user, key) })).text).changes,
      ).toHaveLength(2);
      expect((await answer('/v1/readers', { headers: authorization })).text).toContain('portal');
      expect((await answer('/v1/changes', { headers: authorization })).status).toBe(200);
      expect((await answer('/v1/units/changes', { headers: authorization })).status).toBe(200);
      expect((await answer('/health', { headers: authorization })).status).toBe(200);
    });

    test('GET /v1/report with a token and with the password: its own', async () => {
      const user = `OWNPROPERTIES@${agency.code}`;
      for (const headers of [authorization, basic(user, 'demo')]) {
        const { status, text } = await answer('/v1/report', { headers });
        expect([status, JSON.parse(text).account]).toEqual([200, agency.code]);
      }
    });

    test('the console: signed in, its units, and signed out', async () => {
      const signedIn = await send(
        '/sign-in',
        { account: agency.code, password: 'demo' },
        '',
        undefined,
        three,
      );
      const Cookie = signedIn.headers.get('Set-Cookie')!.split(';')[0]!;
      const units = await answer(`/units?development=${DEVELOPMENT}`, {
        headers: { ...BROWSER, Cookie },
      });
      expect([units.status, units.text.includes('A-2')]).toEqual([200, true]);
      await send('/sign-out', {}, Cookie, undefined, three);
      expect((await answer('/', { headers: { ...BROWSER, Cookie } })).status).toBe(401);
    });

    test('the console: a person accepts an invitation, even while signed in to another account, and signs in', async () => {
      const signedIn = await send(
        '/sign-in',
        { account: agency.code, password: 'demo' },
        '',
        undefined,
        three,
      );
      const cookie = signedIn.headers.get('Set-Cookie')!.split(';')[0]!;
      const invited = await send(
        '/settings',
        { do: 'invite', name: 'Eva', role: 'viewer' },
        cookie,
        undefined,
        three,
      );
      const given = (await shownAfter(invited, cookie)).text;
      const link = /(\/invitation\?[\w&;=-]+)</.exec(given)![1]!.replace('&amp;', '&');
      const other = agencies[(index + 1) % agencies.length]!;
      const elsewhere = await send(
        '/sign-in',
        { account: other.code, password: 'demo' },
        '',
        undefined,
        three,
      );
      const Cookie = elsewhere.headers.get('Set-Cookie')!.split(';')[0]!;
      expect((await answer(link, { headers: { ...BROWSER, Cookie } })).status).toBe(200);
      const shown = await answer(link, { headers: BROWSER });
      expect(shown.status).toBe(200);
      const password = 'correct horse battery';
      const chosen = await send(link, { password }, '', undefined, three);
      expect(chosen.status).toBe(303);
      const person = { account: agency.code, name: 'Eva', password };
      expect((await send('/sign-in', person, '', undefined, three)).status).toBe(303);
    });

    test('the console: a program created there gets a token that reaches this database; an id is taken in all of them', async () => {
      const signedIn = await send(
        '/sign-in',
        { account: agency.code, password: 'demo' },
        '',
        undefined,
        three,
      );
      const cookie = signedIn.headers.get('Set-Cookie')!.split(';')[0]!;
      const id = `crm-${index}`;
      const create = (fields: [string, string][]) =>
        send('/settings/client', fields, cookie, undefined, three);
      const created = await create([
        ['id', id],
        ['scope', 'units:read'],
      ]);
      const secret = />([\w-]{43})</.exec((await shownAfter(created, cookie)).text)![1]!;
      const headers = {
        Authorization: `Bearer ${await obtainToken({ clientId: id, secret }, undefined, three)}`,
      };
      const { status, text } = await answer(`/v1/developments/${DEVELOPMENT}/units/A-1`, {
        headers,
      });
      expect([status, JSON.parse(text).UntName]).toEqual([200, 'A-1']);
      for (const taken of [id, ...agencies.map(({ clientId }) => clientId)]) {
        const refused = await create([
          ['id', taken],
          ['scope', 'units:read'],
        ]);
        expect([taken, refused.status]).toEqual([taken, 422]);
      }
    });

    test('the operator in an account of another database: its units, and a 503 for changes while it is moved', async () => {
      const headers = { Authorization: `Bearer ${env.OPERATOR_KEY}` };
      const unit = `https://feeds.example/v1/developments/${DEVELOPMENT}/units/A-1?account=${agency.code}`;
      const found = await answer(unit, { headers });
      expect([found.status, JSON.parse(found.text).UntName]).toEqual([200, 'A-1']);
      const accounts = await answer('https://feeds.example/v1/operator/accounts', { headers });
      const listed = (
        JSON.parse(accounts.text).accounts as { code: string; database: string }[]
      ).find(({ code }) => code === agency.code);
      expect(listed?.database).toBe(agency.name);
    });

    test('a message of the queue names its database, and what it says is done there', async () => {
      const sent: Task[] = [];
      const TASKS = { send: async (task: Task) => void sent.push(task) } as unknown as Queue;
      const body = JSON.stringify({ UntName: 'A-1', UntStatus: 2, UntPrice: 5, UntDirections: [] });
      await agency.db
        .prepare(
          `INSERT INTO webhooks (account_id, name, url, events, origin, secret, confirmed_number)
         VALUES (?, 'hook', 'https://hook.example', '["unit.changed"]', 'https://feeds.example', 'sealed', 0)`,
        )
        .bind(agency.accountId)
        .run();
      const path = `/v1/developments/${DEVELOPMENT}/units/update-by-name`;
      await ask(path, { method: 'POST', headers: authorization, body }, { ...three, TASKS });
      expect(sent).toEqual([
        {
          kind: 'webhooks',
          accountId: agency.accountId,
          ...(index === 0 ? {} : { database: agency.name }),
        },
      ]);
      const message = { body: sent[0], attempts: 1, ack: vi.fn(), retry: vi.fn() };
      await app.tasks({ queue: '', messages: [message] } as unknown as MessageBatch, {
        ...three,
        TASKS,
      });
      const attempts = agency.db.prepare('SELECT count(*) AS n FROM webhook_attempts');
      expect([message.ack.mock.calls.length, await attempts.first('n')]).toEqual([1, 1]);
    });

    test('a property that is written, and the file of a source that runs: in its database, and in the feed', async () => {
      vi.stubGlobal('fetch', async () => new Response(kyeroFeed([kyeroRecord('FROM-SOURCE')])));
      const sent: Task[] = [];
      const LONG_TASKS = { send: async (task: Task) => void sent.push(task) } as unknown as Queue;
      const bindings = { ...three, LONG_TASKS };
      const write = (method: string, path: string, body?: object) =>
        ask(
          path,
          { method, headers: authorization, ...(body && { body: JSON.stringify(body) }) },
          bindings,
        );
      const property = {
        ref: 'W',
        status: 'Available',
        type: 'Villa',
        town: 'Nerja',
        province: 'Málaga',
      };
      const written = await write('PUT', '/v1/properties/WRITTEN', {
        ...property,
        offers: { sale: { price: 1 } },
      });
      expect(written.status).toBe(201);
      expect(
        (await write('PUT', '/v1/sources/crm', { url: 'https://crm.example/', every: 'day' }))
          .status,
      ).toBe(201);
      expect((await write('POST', '/v1/sources/crm/run')).status).toBe(202);
      for (const task of sent) {
        const message = { body: task, attempts: 1, ack: vi.fn(), retry: vi.fn() };
        await app.tasks({ queue: '', messages: [message] } as unknown as MessageBatch, bindings);
      }
      vi.unstubAllGlobals();
      const ids =
        "SELECT identifier FROM properties WHERE identifier IN ('WRITTEN', 'FROM-SOURCE') AND account_id = ?";
      const { results } = await agency.db.prepare(ids).bind(agency.accountId).all();
      expect(results).toHaveLength(2);
      const { text } = await answer(`/kyero.xml?U=OWNPROPERTIES@${agency.code}&P=demo`);
      expect(text).toMatch(/<id>WRITTEN<.*<id>FROM-SOURCE</s);
    });
  },
);

test('a client with the id of one that was deleted in another database: gets a token that reaches its own', async () => {
  const [first, second] = agencies;
  const create = (name: string, { accountId, code }: Agency) =>
    newClient(environmentsOf(three).get(name)!, {
      accountId,
      code,
      id: 'again',
      scopes: ['units:read'],
    });
  await create('DB_2', second!);
  // As after an interruption: the directory still has it.
  await deleteClient(databases[1]!.db, second!.accountId, 'again');
  const { secret } = (await create('DB', first!))!;
  const token = await obtainToken({ clientId: 'again', secret }, undefined, three);
  const { status } = await ask('/v1/developments', { headers: withToken(token) }, three);
  expect(status).toBe(200);
});

test('an isolate looks an account of another database up once, and finds those of all in one directory', async () => {
  emptyCaches();
  const statements: string[] = [];
  const url = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${agencies[1]!.code}&P=demo`;
  const bindings = { ...three, DB: watched(({ what }) => statements.push(what)).DB };
  for (let request = 0; request < 5; request++)
    expect((await ask(url, {}, bindings)).status).toBe(200);
  expect(statements).toEqual([expect.stringContaining('"directory"')]);
});

test.each([
  ['the first database', () => true],
  ['the directory', ({ what }: Use) => what.includes('"directory"')],
])(
  '%s fails: accounts of the others that the isolate knows are served; the others get a 503',
  async (_, isFailing) => {
    const bindings = { ...three, DB: failingWhen(isFailing, 'D1_ERROR: gone').DB };
    const feed = (code: string) =>
      ask(`/CreateXMLFeedV3.asp?FV=2&U=OWNPROPERTIES@${code}&P=demo`, {}, bindings);
    const { code } = agencies[1]!;
    expect([(await feed(code)).status, (await feed('UNKNOWN')).status]).toEqual([200, 503]);
  },
);

test('a token of another issuer: in the database of the account that it names', async () => {
  const env = environmentsOf({ ...three, TOKEN_ISSUER: 'https://issuer.example' }).get('DB')!;
  const token = new UnsecuredJWT({ account: agencies[1]!.code.toLowerCase() }).encode();
  const request = new Request('https://feeds.example/v1/properties', { headers: withToken(token) });
  const handled: unknown[] = [];
  await inItsDatabase(request, env, ({ DATABASE }) => {
    handled.push(DATABASE);
    return new Response();
  });
  expect(handled).toEqual(['DB_2']);
});
