import { LANGUAGES, type LanguageElement } from '../lib/languages.ts';
import { type Component, component, documented, element, facet, oneOf, sequence, valueType } from './xsd.ts';

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

/** The types of values in feeds, each by the name that stands in the schemas. */
export const FEED_TYPES: readonly Component[] = [
  valueType('text', 'xs:string', 'Text of one character at least. White space in it is the text’s own.', [
    facet('minLength', 1),
  ]),
  valueType(
    'number',
    'xs:double',
    'A number in plain decimals: no exponent, no thousands separator, no trailing zeros. Read as an IEEE 754 double it is the stored value to the last bit. May be negative.',
    [facet('pattern', NUMBER)],
  ),
  valueType('countedNumber', 'xs:nonNegativeInteger', 'A whole number, 0 or more.', [
    facet('pattern', '0|[1-9][0-9]*'),
  ]),
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
    'Whether the property can still be had.',
    oneOf(['Available', 'Under Offer', 'Sale Agreed']),
  ),
  valueType(
    'priceFrequency',
    'xs:string',
    'What the record’s price is for: sale, the month of a long-term rental, or the week of a short-term one.',
    oneOf(['sale', 'month', 'week']),
  ),
  valueType('energyLetter', 'xs:string', 'A letter from A, the best, to G; X is not rated.', oneOf([...'ABCDEFGX'])),
  component('complexType', { name: 'languages' }, [
    documented(
      'A text in the languages that Language asked for, in the order of their codes. A language in which there is no text has no child.',
    ),
    sequence(
      LANGUAGES.map(({ code, element: name }) =>
        element(name, 'optional', 'text', `${ENGLISH_NAMES[name]}, Language code ${code}.`),
      ),
    ),
  ]),
];
