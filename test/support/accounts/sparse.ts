import { env } from 'cloudflare:workers';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { VOCABULARY } from './portfolio.ts';

/** An account whose properties have chosen sequence numbers, so that a few of them make many segments. */
export interface SparseAccount {
  readonly id: number;
  /** `U=…&P=…` of its feeds. */
  readonly login: string;
}

/** Opens an account with one property, for sale and for rent, per sequence number, which is also its identifier. */
export async function sparseAccount(code: string, numbers: readonly number[]): Promise<SparseAccount> {
  const id = await createAccount(env.DB, { code, name: code, password: 'secret' });
  await writePortfolio(env.DB, id, VOCABULARY);
  await addProperties(id, numbers);
  return { id, login: `U=OWNPROPERTIES@${code}&P=secret` };
}

/** Adds such properties to an account. */
export async function addProperties(accountId: number, numbers: readonly number[]): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO properties (account_id, sequence_number, identifier, reference, type_id, status, listed_at, town, province,
                             for_sale, sale_price, for_long_term, monthly_rent)
     SELECT ?1, value, value, 'R' || value, (SELECT id FROM property_types WHERE account_id = ?1), 'Available',
            1700000000 + value % 7, 'Nerja', 'Málaga', 1, 1, 1, 1
       FROM json_each(?2)`,
  )
    .bind(accountId, JSON.stringify(numbers))
    .run();
}

/** Sets the sale price of a property. */
export async function setPrice(accountId: number, number: number, price: number): Promise<void> {
  await env.DB.prepare('UPDATE properties SET sale_price = ?3 WHERE account_id = ?1 AND sequence_number = ?2')
    .bind(accountId, number, price)
    .run();
}

/** Sets the monthly rent of a property. */
export async function setRent(accountId: number, number: number, rent: number): Promise<void> {
  await env.DB.prepare('UPDATE properties SET monthly_rent = ?3 WHERE account_id = ?1 AND sequence_number = ?2')
    .bind(accountId, number, rent)
    .run();
}

/** The KV keys of an account's snapshots, in order. */
export async function keysInKv(accountId: number): Promise<string[]> {
  const { keys } = await env.SNAPSHOTS.list();
  return keys.map((key) => key.name).filter((name) => name.includes(`/account${accountId}/`));
}

/** The KV keys of an account's recorded snapshots that have bytes, in order. */
export async function recordedKeys(accountId: number): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT format || '/account' || account_id || '/part' || part || '/i' || incarnation
            || coalesce('s' || sale_revision, '') || coalesce('r' || rental_revision, '') || '/' || parameters AS name
       FROM snapshots WHERE account_id = ?1 AND bytes > 0 ORDER BY 1`,
  )
    .bind(accountId)
    .all<{ name: string }>();
  return results.map((row) => row.name);
}
