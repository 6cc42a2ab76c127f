import { createClient } from '../../src/oauth/clients.ts';
import { SCOPES } from '../../src/oauth/scopes.ts';
import { createAccount } from '../../src/operator/accounts.ts';
import { type PropertyDocument, parseDocument } from '../../src/properties/documents.ts';
import { property, store, VOCABULARY } from '../support/accounts/portfolio.ts';

export const DEVELOPMENT = 'sol-azul';

/** Properties for sale and for rent of an agency that imports change, in addition to its units. */
const SALES = 40;
const RENTALS = 20;

const FIRST_PRICE = 100_000;

/** Milliseconds after which every feed shows a change. */
const VISIBLE_AFTER = 1_000;

/** A price that only rises: what was sent, and what was acknowledged when. */
export class Price {
  /** The highest price that has been sent. */
  highest = FIRST_PRICE;
  readonly #acknowledged = [{ price: FIRST_PRICE, at: Number.NEGATIVE_INFINITY }];

  acknowledge(price: number): void {
    const now = performance.now();
    this.#acknowledged.push({ price, at: now });
    // No request is older than a minute.
    while (this.#acknowledged[1]!.at < now - 60_000) this.#acknowledged.shift();
  }

  /** The lowest price that a feed may show that was requested at this time. */
  lowestAt(requestedAt: number): number {
    const shown = this.#acknowledged.findLast(({ at }) => at + VISIBLE_AFTER <= requestedAt);
    return (shown ?? this.#acknowledged[0]!).price;
  }
}

/** An agency with the price of each of its properties, by identifier; that of a unit's property is the unit's name. */
export type Agency = Awaited<ReturnType<typeof storeAgency>>;

/** Stores an agency. */
export async function storeAgency(db: D1Database, code: string, unitCount: number) {
  const accountId = await createAccount(db, { code, name: code, password: 'secret' });
  const [units, sales, rentals] = [
    prices('U', unitCount),
    prices('S', SALES),
    prices('R', RENTALS),
  ];
  await store(db, accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: DEVELOPMENT, name: 'Sol Azul' }),
    ...[...units.keys()].map((name) =>
      parseDocument({
        kind: 'unit',
        development: DEVELOPMENT,
        name,
        status: 1,
        price: FIRST_PRICE,
      }),
    ),
    ...[...units.keys()].map((name) =>
      property(name, { unit: { development: DEVELOPMENT, name } }),
    ),
    ...[...sales.keys(), ...rentals.keys()].map((id) => offeredAt(id, FIRST_PRICE)),
  ]);
  const client = { client_id: `client-${code}`, client_secret: `secret of ${code}` };
  await createClient(db, {
    id: client.client_id,
    accountId,
    secret: client.client_secret,
    scopes: SCOPES,
  });
  return { code, client, units, sales, rentals };
}

/** A property for sale, or for rent if its identifier begins with R. */
export function offeredAt(id: string, price: number): PropertyDocument {
  const text = `Property ${id} with a view of the sea. `.repeat(12);
  return property(id, {
    texts: { uk: { description: text }, es: { description: text }, de: { description: text } },
    features: ['Sea', 'Golf'],
    pictures: Array.from(
      { length: 12 },
      (_, index) => `https://pictures.example/${id}/${index}.jpg`,
    ),
    offers: id.startsWith('R') ? { long_term: { rent: price } } : { sale: { price } },
  });
}

function prices(prefix: string, count: number): ReadonlyMap<string, Price> {
  return new Map(
    Array.from({ length: count }, (_, index) => [`${prefix}${index + 1}`, new Price()]),
  );
}
