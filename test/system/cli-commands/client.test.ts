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
    const created = await operator.json<Created>([
      'client',
      'create',
      '--account',
      'clients',
      '--id',
      'rotated',
    ]);
    const rotated = await operator.json<Created>([
      'client',
      'rotate',
      'rotated',
      '--account',
      'clients',
    ]);
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
    expect(
      await operator.json(['client', 'delete', 'deleted', '--account', 'clients']),
    ).toMatchObject({
      deleted: true,
    });
    expect(await tokenStatus('deleted', client_secret)).toBe(401);
    await operator.json(create);
  });

  test('list: the clients of that account only', async () => {
    await operator.run([
      'client',
      'create',
      '--account',
      'rivals',
      '--id',
      'reader',
      '--scope',
      'units:read',
    ]);
    const { clients } = await operator.json<{ clients: object[] }>([
      'client',
      'list',
      '--account',
      'rivals',
    ]);
    expect(clients).toEqual([
      {
        client_id: 'reader',
        scopes: ['units:read'],
        disabled: false,
        created_at: expect.stringMatching(/^20.*Z$/),
      },
    ]);
    expect((await operator.run(['client', 'list', '--account', 'rivals'])).out).toMatch(
      /^reader +units:read +.*enabled$/m,
    );
  });

  test.each([
    [
      'create with an id in use',
      ['create', '--account', 'rivals', '--id', 'rotated'],
      1,
      'client_in_use',
    ],
    ['create with a colon', ['create', '--account', 'rivals', '--id', 'a:b'], 2, 'invalid_fields'],
    [
      'create with an unknown scope',
      ['create', '--account', 'rivals', '--scope', 'all'],
      2,
      'usage',
    ],
    [
      "delete of another account's",
      ['delete', 'rotated', '--account', 'rivals'],
      1,
      'client_not_found',
    ],
  ])('%s: fails', async (_, args, exit, code) => {
    expect(await failureOf(['client', ...args])).toEqual({ exit, code });
  });
});

test('a command where no service is running: exit code 1', async () => {
  const list = ['webhook', 'list', '--account', 'clients', '--url', 'http://127.0.0.1:1'];
  expect(await failureOf(list)).toEqual({ exit: 1, code: 'no_service' });
});

test('list: reads all pages', async () => {
  const pages: Record<string, object> = {
    '/v1/webhooks?account=CLIENTS': {
      webhooks: [{ name: 'a', enabled: true, failing_since: null }],
    },
    '/v1/webhooks?after=a&account=CLIENTS': {
      webhooks: [{ name: 'b', enabled: true, failing_since: null }],
    },
  };
  const { origin, stop } = await listen(({ url = '' }, response) => {
    if (!url.includes('after')) response.setHeader('Link', '</v1/webhooks?after=a>; rel="next"');
    response.end(JSON.stringify(pages[url]));
  });
  const list = ['webhook', 'list', '--account', 'clients', '--url', origin];
  const { webhooks } = await operator.json<{ webhooks: object[] }>(list);
  await stop();
  expect(webhooks).toMatchObject([{ name: 'a' }, { name: 'b' }]);
});
