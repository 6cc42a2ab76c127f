import { expect, test } from 'vitest';
import { operator, SIGNING_KEYS, useOperator } from '../operator.ts';

useOperator();

test('key list: the key that signs', async () => {
  const [{ kid }] = JSON.parse(SIGNING_KEYS).keys;
  expect(await operator.json(['key', 'list'])).toEqual({ keys: [{ kid, signs: true }] });
  expect((await operator.run(['key', 'list'])).out).toMatch(
    new RegExp(`^KID +USE\n${kid} +signs\n$`),
  );
});

test('database list: the database, its size and its migrations', async () => {
  const { databases } = await operator.json<{ databases: { name: string; bytes: number }[] }>([
    'database',
    'list',
  ]);
  expect(databases).toEqual([
    { name: 'DB', bytes: expect.any(Number), migrations: expect.any(Array) },
  ]);
});
