import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Actor } from '../../../src/accounts/actor.ts';
import type { ImportReport } from '../../../src/imports/pipeline/report.ts';
import type { PropertyDocument } from '../../../src/properties/documents.ts';
import { exportPortfolio } from '../../../src/properties/store/export.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { SOMEBODY, store } from '../../support/accounts/portfolio.ts';
import { inputOf, READ_AT } from '../../support/documents/import-source.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { importPortfolio } from '../../support/import.ts';

const WEB: Actor = { kind: 'source', name: 'web' };
const OPTIONS = { now: READ_AT, replace: true, maxWithdrawn: 100, strict: false, dryRun: false };

let accounts = 0;

/** An account that imports files with the property `a` as these nodes say, or without it, and with `b`. */
async function openImporter() {
  const account = await openAccount(env.DB, `RELISTING${++accounts}`);
  const get = async () => {
    for await (const document of exportPortfolio(env.DB, account))
      if (document.kind === 'property' && document.id === 'a') return document;
    throw new Error('There is no property a');
  };
  return {
    async import(nodes: KyeroNodes | null, actor = WEB): Promise<ImportReport> {
      const records = nodes === null ? [] : [kyeroRecord('a', nodes)];
      const file = kyeroFeed([...records, kyeroRecord('b')]);
      return await importPortfolio(env, account, inputOf(file), { ...OPTIONS, actor });
    },
    async set(changes: Partial<PropertyDocument>) {
      await store(env.DB, account, [{ ...(await get()), ...changes }]);
    },
    status: async () => (await get()).status,
  };
}

const keptOff = ({ interpreted }: ImportReport) =>
  interpreted.filter(({ interpretation }) => interpretation === 'kept_off');

test.each<[string, Actor]>([
  ['a source', WEB],
  ['files that are sent', SOMEBODY],
])('a file of %s that has a property again: listed again', async (_, actor) => {
  const importer = await openImporter();
  await importer.import({}, actor);
  await importer.import(null, actor);
  expect(await importer.status()).toBe('Withdrawn');
  expect(keptOff(await importer.import({}, actor))).toEqual([]);
  expect(await importer.status()).toBe('Available');
});

test('a file that has a reserved property again: reserved as it was', async () => {
  const importer = await openImporter();
  await importer.import({});
  await importer.set({ status: 'Sale Agreed' });
  await importer.import(null);
  await importer.import({});
  expect(await importer.status()).toBe('Sale Agreed');
});

test.each(['Sold', 'Withdrawn'] as const)(
  'a property that somebody has made %s, in a file without a status: stays, and is reported',
  async (status) => {
    const importer = await openImporter();
    await importer.import({});
    await importer.set({ status });
    const report = await importer.import({});
    expect(await importer.status()).toBe(status);
    expect(keptOff(report)).toMatchObject([
      { node: 'status', times: 1, lines: [4], example: { text: status } },
    ]);
  },
);

test('a property that an earlier file called sold, then none: stays sold, also once the file has lacked it', async () => {
  const importer = await openImporter();
  await importer.import({ status: 'Vendido' });
  await importer.import({});
  expect(await importer.status()).toBe('Sold');
  await importer.import(null);
  await importer.import({});
  expect(await importer.status()).toBe('Sold');
});

test('a property that was withdrawn with its file, and changed since: stays withdrawn', async () => {
  const importer = await openImporter();
  await importer.import({});
  await importer.import(null);
  await importer.set({ notes: 'The owner has died' });
  expect(keptOff(await importer.import({}))).toHaveLength(1);
  expect(await importer.status()).toBe('Withdrawn');
});

test('a property that one source has withdrawn, in a file of another: stays withdrawn', async () => {
  const importer = await openImporter();
  await importer.import({});
  await importer.import(null);
  await importer.import({}, { kind: 'source', name: 'other' });
  expect(await importer.status()).toBe('Withdrawn');
});

test('a file that says that it is available: listed again in any case', async () => {
  const importer = await openImporter();
  await importer.import({});
  await importer.set({ status: 'Sold' });
  await importer.import({ status: 'Available' });
  expect(await importer.status()).toBe('Available');
});
