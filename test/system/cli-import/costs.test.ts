import { beforeAll, expect, test } from 'vitest';
import { kyeroFeed, kyeroRecord } from '../../support/kyero.ts';
import type { Usage } from '../../support/platform/usage.ts';
import { operator, useOperator } from './agency.ts';

/** Including rows of indexes, as D1 bills them. */
const NEW_PROPERTY = 20;

useOperator();

beforeAll(async () => {
  await operator.json(['account', 'create', 'COSTS']);
  // Creates the vocabulary entries that the properties use.
  await importOf('first');
});

/** The usage of an import of one property with 20 pictures and 15 features. */
async function importOf(id: string, price = 250_000): Promise<Usage> {
  const pictures = Array.from(
    { length: 20 },
    (_, n) => `<image id="${n + 1}"><url>https://p.example/${n}</url></image>`,
  );
  const features = Array.from({ length: 15 }, (_, n) => `<feature>Feature ${n}</feature>`);
  const record = kyeroRecord(id, {
    price: String(price),
    date: `2026-03-0${1 + (price % 9)} 05:06:07`,
    desc: '<en>A house.</en><es>Una casa.</es>',
    features: features.join(''),
    images: pictures.join(''),
  });
  const file = await operator.file(`${id}.xml`, kyeroFeed([record]));
  return operator.usageOf(['import', file, '--account', 'COSTS']);
}

test('import of a new property with 20 pictures and 15 features: at most 20 rows written', async () => {
  expect((await importOf('new')).rowsWritten).toBeLessThanOrEqual(NEW_PROPERTY);
});

test('import of a changed property: no more rows written than of a new one', async () => {
  await importOf('changed');
  expect((await importOf('changed', 260_000)).rowsWritten).toBeLessThanOrEqual(NEW_PROPERTY);
});

test('import of an unchanged property: no row written', async () => {
  await importOf('unchanged');
  expect((await importOf('unchanged')).rowsWritten).toBe(0);
});
