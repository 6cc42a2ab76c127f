import { parseXml, type XmlElement } from '../../support/xml.ts';
import { type Listing, plainFields } from './listing.ts';

/** Reads a feed as a tree of elements: every `property` of the root, and the nodes of each by their paths. */
export function readTree(feed: string): Listing[] {
  const root = parseXml(feed);
  if (root.name !== 'root') throw new Error(`The root is ${root.name}`);
  return root.all('property').map(listingOf);
}

function listingOf(property: XmlElement): Listing {
  const text = (path: string) => property.textOf(path) ?? '';
  return {
    ...plainFields(text),
    features: property.texts('characteristics/category/value/uk'),
    pictures: property.texts('images/image/url'),
    forRent: property.has('shortterm_low'),
    newBuild: property.has('development_name'),
  };
}
