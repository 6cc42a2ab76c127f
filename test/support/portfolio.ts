import {
  type PortfolioDocument,
  type PortfolioDocumentInput,
  type PropertyDocument,
  parseDocument,
} from '../../src/portfolio/documents.ts';

type PropertyInput = Omit<Extract<PortfolioDocumentInput, { kind: 'property' }>, 'kind'>;

/** What properties refer to: a type, and features with their category. */
export const VOCABULARY: readonly PortfolioDocument[] = [
  {
    kind: 'type',
    code: 'villa',
    labels: {
      uk: { older_type: 'Villa', older_subtype: 'Detached', type: 'House', subtype: 'Detached Villa' },
      es: { older_type: 'Villa', older_subtype: 'Independiente', type: 'Casa', subtype: 'Villa independiente' },
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
