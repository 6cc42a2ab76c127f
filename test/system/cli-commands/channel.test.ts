import { beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/properties/documents.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { accountId, createAccount, failureOf, operator, useOperator } from '../operator.ts';

useOperator();

const ACCOUNT = ['--account', 'channels'];

let path: string;

async function identifiers(): Promise<string[]> {
  const document = await operator.feed(path.split('?')[1]!);
  return [...document.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id!);
}

beforeAll(async () => {
  await createAccount('CHANNELS');
  await createAccount('NEIGHBORS');
  await store(operator.server.db, await accountId('CHANNELS'), [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
    parseDocument({ kind: 'unit', development: 'sol', name: 'A-1', status: 1, price: 100_000 }),
    property('R1', { unit: { development: 'sol', name: 'A-1' } }),
    property('R2'),
    property('R3'),
  ]);
  await operator.json(['channel', 'add', 'Portal', ...ACCOUNT, '--property', 'R1', 'R2']);
  ({ path } = await operator.json<{ path: string }>([
    'reader',
    'create',
    'p',
    ...ACCOUNT,
    '--channel',
    'portal',
  ]));
});

describe('channel', () => {
  test('add --stdin, with an unknown id: exit code 3; show, list and remove', async () => {
    const { exit, out } = await operator.run(
      ['channel', 'add', 'other', ...ACCOUNT, '--stdin'],
      'R3\n\nR2\r\nR9\n',
    );
    expect([exit, out]).toEqual([
      3,
      'Added 2 properties to channel other.\nProperty not found: R9\n',
    ]);
    expect((await operator.run(['channel', 'show', 'other', ...ACCOUNT])).out).toBe('R2\nR3\n');
    expect(
      await operator.json(['channel', 'remove', 'other', ...ACCOUNT, '--property', 'R2']),
    ).toEqual({
      channel: 'other',
      changed: 1,
      unknown_properties: [],
    });
    expect(await operator.json(['channel', 'list', ...ACCOUNT])).toEqual({
      channels: [
        { name: 'other', properties: 1 },
        { name: 'portal', properties: 2 },
      ],
    });
    expect(await operator.json(['channel', 'delete', 'other', ...ACCOUNT])).toEqual({
      channel: 'other',
      deleted: true,
    });
  });

  test.each([
    ['add without a property', ['add', 'portal', ...ACCOUNT], 2, 'usage'],
    ['add to an invalid name', ['add', 'a b', ...ACCOUNT, '--property', 'R1'], 2, 'bad_parameter'],
    [
      "show of another account's",
      ['show', 'portal', '--account', 'neighbors'],
      1,
      'channel_not_found',
    ],
  ])('%s: fails', async (_, args, exit, code) => {
    expect(await failureOf(['channel', ...args])).toEqual({ exit, code });
  });
});

describe('what a reader was given', () => {
  test('reader show, property deliveries and unit deliveries: the delivery, once the feed was fetched', async () => {
    await identifiers();
    await expect
      .poll(
        async () =>
          (await operator.json<{ feeds: object[] }>(['reader', 'show', 'p', ...ACCOUNT])).feeds,
      )
      .toEqual([
        expect.objectContaining({
          feed: expect.stringMatching(/^resales\?.*&channel=\d+$/),
          last_delivery: expect.objectContaining({ status: 200 }),
        }),
      ]);
    expect((await operator.run(['reader', 'show', 'p', ...ACCOUNT])).out).toMatch(
      /^last delivery: +20.*\n(.*\n)*status: +200\n/m,
    );
    const { deliveries } = await operator.json<{ deliveries: object[] }>([
      'property',
      'deliveries',
      'R1',
      ...ACCOUNT,
    ]);
    expect(deliveries).toEqual([expect.objectContaining({ reader: 'p', state: 'current' })]);
    const byUnit = await operator.json<{ deliveries: object[] }>([
      'unit',
      'deliveries',
      'sol',
      'A-1',
      ...ACCOUNT,
    ]);
    expect(byUnit.deliveries).toEqual(deliveries);
    const { out } = await operator.run(['property', 'deliveries', 'R3', ...ACCOUNT]);
    expect(out).toMatch(/^p +none +not in its channel$/m);
  });
});
