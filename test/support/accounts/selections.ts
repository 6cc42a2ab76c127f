import fc from 'fast-check';
import { type PortfolioDocument, parseDocument } from '../../../src/properties/documents.ts';
import { OFFERS } from '../../../src/properties/offers.ts';
import { RESTRICTIONS } from '../../../src/properties/restrictions.ts';
import type { SelectionRules } from '../../../src/properties/selection/schema.ts';
import { property, VOCABULARY } from './portfolio.ts';

const TYPES = ['villa', 'flat'];
const TOWNS = ['Marbella', 'Nerja', '"A", \\ñ'];
const FEATURES = ['Sea', 'Golf'];
const IDS = Array.from({ length: 12 }, (_, index) => `P${index}`);
const UNITS = ['A', 'B', 'C'];

const amount = fc.integer({ min: 0, max: 9 });
const some = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1 });

/** Rules that select some of {@link portfolios} and not others. */
export const rules: fc.Arbitrary<SelectionRules> = fc.record(
  {
    offers: some(OFFERS),
    types: some(TYPES),
    price: fc.oneof(
      fc.record({ min: amount }),
      fc.record({ max: amount }),
      fc.tuple(amount, amount).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })),
    ),
    towns: some(TOWNS),
    features: some(FEATURES),
    photographs: fc.integer({ min: 1, max: 3 }),
    include: some(IDS),
    exclude: some(IDS),
  },
  { requiredKeys: [] },
);

const price = fc.option(amount);
const picture = fc.constantFrom(
  'https://x.example/"kind":"floor_plan"',
  { url: 'https://x.example/1.jpg', width: 800 },
  { url: 'https://x.example/2.jpg', kind: 'floor_plan' as const },
);

/** Properties that differ in all that decides whether a feed lists them, some of them units. */
export const portfolios: fc.Arbitrary<readonly PortfolioDocument[]> = fc
  .tuple(
    fc.array(amount, { minLength: UNITS.length, maxLength: UNITS.length }),
    fc.array(fc.constantFrom(1, 2, 4, 8), { minLength: UNITS.length, maxLength: UNITS.length }),
    fc.array(
      fc.record({
        type: fc.constantFrom(...TYPES),
        status: fc.constantFrom('Available', 'Available', 'Under Offer', 'Sold', 'Withdrawn'),
        rented: fc.boolean(),
        on_own_website: fc.boolean(),
        restrictions: fc.oneof(fc.constant([]), fc.subarray([...RESTRICTIONS])),
        offers: fc.record({
          sale: fc.option(fc.record({ price })),
          long_term: fc.option(fc.record({ rent: price })),
          short_term: fc.option(fc.record({ low: price })),
        }),
        town: fc.constantFrom(...TOWNS),
        features: fc.subarray(FEATURES),
        pictures: fc.array(picture, { maxLength: 4 }),
        channels: fc.subarray(['coast', 'inland']),
      }),
      { minLength: IDS.length, maxLength: IDS.length },
    ),
  )
  .map(([prices, statuses, properties]) => [
    ...VOCABULARY,
    parseDocument({
      kind: 'type',
      code: 'flat',
      labels: { uk: { older_type: 'Apartment', type: 'Apartment' } },
    }),
    parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
    ...UNITS.map((name, index) =>
      parseDocument({
        kind: 'unit',
        development: 'sol',
        name,
        status: statuses[index] as 1 | 2 | 4 | 8,
        price: prices[index]!,
      }),
    ),
    ...properties.map((given, index) =>
      property(IDS[index]!, {
        ...given,
        unit: index < UNITS.length ? { development: 'sol', name: UNITS[index]! } : null,
      } as Parameters<typeof property>[1]),
    ),
  ]);
