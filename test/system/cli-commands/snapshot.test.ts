import { beforeAll, describe, expect, test } from 'vitest';
import { writePortfolio } from '../../../src/db/operator/portfolio/write.ts';
import { property, VOCABULARY } from '../../support/portfolio.ts';
import { accountId, aMoment, note, open, operator, useOperator } from './operator.ts';

useOperator();

describe('snapshot', () => {
  let password: string;

  beforeAll(async () => {
    password = await open('KEPT');
    await writePortfolio(operator.server.db, await accountId('KEPT'), [...VOCABULARY, property('a')]);
  });

  async function keep(): Promise<void> {
    const feed = `U=OWNPROPERTIES@KEPT&P=${password}`;
    for (const query of [feed, `${feed}&FV=3`]) await operator.feed(query);
    await expect.poll(async () => (await list()).length).toBe(2);
  }

  async function list(): Promise<{ name: string; bytes: number }[]> {
    return (
      await operator.json<{ snapshots: { name: string; bytes: number }[] }>(['snapshot', 'list', '--account', 'kept'])
    ).snapshots;
  }

  test('list: names in KV with their sizes', async () => {
    await keep();
    for (const { name, bytes } of await list()) {
      expect((await operator.server.snapshots.get(name, 'arrayBuffer'))?.byteLength).toBe(bytes);
    }
    expect((await operator.run(['snapshot', 'list', '--account', 'kept'])).out).toContain((await list())[0]!.name);
  });

  test('drop: table and KV are empty, and the feed is as it was', async () => {
    await keep();
    const before = await operator.feed(`U=OWNPROPERTIES@KEPT&P=${password}&FV=3`);
    const names = (await list()).map(({ name }) => name);
    expect((await operator.run(['snapshot', 'drop', '--account', 'kept'])).out).toBe('2 snapshots dropped.\n');
    expect(await list()).toEqual([]);
    for (const name of names) expect(await operator.server.snapshots.get(name)).toBeNull();
    await aMoment();
    expect(await operator.feed(`U=OWNPROPERTIES@KEPT&P=${password}&FV=3`)).toBe(before);
  });

  test('drop of more than are dropped in one step: all of them', async () => {
    await operator.run(['snapshot', 'drop', '--account', 'kept']);
    await note('many', 10, 250);
    expect((await operator.run(['snapshot', 'drop', '--account', 'kept'])).out).toBe('250 snapshots dropped.\n');
    expect(await list()).toEqual([]);
  });
});
