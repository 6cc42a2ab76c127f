import type { Actor } from '../../../src/accounts/actor.ts';
import {
  type PortfolioDocument,
  type PortfolioDocumentInput,
  type PropertyDocument,
  parseDocument,
} from '../../../src/properties/documents.ts';
import { type Written, writePortfolio } from '../../../src/properties/store/write.ts';

/** Whoever writes what a test needs. */
export const SOMEBODY: Actor = { kind: 'operator' };

/** Writes documents into an account's portfolio. */
export function store(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  writing: Partial<Parameters<typeof writePortfolio>[3]> = {},
): Promise<Written> {
  return writePortfolio(db, accountId, documents, { actor: SOMEBODY, ...writing });
}

type PropertyInput = Omit<Extract<PortfolioDocumentInput, { kind: 'property' }>, 'kind'>;

/** What properties refer to: a type, and features with their category. */
/** Deletes properties for good. */
export function purge(db: D1Database, accountId: number, ids: readonly string[]): Promise<Written> {
  const documents = ids.map((id) => property(id));
  return store(db, accountId, documents, { merge: () => undefined, purge: () => ids });
}

export const VOCABULARY: readonly PortfolioDocument[] = [
  {
    kind: 'type',
    code: 'villa',
    labels: {
      uk: {
        older_type: 'Villa',
        older_subtype: 'Detached',
        type: 'House',
        subtype: 'Detached Villa',
      },
      es: {
        older_type: 'Villa',
        older_subtype: 'Independiente',
        type: 'Casa',
        subtype: 'Villa independiente',
      },
    },
  },
  { kind: 'category', code: 'Views', labels: { uk: 'Views', es: 'Vistas' } },
  { kind: 'feature', code: 'Sea', category: 'Views', labels: { uk: 'Sea', es: 'Mar' } },
  { kind: 'feature', code: 'Golf', category: 'Views', labels: { uk: 'Golf', es: 'Golf' } },
];

/** A property for sale of the type `villa` of {@link VOCABULARY}, with the given fields instead of its defaults. */
export function property(id: string, given: Partial<PropertyInput> = {}): PropertyDocument {
  return parseDocument({
    kind: 'property',
    id,
    ref: `R-${id}`,
    type: 'villa',
    status: 'Available',
    listed_at: '2026-01-02T03:04:05Z',
    town: 'Marbella',
    province: 'Málaga',
    offers: { sale: { price: 250_000 } },
    channels: [],
    ...given,
  }) as PropertyDocument;
}

/** A value in every field that has a node in a feed; its feature South is not in {@link VOCABULARY}. */
export const FULL = {
  area: 'Nueva Andalucía',
  country: 'Spain',
  postcode: '29660',
  location: { latitude: 36.5, longitude: -4.25 },
  beds: 5,
  bath: 4.5,
  built_area: 320,
  plot_area: 1_100,
  terrace_area: 60,
  living_area: 290,
  built_year: 2004,
  community_fees: 120.5,
  garbage_tax: 90,
  ibi_fees: 1_200,
  cadastral_ref: '9872023VH5797S0006XS',
  has_pool: true,
  has_garden: true,
  has_garage: true,
  emissions: 'B',
  consumption: 'C',
  new_build: true,
  leasehold: true,
  part_ownership: true,
  notes: 'Keys: ask <Ana> & co.',
  virtual_tour_url: 'https://tours.example/1?a=1&b=2',
  video_url: 'https://video.example/1',
  offers: {
    sale: { price: 1_250_000, minimum_price: 1_200_000 },
    long_term: { rent: 4_500 },
    short_term: { low: 2_100, high: 3_900, license: 'VFT/MA/01234' },
  },
  texts: {
    uk: {
      description: 'A <b>villa</b> by the sea & the "Golf" ]]> it\'s bright.\r\nÑ ß ø Ж ł 🏡\u0001',
    },
    es: { description: 'Una villa junto al mar.', url: 'https://costa.example/es/1?a=1&b=2' },
    it: { description: 'Una villa sul mare.' },
  },
  pictures: ['https://pictures.example/1.jpg?v=1&w=2', 'https://pictures.example/2.jpg'],
  features: ['Golf', 'South', 'Sea'],
} as const satisfies Partial<PropertyInput>;
