import { beforeAll, describe, expect, test } from 'vitest';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import {
  accountId,
  createAccount,
  manifestExpiry,
  operator,
  recordSnapshots,
  useOperator,
} from '../operator.ts';

useOperator();

describe('snapshot', () => {
  let password: string;

  beforeAll(async () => {
    password = await createAccount('CACHED');
    await store(operator.server.db, await accountId('CACHED'), [...VOCABULARY, property('a')]);
  });

  async function cache(): Promise<void> {
    const feed = `U=OWNPROPERTIES@CACHED&P=${password}`;
    for (const query of [feed, `${feed}&FV=3`]) await operator.feed(query);
    await expect.poll(async () => (await list()).length).toBe(2);
  }

  async function list(): Promise<{ key: string; bytes: number }[]> {
    const command = ['snapshot', 'list', '--account', 'cached'];
    return (await operator.json<{ snapshots: { key: string; bytes: number }[] }>(command))
      .snapshots;
  }

  test('list: the KV keys with their sizes', async () => {
    await cache();
    for (const { key, bytes } of await list()) {
      expect((await operator.server.snapshots.get(key, 'arrayBuffer'))?.byteLength).toBe(bytes);
    }
    expect((await operator.run(['snapshot', 'list', '--account', 'cached'])).out).toContain(
      (await list())[0]!.key,
    );
  });

  test('delete: the table and KV are empty, and the rebuilt feed has the same bytes', async () => {
    await cache();
    const before = await operator.feed(`U=OWNPROPERTIES@CACHED&P=${password}&FV=3`);
    const keys = (await list()).map(({ key }) => key);
    expect(await operator.json(['snapshot', 'delete', '--account', 'cached'])).toEqual({
      deleted: 2,
    });
    expect(await list()).toEqual([]);
    for (const key of keys) expect(await operator.server.snapshots.get(key)).toBeNull();
    await manifestExpiry();
    expect(await operator.feed(`U=OWNPROPERTIES@CACHED&P=${password}&FV=3`)).toBe(before);
  });

  test('delete of more snapshots than fit in a batch: all of them', async () => {
    await operator.run(['snapshot', 'delete', '--account', 'cached']);
    await recordSnapshots('many', 10, 250);
    expect(await operator.json(['snapshot', 'delete', '--account', 'cached'])).toEqual({
      deleted: 250,
    });
    expect(await list()).toEqual([]);
  });
});
