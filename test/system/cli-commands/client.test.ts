import { beforeAll, describe, expect, test } from 'vitest';
import { open, operator, tokenStatus, useOperator } from './operator.ts';

useOperator();

describe('client', () => {
  beforeAll(async () => {
    await open('CLIENTS');
    await open('OTHERS');
  });

  interface Made {
    client_id: string;
    client_secret: string;
    scopes: string[];
  }

  test('create: its secret obtains a token', async () => {
    const made = await operator.json<Made>(['client', 'create', '--account', 'clients']);
    expect(made.scopes).toEqual(['units:write', 'units:read']);
    expect(await tokenStatus(made.client_id, made.client_secret)).toBe(200);
    const stored = await operator.server.db
      .prepare('SELECT secret FROM clients WHERE id = ?')
      .bind(made.client_id)
      .first<string>('secret');
    expect(stored).not.toContain(made.client_secret);
  });

  test('rotate: the secret before is refused', async () => {
    const before = await operator.json<Made>(['client', 'create', '--account', 'clients', '--id', 'turns']);
    const after = await operator.json<Made>(['client', 'rotate', 'turns', '--account', 'clients']);
    expect(await tokenStatus('turns', before.client_secret)).toBe(401);
    expect(await tokenStatus('turns', after.client_secret)).toBe(200);
  });

  test('disable and enable: no token, and a token again', async () => {
    const made = await operator.json<Made>(['client', 'create', '--account', 'clients', '--id', 'shut']);
    await operator.run(['client', 'disable', 'shut', '--account', 'clients']);
    expect(await tokenStatus('shut', made.client_secret)).toBe(401);
    await operator.run(['client', 'enable', 'shut', '--account', 'clients']);
    expect(await tokenStatus('shut', made.client_secret)).toBe(200);
  });

  test('list: the clients of that account alone', async () => {
    await operator.run(['client', 'create', '--account', 'others', '--id', 'reader', '--scope', 'units:read']);
    const { clients } = await operator.json<{ clients: object[] }>(['client', 'list', '--account', 'others']);
    expect(clients).toEqual([
      { client_id: 'reader', scopes: ['units:read'], disabled: false, created_at: expect.stringMatching(/^20.*Z$/) },
    ]);
    expect((await operator.run(['client', 'list', '--account', 'others'])).out).toMatch(
      /^reader +units:read +.*enabled$/m,
    );
  });

  test.each([
    [
      'create with an identifier in use',
      ['create', '--account', 'others', '--id', 'turns'],
      1,
      'There is a client turns',
    ],
    ['create with a colon', ['create', '--account', 'others', '--id', 'a:b'], 2, 'no colon'],
    ['create with an unknown scope', ['create', '--account', 'others', '--scope', 'all'], 2, 'Invalid values'],
    ['create without an account', ['create'], 2, 'Missing required argument: account'],
    ['create for an account that is not there', ['create', '--account', 'nobody'], 1, 'no account NOBODY'],
    ["rotate of another account's", ['rotate', 'turns', '--account', 'others'], 1, 'OTHERS has no client turns'],
    ["disable of another account's", ['disable', 'turns', '--account', 'others'], 1, 'OTHERS has no client turns'],
  ])('%s: fails', async (_, args, exit, message) => {
    const ran = await operator.run(['client', ...args]);
    expect(ran.err).toContain(message);
    expect([ran.exit, ran.out]).toEqual([exit, '']);
  });
});
