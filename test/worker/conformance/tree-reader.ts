import { parseXml, type XmlElement } from '../../support/xml.ts';
import { type Listing, numberIn } from './listing.ts';

/** Reads a feed as a tree of elements: every `property` of the root, and the nodes of each by their paths. */
export function readTree(feed: string): Listing[] {
  const root = parseXml(feed);
  if (root.name !== 'root') throw new Error(`The root is ${root.name}`);
  return root.all('property').map(listingOf);
}

function listingOf(property: XmlElement): Listing {
  const text = (path: string) => property.textOf(path) ?? '';
  return {
    id: text('id'),
    ref: text('ref'),
    price: numberIn(property.textOf('price')),
    town: text('town'),
    province: text('province'),
    beds: Number(text('beds')),
    baths: Number(text('baths')),
    type: text('type/uk'),
    subtype: text('subtype/uk'),
    built: numberIn(property.textOf('surface_area/built')),
    terrace: numberIn(property.textOf('surface_area/terrace')),
    pool: text('has_pool') === '1',
    description: text('description/uk'),
    features: property.texts('characteristics/category/value/uk'),
    pictures: property.texts('images/image/url'),
    forRent: property.has('shortterm_low'),
    newBuild: property.has('development_name'),
  };
}
