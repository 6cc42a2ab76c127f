import type { CategoryDocument, FeatureDocument, PropertyDocument, TypeDocument } from '../portfolio/documents.ts';
import { type Listing, type Names, sharedFields } from './listing.ts';

/** The vocabulary that documents of properties refer to by code. */
export interface Labels {
  readonly types: ReadonlyMap<string, TypeDocument>;
  readonly features: ReadonlyMap<string, FeatureDocument>;
}

/** The labels among the documents of a vocabulary. */
export function labelsOf(documents: Iterable<TypeDocument | CategoryDocument | FeatureDocument>): Labels {
  const types = new Map<string, TypeDocument>();
  const features = new Map<string, FeatureDocument>();
  for (const document of documents) {
    if (document.kind === 'type') types.set(document.code, document);
    if (document.kind === 'feature') features.set(document.code, document);
  }
  return { types, features };
}

/** A property of a portfolio as the rules see it. */
export function listingOfDocument(document: PropertyDocument, labels: Labels): Listing {
  const { offers, texts } = document;
  const type = labels.types.get(document.type)?.labels ?? {};
  const names = (key: 'type' | 'subtype'): Names =>
    Object.fromEntries(
      Object.entries(type).flatMap(([language, label]) => (label?.[key] ? [[language, label[key]]] : [])),
    );
  const typeNames = names('type');
  return {
    ...sharedFields(document),
    id: document.id,
    reference: document.ref,
    listedAt: seconds(document.listed_at),
    updatedAt: seconds(document.sale_updated_at ?? document.rental_updated_at ?? document.source_changed_at),
    offers: {
      ...(offers.sale && { sale: { price: offers.sale.price, minimum: offers.sale.minimum_price } }),
      ...(offers.long_term && { longTerm: offers.long_term }),
      ...(offers.short_term && { shortTerm: offers.short_term }),
    },
    type: Object.keys(typeNames).length === 0 ? { uk: document.type } : typeNames,
    subtype: names('subtype'),
    location: document.location,
    hasPool: document.has_pool,
    descriptions: Object.fromEntries(
      Object.entries(texts).flatMap(([language, text]) =>
        text?.description?.trim() ? [[language, text.description]] : [],
      ),
    ),
    pictures: document.pictures,
    development: null,
    features: document.features.map((code) => {
      const feature = labels.features.get(code);
      return { category: feature?.category ?? '', label: feature?.labels ?? { uk: code } };
    }),
  };
}

function seconds(time: string | null): number | null {
  return time === null ? null : Date.parse(time) / 1000;
}
