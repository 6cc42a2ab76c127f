import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { listListed, withdraw } from '../../../src/db/operator/portfolio/listed.ts';
import { writePortfolio } from '../../../src/db/operator/portfolio/write.ts';
import { VOCABULARY } from '../../support/portfolio.ts';

const db = env.DB;

/** More than two pages. */
const PROPERTIES = 10_001;

let accounts = 0;
let accountId: number;

/** Every hundredth is off the market, and identifiers are in another order than sequence numbers. */
beforeEach(async () => {
  const code = `MARKET${++accounts}`;
  accountId = await createAccount(db, { code, name: code, password: 'secret' });
  await writePortfolio(db, accountId, VOCABULARY);
  await db
    .prepare(
      `INSERT INTO properties (account_id, sequence_number, identifier, reference, type_id, status, listed_at, town, province)
       SELECT ?1, value, 'P' || (CAST(?2 AS INTEGER) - value), 'R', (SELECT id FROM property_types WHERE account_id = ?1),
              iif(value % 100 = 0, 'Sold', 'Available'), 0, 'Nerja', 'Málaga'
         FROM json_each(?3)`,
    )
    .bind(accountId, PROPERTIES, JSON.stringify(Array.from({ length: PROPERTIES }, (_, index) => index + 1)))
    .run();
});

async function onMarket(): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of listListed(db, accountId)) ids.push(id);
  return ids;
}

const EXPECTED = Array.from({ length: PROPERTIES }, (_, index) => index + 1)
  .filter((number) => number % 100 !== 0)
  .map((number) => `P${PROPERTIES - number}`);

test('properties on the market, of more than two pages → each once, by sequence number', async () => {
  expect(await onMarket()).toEqual(EXPECTED);
});

test('more taken off the market than one statement takes → all of them, and no other', async () => {
  const [kept, ...gone] = EXPECTED;
  expect(await withdraw(db, accountId, gone)).toBe(gone.length);
  expect(await onMarket()).toEqual([kept]);
  expect(await withdraw(db, accountId, gone)).toBe(0);
});
