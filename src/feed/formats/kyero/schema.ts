import { type Component, component, documented, element, schema, sequence, unique, upTo } from '../../../lib/xsd.ts';
import { KYERO_TYPES } from './schema-types.ts';

/** The most features and pictures of a property in Kyero's schema. */
const MOST = 50;

/**
 * The XML Schema of a feed. Every document with a record that is valid by it is valid by Kyero's as well, which allows the nodes in any
 * order and more values; not so a document with extensions.
 */
export function kyeroSchema({ extended }: { readonly extended: boolean }): string {
  const root = element(
    'root',
    'once',
    [
      sequence([
        element(
          'kyero',
          'once',
          [sequence([feedVersion()])],
          'Identifies the document. Precedes the records, even if there are none.',
        ),
        element(
          'property',
          'any number',
          [sequence([...recordNodes(extended), ...(extended ? extensions() : [])])],
          'One record: a property has one for each of its offers. Ordered by when properties were first stored.',
        ),
      ]),
    ],
    'The feed. Kyero’s schema requires at least one record.',
    [unique('recordId', 'property', 'id')],
  );
  return schema(
    extended
      ? 'The property feed kyero.xml with Extended=TRUE: Kyero v3, and nodes that programs add to it.'
      : 'The property feed kyero.xml: Kyero v3. Elements appear in the order given here. An element without a value is omitted; it is empty only if this schema says so.',
    root,
    KYERO_TYPES,
  );
}

function feedVersion(): Component {
  return element('feed_version', 'once', 'feedVersion', 'The version of the format.');
}

function recordNodes(extended: boolean): Component[] {
  return [
    element(
      'id',
      'once',
      'identifier',
      'The property’s identifier, with -LT appended for its long-term and -ST for its short-term rental. One of more than 50 characters has a digest in place of its end. Unique in the document.',
    ),
    element('date', 'once', 'dateTime', 'When anything that feeds show of the property last changed.'),
    element(
      'ref',
      'once',
      'reference',
      'The agency’s reference. The sale has it as it is, or else the first offer; further records have -LT or -ST appended.',
    ),
    element(
      'price',
      'once',
      'price',
      'The price, the monthly rent, or the weekly rent in the low season; 0 on request.',
    ),
    element('currency', 'once', 'currency', 'EUR for a currency that Kyero does not have: the price is then 0.'),
    element('price_freq', 'once', 'priceFrequency', 'What the price is for.'),
    element('part_ownership', 'once', 'flag', 'Whether a share of the property is offered.'),
    element('leasehold', 'once', 'flag', 'Whether the property is leasehold.'),
    element('new_build', 'once', 'flag', 'Whether the property is new.'),
    element('type', 'once', 'propertyType', 'The type, as Kyero names it.'),
    element('town', 'once', 'text', 'The town; - if unknown.'),
    element('province', 'once', 'text', 'The province; - if unknown.'),
    element('country', 'once', 'shortText', 'The country; Spain if none is stored.'),
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
    element('location_detail', 'optional', 'shortText', 'The part of the town.'),
    element('beds', 'once', 'count', 'Bedrooms.'),
    element('baths', 'once', 'count', 'Bathrooms, excluding toilets.'),
    element('pool', 'once', 'flag', 'Whether there is a pool.'),
    element(
      'surface_area',
      'optional',
      [
        sequence([
          element('built', 'optional', 'count', 'Built area.'),
          element('plot', 'optional', 'count', 'Plot area.'),
        ]),
      ],
      'The known areas in whole square metres; omitted if none is known.',
    ),
    element(
      'energy_rating',
      'once',
      [
        sequence([
          element('consumption', 'once', 'energyLetter', 'Energy consumption.'),
          element('emissions', 'once', 'energyLetter', 'CO2 emissions.'),
        ]),
      ],
      'The energy rating.',
    ),
    element('url', 'optional', 'pages', 'The property’s web page.'),
    element('desc', 'once', 'languages', 'The description; empty if there is none in the requested languages.'),
    element(
      'features',
      'optional',
      [sequence([upTo(MOST, element('feature', 'once', 'text', 'A feature in English.'))])],
      'What keeps the property from being available, the directions that it faces, and its features.',
      [unique('featureName', 'feature', '.')],
    ),
    images(extended),
    element('notes', 'optional', 'text', 'Notes of the agency.'),
  ];
}

function images(extended: boolean): Component {
  const image = element(
    'image',
    'any number',
    [
      sequence([element('url', 'once', 'pictureUrl', 'The picture’s URL.')]),
      component('attribute', { name: 'id', type: 'xs:positiveInteger', use: 'required' }, [
        documented('The picture’s position in display order: 1, 2, 3 and so on.'),
      ]),
    ],
    'A picture.',
  );
  return element(
    'images',
    'once',
    [sequence([extended ? image : upTo(MOST, image)])],
    'The first pictures, at most IC of them, in display order.',
    [unique('imageId', 'image', '@id')],
  );
}

/** Nodes that Kyero's schema does not have. */
function extensions(): Component[] {
  return [
    element('status', 'once', 'status', 'Whether the property is still available.'),
    element('postcode', 'optional', 'text', 'The postal code.'),
    element('terrace', 'optional', 'count', 'Terrace area in whole square metres.'),
    element('living_area', 'optional', 'count', 'Interior floor space in whole square metres.'),
    element('built_year', 'optional', 'count', 'The year in which the property was built.'),
    element('community_fees', 'optional', 'number', 'Community fees per month.'),
    element('garbage_tax', 'optional', 'number', 'Garbage tax per year.'),
    element('ibi_fees', 'optional', 'number', 'Property tax (IBI) per year.'),
    element('catastral', 'optional', 'text', 'The cadastral reference.'),
    element('virtual_tour_url', 'optional', 'text', 'The URL of a virtual tour.'),
    element('video_url', 'optional', 'text', 'The URL of a video.'),
  ];
}

/** The schemas by file name. */
export const KYERO_SCHEMAS: Readonly<Record<string, () => string>> = {
  'kyero.xsd': () => kyeroSchema({ extended: false }),
  'kyero-extended.xsd': () => kyeroSchema({ extended: true }),
};
