import { parseXml } from '../../support/xml.ts';
import { type Listing, plainFields } from './listing.ts';
import { SimpleNode } from './simple-node.ts';

/** The result of a strict import of a record. */
export type Import =
  | { readonly listing: Listing }
  /** The required nodes that are missing. */
  | { readonly id: string; readonly lacks: readonly string[] };

/** Records without one of these nodes are rejected. */
const REQUIRED = ['id', 'ref', 'price', 'town', 'province', 'type/uk'];

/**
 * Reads a feed like PHP's SimpleXML: a missing node is like an empty one, every node is cast to a string, and a record with an
 * empty required node is rejected. Pictures are ordered by their `id`.
 */
export function importFeed(feed: string): Import[] {
  const xml = new SimpleNode([parseXml(feed)]);
  const version = String(xml.child('resalesonline').child('feed_version'));
  return xml.child('property').each((property) => {
    const lacks = REQUIRED.filter((path) => String(property.at(path)) === '');
    if (version === '') lacks.unshift('feed_version');
    return lacks.length > 0 ? { id: String(property.child('id')), lacks } : { listing: listingOf(property) };
  });
}

function listingOf(property: SimpleNode): Listing {
  const text = (path: string) => String(property.at(path));
  const pictures = property.at('images/image').each((image) => [Number(image.attribute('id')), image] as const);
  return {
    ...plainFields(text),
    features: property
      .at('characteristics/category')
      .each((category) => category.child('value').each((value) => String(value.child('uk'))))
      .flat(),
    pictures: pictures.sort(([a], [b]) => a - b).map(([, image]) => String(image.child('url'))),
    forRent: text('shortterm_low') !== '',
    newBuild: text('development_name') !== '',
  };
}
