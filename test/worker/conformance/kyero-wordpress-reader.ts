import { parseXml } from '../../support/xml.ts';
import { type KyeroListing, numberOf } from './kyero-listing.ts';
import { SimpleNode } from './simple-node.ts';

/** Periods that the importer knows; a record with another is not imported. */
const FREQUENCIES = ['sale', 'month', 'week'];

/**
 * Reads a Kyero feed like an importer for WordPress: with SimpleXML, `(string) $property->desc->en` and the like. A
 * property is the post with its `id`; a second record with the same `id` overwrites it; one whose `price_freq` is unknown is
 * skipped. Pictures are downloaded by the name of the file in their URL, so one that has none is skipped.
 */
export function importPosts(feed: string): KyeroListing[] {
  const posts = new Map<string, KyeroListing>();
  new SimpleNode([parseXml(feed)]).child('property').each((property) => {
    const text = (path: string) => String(property.at(path)).trim();
    if (text('id') === '' || !FREQUENCIES.includes(text('price_freq'))) return;
    posts.set(text('id'), {
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
      description: String(property.at('desc/en')),
      features: property.at('features/feature').each(String),
      pictures: property
        .at('images/image')
        .each((image) => String(image.child('url')))
        .filter((url) => /[^?]+\.(jpe?g|png|gif)\b/i.test(url)),
    });
  });
  return [...posts.values()];
}
