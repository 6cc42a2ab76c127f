import { type Component, component, documented, element, facet, oneOf, sequence, valueType } from '../../../lib/xsd.ts';
import { KYERO_LANGUAGES } from './languages.ts';

const NUMBER = '0|-?(0\\.[0-9]*[1-9]|[1-9][0-9]*(\\.[0-9]*[1-9])?)';
const DATE = '(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';

/** The value types of feeds, under their names in the schema. */
export const KYERO_TYPES: readonly Component[] = [
  valueType('text', 'xs:string', 'Text of at least one character.', [facet('minLength', 1)]),
  valueType('shortText', 'text', 'Text of at most 50 characters; a longer one is cut.', [facet('maxLength', 50)]),
  valueType('identifier', 'text', 'Text of at most 50 characters.', [facet('maxLength', 50)]),
  valueType('reference', 'text', 'Text of at most 255 characters.', [facet('maxLength', 255)]),
  valueType('feedVersion', 'xs:string', 'Version 3.', oneOf([3])),
  valueType('dateTime', 'xs:string', 'YYYY-MM-DD hh:mm:ss, in UTC.', [facet('pattern', `${DATE} ${TIME}`)]),
  valueType('price', 'xs:string', 'A whole number; 0 means on request.', [facet('pattern', '0|[1-9][0-9]*')]),
  valueType('currency', 'xs:string', 'The currencies that Kyero has.', oneOf(['EUR', 'GBP', 'USD'])),
  valueType(
    'priceFrequency',
    'xs:string',
    'What the price is for: a sale, a month of a long-term rental, or a week of a short-term rental.',
    oneOf(['sale', 'month', 'week']),
  ),
  valueType('flag', 'xs:string', '1 is yes, 0 is no.', oneOf([0, 1])),
  valueType('propertyType', 'xs:string', 'Latin letters, single spaces and &()/-, at least 3 characters.', [
    facet('pattern', '[A-Za-z&()/\\-]+( [A-Za-z&()/\\-]+)*'),
    facet('minLength', 3),
  ]),
  valueType('number', 'xs:double', 'A number without exponent and trailing zeros.', [facet('pattern', NUMBER)]),
  valueType('degrees', 'xs:decimal', 'Degrees, to twelve decimals.', [facet('pattern', NUMBER)]),
  valueType('latitude', 'degrees', 'Degrees of WGS 84, north positive.', [
    facet('minInclusive', -90),
    facet('maxInclusive', 90),
  ]),
  valueType('longitude', 'degrees', 'Degrees of WGS 84, east positive.', [
    facet('minInclusive', -180),
    facet('maxInclusive', 180),
  ]),
  valueType('count', 'xs:nonNegativeInteger', 'An integer, 0 or more.', [facet('pattern', '0|[1-9][0-9]*')]),
  valueType('energyLetter', 'xs:string', 'A letter from A (best) to G; X means not rated.', oneOf([...'ABCDEFGX'])),
  valueType('status', 'xs:string', 'Whether the property is still available.', [
    ...oneOf(['Available', 'Under Offer', 'Sale Agreed']),
  ]),
  valueType('pageUrl', 'xs:token', 'A URL of at most 255 characters.', [
    facet('pattern', 'https?://.*'),
    facet('maxLength', 255),
  ]),
  valueType(
    'pictureUrl',
    'xs:token',
    'A URL that ends like the name of an image: one that does not has #.jpg appended.',
    [facet('pattern', '(https?|ftp)://.*\\.(gif|jpe?g|png|GIF|JPE?G|PNG)')],
  ),
  component('complexType', { name: 'languages' }, [
    documented('A text in the requested languages, by their codes of ISO 639-1. Languages without a text are omitted.'),
    inLanguages('text'),
  ]),
  component('complexType', { name: 'pages' }, [
    documented('A web page in the requested languages that have one, by their codes of ISO 639-1.'),
    inLanguages('pageUrl'),
  ]),
];

function inLanguages(type: string): Component {
  return sequence(
    KYERO_LANGUAGES.map(({ code, element: name }) => element(name, 'optional', type, `Language code ${code}.`)),
  );
}
