import { type Component, component, documented, element, oneOf, schema, sequence, unique } from '../../../lib/xsd.ts';
import type { FeedVersion } from './parameters.ts';
import { FEED_TYPES } from './schema-types.ts';

/**
 * The XML Schema of a feed version, for all values of other parameters: a node that depends on a parameter is optional, and its
 * documentation names the parameter.
 */
export function feedSchema(version: FeedVersion): string {
  const root = element(
    'root',
    'once',
    [
      sequence([
        element(
          'resalesonline',
          'once',
          [sequence([feedVersion(version)])],
          'Identifies the document. Precedes the records, even if there are none.',
        ),
        element(
          'property',
          'any number',
          [sequence(recordNodes(version))],
          'One record. A property has one, or with AR=TRUE one for each of its offers. Ordered by when properties were first stored, or with DisplayListingDate=TRUE by listing_date, newest first.',
        ),
      ]),
    ],
    'The feed.',
    [unique('recordId', 'property', 'id')],
  );
  return schema(
    `The property feed OWNPROPERTIES@, version ${version} (FV=${version}). Elements appear in the order given here. An element without a value is omitted; it is empty only if this schema says so.`,
    root,
    FEED_TYPES,
  );
}

function feedVersion(version: FeedVersion): Component {
  return component('element', { name: 'feed_version' }, [
    documented('The version of the feed, FV.'),
    component('simpleType', {}, [component('restriction', { base: 'xs:string' }, oneOf([version]))]),
  ]);
}

function recordNodes(version: FeedVersion): Component[] {
  const v3 = version === 3;
  const onlyInVersion3 = (...nodes: Component[]) => (v3 ? nodes : []);
  return [
    element(
      'id',
      'once',
      'text',
      'The property’s identifier, unique in the account, as given by its source. With AR=TRUE the record of a long-term offer has -LT appended and that of a short-term offer -ST. Unique in the document.',
    ),
    element(
      'ref',
      'once',
      'xs:string',
      'The agency’s reference, the same on every record of one property. Empty only if XML can represent none of its characters.',
    ),
    element(
      'last_updated',
      'once',
      'dateTime',
      'When anything that feeds show of the property last changed, including its pictures and its unit.',
    ),
    element('listing_date', 'optional', 'dateTime', 'With DisplayListingDate=TRUE: when the property was listed.'),
    ...onlyInVersion3(
      element('status', 'once', 'status', 'Whether the property is still available.'),
      element('availability', 'once', 'status', 'The same as status.'),
    ),
    element('currency', 'once', 'currency', 'The currency of every amount in the record.'),
    element(
      'price',
      'once',
      'number',
      'The record’s main price: the sale price if known, otherwise the monthly rent if known, otherwise the weekly price of a short-term rental in the low season if known. 0 if none is known (price on request).',
    ),
    element(
      'price_freq',
      'once',
      'priceFrequency',
      'What the price is for. If none is known, the first of sale, month and week that the record offers.',
    ),
    ...onlyInVersion3(
      element('price_minimum', 'once', 'number', 'The minimum net price that the vendor accepts; 0 means not set.'),
    ),
    element(
      'longterm',
      'optional',
      'number',
      'The monthly rent, if the record offers a long-term rental and the rent is known.',
    ),
    element(
      'shortterm_low',
      'optional',
      'number',
      'With ARP=TRUE: the weekly price in the low season, if the record offers a short-term rental and the price is known.',
    ),
    element(
      'shortterm_high',
      'optional',
      'number',
      'With ARP=TRUE: the weekly price in the high season, if the record offers a short-term rental and the price is known.',
    ),
    element(
      'rental_license',
      'optional',
      'text',
      'With ShowRTA=TRUE: the licence number, if the record offers a short-term rental and has one.',
    ),
    element(
      'type',
      'once',
      'labels',
      v3
        ? 'The property’s type.'
        : 'The property’s type: of the current set of types with NPT=TRUE, otherwise of the older set.',
    ),
    element(
      'subtype',
      'optional',
      'labels',
      v3
        ? 'The property’s subtype, if its type has one.'
        : 'The subtype in the same set of types, if the type has one.',
    ),
    element('development_name', 'optional', 'text', 'The development that the property is a unit of.'),
    element('unit_name', 'optional', 'text', 'The unit’s name in its development.'),
    element('town', 'once', 'xs:string', 'The town. Empty only if XML can represent none of its characters.'),
    element('area', 'optional', 'text', 'The part of the town.'),
    element('province', 'once', 'xs:string', 'The province. Empty only if XML can represent none of its characters.'),
    element('country', 'optional', 'text', 'The country.'),
    element('postcode', 'optional', 'text', 'The postal code.'),
    ...onlyInVersion3(
      element(
        'location',
        'optional',
        [
          sequence([
            element('latitude', 'once', 'latitude', 'North of the equator.'),
            element('longitude', 'once', 'longitude', 'East of Greenwich.'),
          ]),
        ],
        'Where the property is.',
      ),
    ),
    element('beds', 'once', 'countedNumber', 'Bedrooms.'),
    element('baths', 'once', 'countedNumber', 'Bathrooms, excluding toilets.'),
    version === 1
      ? element('Bath', 'once', 'countedNumber', 'The same as baths.')
      : element('Bath', 'once', 'bathNumber', 'Bathrooms and toilets in one number.'),
    element(
      'surface_area',
      'optional',
      [
        sequence([
          element('built', 'optional', 'countedNumber', 'Built area.'),
          element('plot', 'optional', 'countedNumber', 'Plot area.'),
          element('terrace', 'optional', 'countedNumber', v3 ? 'Terrace area.' : 'With ST=TRUE: terrace area.'),
        ]),
      ],
      'The known areas in whole square metres; omitted if none is known.',
    ),
    ...onlyInVersion3(
      element('terrace', 'optional', 'countedNumber', 'Terrace area in whole square metres, as in surface_area.'),
      element('living_area', 'optional', 'countedNumber', 'Interior floor space in whole square metres.'),
      element('built_year', 'optional', 'year', 'The year in which the property was built.'),
      element('community_fees', 'optional', 'number', 'Community fees per month.'),
      element('garbage_tax', 'optional', 'number', 'Garbage tax per year.'),
      element('ibi_fees', 'optional', 'number', 'Property tax (IBI) per year.'),
      element('cadastral_ref', 'optional', 'text', 'The cadastral reference.'),
    ),
    element('has_pool', 'once', 'flag', 'Whether there is a pool.'),
    element('has_garden', 'once', 'flag', 'Whether there is a garden.'),
    element('has_garage', 'once', 'flag', 'Whether there is a garage.'),
    energyRating(v3),
    element(
      'virtual_tour_url',
      'optional',
      'text',
      v3 ? 'The URL of a virtual tour. Not with VT=0.' : 'With VT=1 or VT=2: the URL of a virtual tour.',
    ),
    element(
      'video_url',
      'optional',
      'text',
      v3 ? 'The URL of a video. Not with VT=0 or VT=1.' : 'With VT=2: the URL of a video.',
    ),
    element('description', 'optional', 'languages', 'The description, if there is one in the requested languages.'),
    characteristics(),
    images(),
  ];
}

function energyRating(v3: boolean): Component {
  const consumption = v3 ? 'Energy consumption.' : 'With ER_ShowAll=TRUE: energy consumption.';
  return element(
    'energy_rating',
    v3 ? 'once' : 'optional',
    [
      sequence([
        element('emissions', 'once', 'energyLetter', 'CO2 emissions.'),
        element('consumption', v3 ? 'once' : 'optional', 'energyLetter', consumption),
      ]),
    ],
    v3 ? 'The energy rating.' : 'With ER_Show=TRUE or ER_ShowAll=TRUE: the energy rating.',
  );
}

function characteristics(): Component {
  const category = [
    element('name', 'once', 'labels', 'The category’s name.'),
    element('value', 'at least once', 'labels', 'A feature of the property.'),
  ];
  return element(
    'characteristics',
    'optional',
    [
      sequence([
        element(
          'category',
          'at least once',
          [sequence(category)],
          'The property’s features of one category. The category Orientation contains the directions that the property faces.',
        ),
      ]),
    ],
    'The property’s features, if it has any with a label.',
  );
}

function images(): Component {
  const image = [
    sequence([element('url', 'once', 'text', 'The picture’s URL.')]),
    component('attribute', { name: 'id', type: 'xs:positiveInteger', use: 'required' }, [
      documented('The picture’s position in display order: 1, 2, 3 and so on.'),
    ]),
  ];
  return element(
    'images',
    'optional',
    [sequence([element('image', 'at least once', image, 'A picture.')])],
    'The first pictures, at most IC of them, in display order.',
    [unique('imageId', 'image', '@id')],
  );
}

/** The schemas by file name. */
export const RESALES_SCHEMAS: Readonly<Record<string, () => string>> = {
  'feed-v1.xsd': () => feedSchema(1),
  'feed-v2.xsd': () => feedSchema(2),
  'feed-v3.xsd': () => feedSchema(3),
};
