import { env } from 'cloudflare:workers';
import { createAccount } from '../../../src/operator/accounts.ts';
import { storedDocumentOf } from '../../../src/properties/store/property-rows.ts';
import { property, store, VOCABULARY } from './portfolio.ts';

/** An account whose properties have chosen numbers, so that a few of them make many segments. */
export interface SparseAccount {
  readonly id: number;
  /** `U=…&P=…` of its feeds. */
  readonly login: string;
}

/** Opens an account with one property, for sale and for rent, per number, which is also its identifier. */
export async function sparseAccount(
  code: string,
  numbers: readonly number[],
): Promise<SparseAccount> {
  const id = await createAccount(env.DB, { code, name: code, password: 'secret' });
  await store(env.DB, id, VOCABULARY);
  await addProperties(id, numbers);
  return { id, login: `U=OWNPROPERTIES@${code}&P=secret` };
}

/** Adds such properties to an account. */
export async function addProperties(accountId: number, numbers: readonly number[]): Promise<void> {
  const document = JSON.stringify(
    storedDocumentOf(property('-', { town: 'Nerja', offers: OFFERS })),
  );
  await env.DB.prepare(
    `INSERT INTO properties (account_id, number, identifier, document)
     SELECT ?1, value, value, json_set(?3, '$.ref', 'R' || value, '$.listed_at',
                                       strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + value % 7, 'unixepoch'))
       FROM json_each(?2)`,
  )
    .bind(accountId, JSON.stringify(numbers), document)
    .run();
}

const OFFERS = { sale: { price: 1 }, long_term: { rent: 1 } };

/** Sets the sale price of a property. */
export function setPrice(accountId: number, number: number, price: number): Promise<void> {
  return setValue(accountId, number, '$.offers.sale.price', price);
}

/** Sets the monthly rent of a property. */
export function setRent(accountId: number, number: number, rent: number): Promise<void> {
  return setValue(accountId, number, '$.offers.long_term.rent', rent);
}

async function setValue(
  accountId: number,
  number: number,
  path: string,
  value: number,
): Promise<void> {
  await env.DB.prepare(
    'UPDATE properties SET document = json_set(document, ?3, json(?4)) WHERE account_id = ?1 AND number = ?2',
  )
    .bind(accountId, number, path, String(value))
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
    `SELECT format || '/account' || account_id || '/part' || part || '/i' || incarnation || 'n' || revision || '/' || parameters AS name
       FROM snapshots WHERE account_id = ?1 AND bytes > 0 ORDER BY 1`,
  )
    .bind(accountId)
    .all<{ name: string }>();
  return results.map((row) => row.name);
}
