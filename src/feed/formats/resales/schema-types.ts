import { LANGUAGES, type LanguageElement } from '../../../lib/languages.ts';
import { type Component, component, documented, element, facet, oneOf, sequence, valueType } from '../../../lib/xsd.ts';

const NUMBER = '0|-?(0\\.[0-9]*[1-9]|[1-9][0-9]*(\\.[0-9]*[1-9])?)';
const DATE = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';

const ENGLISH_NAMES: Readonly<Record<LanguageElement, string>> = {
  uk: 'English',
  es: 'Spanish',
  de: 'German',
  fr: 'French',
  nl: 'Dutch',
  da: 'Danish',
  ru: 'Russian',
  sv: 'Swedish',
  pl: 'Polish',
  no: 'Norwegian',
};

/** The value types of feeds, under their names in the schemas. */
export const FEED_TYPES: readonly Component[] = [
  valueType('text', 'xs:string', 'Text of at least one character. White space is significant.', [
    facet('minLength', 1),
  ]),
  valueType(
    'number',
    'xs:double',
    'A number in plain decimal notation: no exponent, no thousands separator, no trailing zeros. Parsed as an IEEE 754 double it is exactly the stored value. May be negative.',
    [facet('pattern', NUMBER)],
  ),
  valueType('countedNumber', 'xs:nonNegativeInteger', 'An integer, 0 or more.', [facet('pattern', '0|[1-9][0-9]*')]),
  valueType('bathNumber', 'number', 'Baths plus toilets in one number: 4.5 is 4 baths and 1 toilet.', [
    facet('minInclusive', 0),
  ]),
  valueType('year', 'countedNumber', 'A year of the common era.', [
    facet('minInclusive', 1),
    facet('maxInclusive', 9999),
  ]),
  valueType('latitude', 'number', 'Degrees of WGS 84, north positive.', [
    facet('minInclusive', -90),
    facet('maxInclusive', 90),
  ]),
  valueType('longitude', 'number', 'Degrees of WGS 84, east positive.', [
    facet('minInclusive', -180),
    facet('maxInclusive', 180),
  ]),
  valueType('dateTime', 'xs:string', 'YYYY-MM-DD hh:mm:ss, in UTC.', [facet('pattern', `${DATE} ${TIME}`)]),
  valueType('flag', 'xs:string', '1 is yes, 0 is no.', oneOf([0, 1])),
  valueType('currency', 'xs:string', 'A currency code of ISO 4217.', [facet('pattern', '[A-Z]{3}')]),
  valueType(
    'status',
    'xs:string',
    'Whether the property is still available.',
    oneOf(['Available', 'Under Offer', 'Sale Agreed']),
  ),
  valueType(
    'priceFrequency',
    'xs:string',
    'What the record’s price is for: a sale, a month of a long-term rental, or a week of a short-term rental.',
    oneOf(['sale', 'month', 'week']),
  ),
  valueType('energyLetter', 'xs:string', 'A letter from A (best) to G; X means not rated.', oneOf([...'ABCDEFGX'])),
  component('complexType', { name: 'labels' }, [
    documented(
      'A name in every language requested by Language, in the order of their codes. A name without a translation is given in English, otherwise in the language that it has. Never empty.',
    ),
    inLanguages(),
  ]),
  component('complexType', { name: 'languages' }, [
    documented(
      'A text in the languages requested by Language, in the order of their codes. Languages without a text are omitted.',
    ),
    inLanguages(),
  ]),
];

function inLanguages(): Component {
  return sequence(
    LANGUAGES.map(({ code, element: name }) =>
      element(name, 'optional', 'text', `${ENGLISH_NAMES[name]}, Language code ${code}.`),
    ),
  );
}
