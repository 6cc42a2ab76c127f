import { describe, expect, test } from 'vitest';
import type { PropertyDocument } from '../../../src/properties/documents.ts';
import { readSource } from '../../support/documents/import-source.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import CASES from './never-better.json' with { type: 'json' };

/** What a record offers, apart from what the smallest record does: `Sold, sale on request`. */
function offered({ status, rented, offers, currency, ...property }: PropertyDocument): string {
  const { sale, long_term, short_term } = offers;
  const price = sale ? sale.price : long_term ? long_term.rent : short_term?.low;
  const kind = sale ? 'sale' : long_term ? 'month' : 'week';
  return [
    rented ? 'Rented' : status,
    `${kind} ${price ?? 'on request'}${currency === 'EUR' ? '' : ` ${currency}`}`,
    property.built_area === null ? [] : `${property.built_area} m2`,
    property.plot_area === null ? [] : `plot ${property.plot_area} m2`,
    property.beds === 0 ? [] : `${property.beds} beds`,
    property.bath === 0 ? [] : `${property.bath} baths`,
    property.community_fees === null ? [] : `fees ${property.community_fees}`,
    property.consumption === 'X' ? [] : `class ${property.consumption}`,
    property.location === null ? [] : 'placed',
    property.leasehold ? 'leasehold' : [],
    property.has_pool ? 'pool' : [],
    property.features,
  ]
    .flat(2)
    .join(', ');
}

/** The smallest record of an available villa for 250000, with these nodes instead of its own, or these attributes. */
function record(given: string): string {
  if (!given.startsWith('<')) return kyeroRecord('a').replace('<property>', `<property ${given}>`);
  const own = Object.fromEntries([...given.matchAll(/<(\w+)/g)].map(([, name]) => [name!, null]));
  return kyeroRecord('a', own).replace('</property>', `${given}</property>`);
}

/** Cases that `--strict` rejects are those whose expectation ends with an exclamation mark. */
describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(cases as [string, string][])('%s: %s', async (given, expected) => {
    const file = kyeroFeed([record(given)]);
    const { properties, bad } = await readSource(file);
    expect(bad).toEqual([]);
    const strict = await readSource(file, { strict: true });
    expect(offered(properties[0]!) + (strict.bad.length > 0 ? '!' : '')).toBe(expected);
  });
});
