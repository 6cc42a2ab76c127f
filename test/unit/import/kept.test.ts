import { expect, test } from 'vitest';
import {
  batchesOf,
  type KeptRecord,
  keepRecords,
  keptRecords,
  type NumberedRecord,
} from '../../../src/imports/pipeline/kept.ts';
import { property } from '../../support/accounts/portfolio.ts';
import { inputOf, recordsInMemory } from '../../support/documents/import-source.ts';

const RECORDS: NumberedRecord[] = ['a', 'Peñíscola\n', '', 'x'.repeat(200), 'e'].map(
  (town, index) => ({
    number: index + 1,
    line: index,
    document: property(`p${index}`, { town }),
  }),
);

async function* records() {
  yield* RECORDS;
}

async function all(found: AsyncIterable<KeptRecord>): Promise<KeptRecord[]> {
  const list: KeptRecord[] = [];
  for await (const one of found) list.push(one);
  return list;
}

test('kept records: the same from the beginning, and the others from the end of each', async () => {
  const store = recordsInMemory();
  await keepRecords(store, records());
  const kept = await all(keptRecords(store, { completion: {}, skipped: [] }));
  expect(kept.map(({ bytes, end, ...record }) => record)).toEqual(RECORDS);
  for (const [index, { end }] of kept.entries()) {
    expect(await all(keptRecords(store, { completion: {}, skipped: [] }, end))).toEqual(
      kept.slice(index + 1),
    );
  }
});

test('kept records without those that are skipped, and with what the file has shown', async () => {
  const store = recordsInMemory();
  await keepRecords(store, records());
  const completion = {
    offers: {
      p1: { sale: null, long_term: null, short_term: { low: 7, high: null, license: null } },
    },
  };
  const kept = await all(keptRecords(store, { completion, skipped: [1, 5] }));
  expect(kept.map(({ number }) => number)).toEqual([2, 3, 4]);
  expect(kept[0]!.document).toMatchObject({ offers: { short_term: { low: 7 } } });
});

test('kept records that are incomplete: an error', async () => {
  const whole = recordsInMemory();
  await keepRecords(whole, records());
  const chunks: Uint8Array[] = [];
  for await (const chunk of whole.open(0)) chunks.push(chunk);
  const cut = Buffer.concat(chunks).subarray(0, -1);
  const store = { ...whole, open: (position: number) => inputOf(cut.subarray(position)).open() };
  await expect(all(keptRecords(store, { completion: {}, skipped: [] }))).rejects.toThrow(
    'incomplete',
  );
});

test('batches: of at most 150 records, and of 4 MiB', async () => {
  const sizes = async (count: number, bytes: number) => {
    const many = async function* () {
      for (let n = 0; n < count; n++) yield { ...RECORDS[0]!, bytes, end: 0 };
    };
    const found: number[] = [];
    for await (const batch of batchesOf(many())) found.push(batch.length);
    return found;
  };
  expect(await sizes(301, 100)).toEqual([150, 150, 1]);
  expect(await sizes(3, 2 * 1024 * 1024)).toEqual([2, 1]);
  expect(await sizes(2, 5 * 1024 * 1024)).toEqual([1, 1]);
});
