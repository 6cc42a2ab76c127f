import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { listListed, withdraw } from '../../../src/db/portfolio/listed.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { VOCABULARY } from '../../support/portfolio.ts';

const db = env.DB;

/** More than two pages. */
const PROPERTIES = 10_001;

let accounts = 0;
let accountId: number;

/** Every hundredth property is withdrawn, and identifiers are in a different order from sequence numbers. */
beforeEach(async () => {
  const code = `LISTED${++accounts}`;
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

async function listed(): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of listListed(db, accountId)) ids.push(id);
  return ids;
}

const EXPECTED = Array.from({ length: PROPERTIES }, (_, index) => index + 1)
  .filter((number) => number % 100 !== 0)
  .map((number) => `P${PROPERTIES - number}`);

test('listListed of more than two pages: each listed property once, by sequence number', async () => {
  expect(await listed()).toEqual(EXPECTED);
});

test('withdraw of more properties than fit in one statement: all of them, and no other', async () => {
  const [remaining, ...withdrawn] = EXPECTED;
  expect(await withdraw(db, accountId, withdrawn)).toBe(withdrawn.length);
  expect(await listed()).toEqual([remaining]);
  expect(await withdraw(db, accountId, withdrawn)).toBe(0);
});
