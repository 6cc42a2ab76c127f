import { env } from 'cloudflare:workers';
import { createClient } from '../../../../src/oauth/clients.ts';
import { SCOPES } from '../../../../src/oauth/scopes.ts';
import { createAccount } from '../../../../src/operator/accounts.ts';
import {
  type PortfolioDocument,
  type PropertyDocument,
  parseDocument,
  type UnitDocument,
} from '../../../../src/properties/documents.ts';
import { storedDocumentOf } from '../../../../src/properties/store/property-rows.ts';
import { property, store, VOCABULARY } from '../../../support/accounts/portfolio.ts';
import { openReader } from '../../../support/accounts/readers.ts';
import { type Moment, Versions } from './versions.ts';

export const DEVELOPMENT = 'sol-azul';

const [TYPE, ...OTHER_VOCABULARY] = VOCABULARY;

/** An account that readers and writers use: what the writers know to be stored. */
export interface TestAgency {
  readonly code: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly secret: string;
  /** The key of its only reader. */
  readonly key: string;
  /** The only type of its properties. */
  readonly type: Versions<PortfolioDocument>;
  readonly units: ReadonlyMap<string, Versions<UnitDocument>>;
  /** In the order in which they were first stored; `null` before that. */
  readonly properties: Map<string, Versions<PropertyDocument | null>>;
}

/** What never changes. */
export const CONSTANT: readonly PortfolioDocument[] = [
  ...OTHER_VOCABULARY,
  parseDocument({ kind: 'development', id: DEVELOPMENT, name: 'Sol Azul' }),
];

/** Stores an agency with properties, some of which are units, in a number of segments. */
export async function storeAgency(
  code: string,
  segments: number,
  clock: () => Moment,
): Promise<TestAgency> {
  const accountId = await createAccount(env.DB, { code, name: code, password: 'secret' });
  const units = Array.from({ length: segments * 2 }, (_, index) =>
    unit(`A-${index + 1}`, 1, 100_000, []),
  );
  const vocabulary = [TYPE!, ...CONSTANT, ...units];
  await store(env.DB, accountId, vocabulary);
  const properties: PropertyDocument[] = [];
  for (let segment = 0; segment < segments; segment++) {
    const names = units.slice(segment * 2, segment * 2 + 2).map(({ name }) => name);
    const stored = [...names, undefined, undefined].map((name, index) =>
      variant(`${code}-${segment}-${index}`, segment * 7 + index * 3, 0, name),
    );
    await store(env.DB, accountId, stored);
    await endSegment(accountId, segment);
    properties.push(...stored);
  }
  const client = { clientId: `client-${code}`, secret: `secret of ${code}` };
  await createClient(env.DB, {
    id: client.clientId,
    accountId,
    secret: client.secret,
    scopes: SCOPES,
  });
  return {
    code,
    accountId,
    ...client,
    key: await openReader(accountId, 'portal'),
    type: new Versions(TYPE!, clock),
    units: new Map(units.map((stored) => [stored.name, new Versions(stored, clock)])),
    properties: new Map(
      properties.map((stored) => [stored.id, new Versions<PropertyDocument | null>(stored, clock)]),
    ),
  };
}

/** Takes the last number of a segment, for a property that no feed shows. */
async function endSegment(accountId: number, segment: number): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO properties (account_id, number, identifier, document) VALUES (?1, ?2, 'end ' || ?2, ?3)`,
  )
    .bind(
      accountId,
      (segment + 1) * 500,
      JSON.stringify(storedDocumentOf(property('end', { status: 'Withdrawn' }))),
    )
    .run();
}

/** A unit with these values. */
export function unit(
  name: string,
  status: number,
  price: number,
  directions: readonly string[],
): UnitDocument {
  return parseDocument({
    kind: 'unit',
    development: DEVELOPMENT,
    name,
    status,
    price,
    directions,
  }) as UnitDocument;
}

/**
 * A property.
 *
 * @param day distinct for each property of an agency: when it was listed
 * @param change decides everything else, except what must not change
 */
export function variant(
  id: string,
  day: number,
  change: number,
  unitName?: string,
): PropertyDocument {
  return property(id, {
    unit: unitName === undefined ? null : { development: DEVELOPMENT, name: unitName },
    listed_at: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().replace('.000', ''),
    status: change % 5 === 4 ? 'Withdrawn' : 'Available',
    rented: change % 7 === 3,
    on_other_websites: change % 3 !== 1,
    features: change % 2 === 0 ? ['Sea'] : ['Golf', 'Sea'],
    offers: {
      sale: { price: 200_000 + change },
      ...(change % 3 === 0 ? {} : { long_term: { rent: 900 + change } }),
      ...(change % 4 === 0
        ? {}
        : { short_term: { low: 300 + change, high: 600 + change, license: `VFT/${change}` } }),
    },
    texts: { uk: { description: `Change ${change} <&> of ${id}` } },
    pictures: Array.from(
      { length: change % 4 },
      (_, index) => `https://pictures.example/${id}/${change}/${index}.jpg`,
    ),
  });
}

/** The type with other labels. */
export function renamedType(change: number): PortfolioDocument {
  const label = `Villa ${change}`;
  const labels = {
    older_type: label,
    older_subtype: 'Detached',
    type: label,
    subtype: 'Detached Villa',
  };
  return parseDocument({ kind: 'type', code: 'villa', labels: { uk: labels } });
}
