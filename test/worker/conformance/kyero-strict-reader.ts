import { validate } from '../../support/schema.ts';
import { parseXml, type XmlElement } from '../../support/xml.ts';
import { type KyeroListing, numberOf } from './kyero-listing.ts';

/** The result of an import: all listings, or why the whole file is rejected. */
export type StrictImport = { readonly listings: readonly KyeroListing[] } | { readonly rejected: readonly string[] };

/** Reads a Kyero feed like a portal that validates it first: any error, in any record, rejects the whole file. */
export async function importValidated(feed: string): Promise<StrictImport> {
  const rejected = await validate(feed, 'kyero.xsd');
  return rejected.length > 0 ? { rejected } : { listings: parseXml(feed).all('property').map(listingOf) };
}

function listingOf(property: XmlElement): KyeroListing {
  const text = (path: string) => property.textOf(path) ?? '';
  const pictures = property.all('images/image').map((image) => [Number(image.attributes.id), image] as const);
  return {
    id: text('id'),
    ref: text('ref'),
    date: text('date'),
    price: numberOf(text('price')),
    frequency: text('price_freq'),
    type: text('type'),
    town: text('town'),
    province: text('province'),
    beds: Number(text('beds')),
    baths: Number(text('baths')),
    pool: text('pool') === '1',
    built: numberOf(text('surface_area/built')),
    description: text('desc/en'),
    features: property.texts('features/feature'),
    pictures: pictures.sort(([a], [b]) => a - b).map(([, image]) => image.textOf('url') ?? ''),
  };
}
