import { createClient } from '../../src/db/accounts/clients.ts';
import { createAccount } from '../../src/db/operator/accounts.ts';
import { writePortfolio } from '../../src/db/portfolio/write.ts';
import { SCOPES } from '../../src/oauth/scopes.ts';
import { type PropertyDocument, parseDocument } from '../../src/portfolio/documents.ts';
import { property, VOCABULARY } from '../support/portfolio.ts';
import { Timeline } from './timeline.ts';

export const DEVELOPMENT = 'sol-azul';

/** Properties for sale and for rent of an agency that imports change, besides its units. */
const SALES = 40;
const RENTALS = 20;

const FIRST_PRICE = 100_000;

/** An agency with the price of each of its properties, by identifier. */
export interface Agency {
  readonly code: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly secret: string;
  /** By the name of the unit, which is also its property's identifier. */
  readonly units: ReadonlyMap<string, Timeline>;
  readonly sales: ReadonlyMap<string, Timeline>;
  readonly rentals: ReadonlyMap<string, Timeline>;
}

/** Stores an agency. */
export async function storeAgency(db: D1Database, code: string, units: number): Promise<Agency> {
  const accountId = await createAccount(db, { code, name: code, password: 'secret' });
  const agency: Agency = {
    code,
    accountId,
    clientId: `client-${code}`,
    secret: `secret of ${code}`,
    units: timelines('U', units),
    sales: timelines('S', SALES),
    rentals: timelines('R', RENTALS),
  };
  await writePortfolio(db, accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: DEVELOPMENT, name: 'Sol Azul' }),
    ...[...agency.units.keys()].map((name) =>
      parseDocument({ kind: 'unit', development: DEVELOPMENT, name, status: 1, price: FIRST_PRICE }),
    ),
    ...[...agency.units.keys()].map((name) => property(name, { unit: { development: DEVELOPMENT, name } })),
    ...[...agency.sales.keys()].map((id) => saleOf(id, FIRST_PRICE)),
    ...[...agency.rentals.keys()].map((id) => rentalOf(id, FIRST_PRICE)),
  ]);
  await createClient(db, { id: agency.clientId, accountId, secret: agency.secret, scopes: SCOPES });
  return agency;
}

export function saleOf(id: string, price: number): PropertyDocument {
  return property(id, { ...details(id), offers: { sale: { price } } });
}

export function rentalOf(id: string, rent: number): PropertyDocument {
  return property(id, { ...details(id), offers: { long_term: { rent } } });
}

function details(id: string) {
  const text = `Property ${id} with a view of the sea. `.repeat(12);
  return {
    texts: { uk: { description: text }, es: { description: text }, de: { description: text } },
    features: ['Sea', 'Golf'],
    pictures: Array.from({ length: 12 }, (_, index) => `https://pictures.example/${id}/${index}.jpg`),
  };
}

function timelines(prefix: string, count: number): Map<string, Timeline> {
  return new Map(Array.from({ length: count }, (_, index) => [`${prefix}${index + 1}`, new Timeline(FIRST_PRICE)]));
}
