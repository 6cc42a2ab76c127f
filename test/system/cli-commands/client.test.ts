import { beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../support/network/listen.ts';
import { createAccount, failureOf, operator, tokenStatus, useOperator } from '../operator.ts';

useOperator();

describe('client', () => {
  beforeAll(async () => {
    await createAccount('CLIENTS');
    await createAccount('RIVALS');
  });

  interface Created {
    client_id: string;
    client_secret: string;
    scopes: string[];
  }

  test('create: the token request is 200 with its secret, which is not stored', async () => {
    const created = await operator.json<Created>(['client', 'create', '--account', 'clients']);
    expect(created.scopes).toEqual(['units:write', 'units:read']);
    expect(await tokenStatus(created.client_id, created.client_secret)).toBe(200);
    const stored = await operator.server.db
      .prepare('SELECT secret FROM clients WHERE id = ?')
      .bind(created.client_id)
      .first<string>('secret');
    expect(stored).not.toContain(created.client_secret);
  });

  test('rotate, disable and enable: the token request is 200 with the last secret, unless the client is disabled', async () => {
    const created = await operator.json<Created>(['client', 'create', '--account', 'clients', '--id', 'rotated']);
    const rotated = await operator.json<Created>(['client', 'rotate', 'rotated', '--account', 'clients']);
    expect(await tokenStatus('rotated', created.client_secret)).toBe(401);
    for (const [verb, status] of [
      ['disable', 401],
      ['enable', 200],
    ] as const) {
      await operator.run(['client', verb, 'rotated', '--account', 'clients']);
      expect(await tokenStatus('rotated', rotated.client_secret)).toBe(status);
    }
  });

  test('delete: gets no token, and its id can be used again', async () => {
    const create = ['client', 'create', '--account', 'clients', '--id', 'deleted'];
    const { client_secret } = await operator.json<Created>(create);
    expect(await operator.json(['client', 'delete', 'deleted', '--account', 'clients'])).toMatchObject({
      deleted: true,
    });
    expect(await tokenStatus('deleted', client_secret)).toBe(401);
    await operator.json(create);
  });

  test('list: the clients of that account only', async () => {
    await operator.run(['client', 'create', '--account', 'rivals', '--id', 'reader', '--scope', 'units:read']);
    const { clients } = await operator.json<{ clients: object[] }>(['client', 'list', '--account', 'rivals']);
    expect(clients).toEqual([
      { client_id: 'reader', scopes: ['units:read'], disabled: false, created_at: expect.stringMatching(/^20.*Z$/) },
    ]);
    expect((await operator.run(['client', 'list', '--account', 'rivals'])).out).toMatch(
      /^reader +units:read +.*enabled$/m,
    );
  });

  test.each([
    ['create with an id in use', ['create', '--account', 'rivals', '--id', 'rotated'], 1, 'client_in_use'],
    ['create with a colon', ['create', '--account', 'rivals', '--id', 'a:b'], 2, 'usage'],
    ['create with an unknown scope', ['create', '--account', 'rivals', '--scope', 'all'], 2, 'usage'],
    ['create without an account', ['create'], 2, 'usage'],
    ['create for an unknown account', ['create', '--account', 'nobody'], 1, 'no_account'],
    ["rotate of another account's", ['rotate', 'rotated', '--account', 'rivals'], 1, 'no_client'],
    ["delete of another account's", ['delete', 'rotated', '--account', 'rivals'], 1, 'no_client'],
    ["disable of another account's", ['disable', 'rotated', '--account', 'rivals'], 1, 'no_client'],
  ])('%s: fails', async (_, args, exit, code) => {
    expect(await failureOf(['client', ...args])).toEqual({ exit, code });
  });
});

describe('a command that calls the API of the service', () => {
  beforeAll(() => createAccount('CALLERS'));

  const list = ['webhook', 'list', '--account', 'callers', '--origin'];
  const clients = async () =>
    (await operator.json<{ clients: object[] }>(['client', 'list', '--account', 'callers'])).clients;

  test('where none is running, or one that accepts the tokens of another issuer: exit code 1, and no client is left', async () => {
    expect(await failureOf([...list, 'http://127.0.0.1:1'])).toEqual({ exit: 1, code: 'no_service' });
    const { origin, stop } = await listen((_, response) => response.writeHead(404).end());
    expect(await failureOf([...list, origin])).toEqual({ exit: 1, code: 'other_issuer' });
    await stop();
    expect(await clients()).toEqual([]);
  });

  test('a day after one was killed: its client is removed, but neither that of one which may still run nor any other', async () => {
    const insert =
      "INSERT INTO clients (id, account_id, secret, scopes, created_at) SELECT ?, id, ?, '', ? FROM accounts WHERE code = ?";
    const killed = ['command-0123456789abcdef', 'command-center'].map((id) => [id, 1]);
    for (const [id, time] of [...killed, ['command-fedcba9876543210', 2e9]]) {
      await operator.server.db.prepare(insert).bind(id, 'a'.repeat(64), time, 'CALLERS').run();
    }
    await failureOf([...list, 'http://127.0.0.1:1']);
    expect(await clients()).toMatchObject([{ client_id: 'command-center' }, { client_id: 'command-fedcba9876543210' }]);
  });

  test('list: reads all pages', async () => {
    const pages: Record<string, object> = {
      '/oauth/token': { access_token: 'token' },
      '/v1/webhooks?limit=500': { webhooks: [{ name: 'a', enabled: true, failing_since: null }] },
      '/v1/webhooks?limit=500&after=a': { webhooks: [{ name: 'b', enabled: true, failing_since: null }] },
    };
    const { origin, stop } = await listen(({ url = '' }, response) => {
      if (url.endsWith('?limit=500')) response.setHeader('Link', '</v1/webhooks?limit=500&after=a>; rel="next"');
      response.end(JSON.stringify(pages[url]));
    });
    const { webhooks } = await operator.json<{ webhooks: object[] }>([...list, origin]);
    await stop();
    expect(webhooks).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });
});
