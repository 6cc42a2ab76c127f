import * as z from 'zod';
import { IDEALISTA } from '../../feed/formats/idealista/format.ts';
import { KYERO } from '../../feed/formats/kyero/format.ts';
import type { AllowedValues, Parameter as FeedParameter } from '../../feed/formats/parameters.ts';
import { RESALES } from '../../feed/formats/resales/format.ts';
import { PAGING_PARAMETERS } from '../../feed/formats/resales/parameters.ts';
import { Api } from '../../http/api.ts';
import { empty } from '../../http/operation.ts';
import { named } from '../../http/schemas.ts';
import { commonErrors, DEMO, feedErrorIn, JSON_TYPE, XML } from './feed-errors.ts';

const xmlError = feedErrorIn('XML');

/** JSON Schema of a parameter's values. */
export function schemaOfAllowed(allowed: AllowedValues): { readonly [keyword: string]: unknown } {
  switch (allowed.kind) {
    case 'choice':
      return { type: 'string', enum: allowed.choices };
    case 'integer':
      return { type: 'integer', minimum: allowed.least, ...(allowed.most !== null && { maximum: allowed.most }) };
    case 'list':
      return { type: 'array', items: { type: 'integer', minimum: allowed.least, maximum: allowed.most }, minItems: 1 };
    case 'text':
      return { type: 'string', description: allowed.words };
    case 'none':
      return { type: 'string', maxLength: 0 };
  }
}

/** A parameter in the form in which routes declare theirs. */
function parameterOf(parameter: FeedParameter<unknown> & { readonly version3?: object }): [string, z.ZodType] {
  const { name, type, effect, version3 } = parameter;
  const usual = type.format(parameter.default);
  const schema = schemaOfAllowed(type.allowed);
  const value = schema.type === 'integer' ? Number(usual) : schema.type === 'array' ? parameter.default : usual;
  const description = `${sentence(effect.en)}${inVersion3(version3, type.format)}`;
  return [name, z.unknown().meta({ ...schema, description, default: value })];
}

const OF_PAGING = Object.values(PAGING_PARAMETERS).map(({ name, type, effect }): [string, z.ZodType] => [
  name,
  z.unknown().meta({ ...schemaOfAllowed(type.allowed), description: sentence(effect) }),
]);

function inVersion3(difference: object | undefined, format: (value: unknown) => string): string {
  if (difference === undefined) return '';
  if ('always' in difference) return ` Always ${format(difference.always)} in version 3.`;
  return 'default' in difference ? ` Default in version 3: ${format(difference.default)}.` : '';
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

const BEFORE_RECORDS = `<?xml version="1.0" encoding="UTF-8"?>
<root>
<resalesonline><feed_version>3</feed_version></resalesonline>
`;

/** One line of the feed. */
const RECORD = [
  '<property><id>R4100001</id><ref>CS-1001</ref><last_updated>2026-03-04 05:06:07</last_updated>',
  '<status>Available</status><availability>Available</availability><currency>EUR</currency>',
  '<price>1250000</price><price_freq>sale</price_freq><price_minimum>0</price_minimum>',
  '<type><uk>House</uk></type><subtype><uk>Detached Villa</uk></subtype><town>Marbella</town>',
  '<area>Nueva Andalucía</area><province>Málaga</province><location><latitude>36.5</latitude>',
  '<longitude>-4.95</longitude></location><beds>5</beds><baths>4</baths><Bath>4.5</Bath>',
  '<surface_area><built>320</built><plot>1100</plot></surface_area><built_year>2004</built_year>',
  '<has_pool>1</has_pool><has_garden>0</has_garden><has_garage>0</has_garage>',
  '<energy_rating><emissions>B</emissions><consumption>C</consumption></energy_rating>',
  '<description><uk>A villa close to the sea.</uk></description>',
  '<characteristics><category><name><uk>Views</uk></name><value><uk>Sea</uk></value></category></characteristics>',
  '<images><image id="1"><url>https://pictures.example/1.jpg</url></image></images></property>',
].join('');

const VERSION_3 = { ...DEMO, FV: '3', Language: '1' };

const REQUEST_HEADERS = z.object({
  'Accept-Encoding': z
    .string()
    .meta({ description: 'gzip or identity; without the header, identity.', example: 'gzip' }),
  'If-None-Match': z.string().meta({ description: 'The `ETag` of the last response: 304 if the feed is the same.' }),
  'If-Modified-Since': z
    .string()
    .meta({ description: 'The `Last-Modified` of the last response; ignored with `If-None-Match`.' }),
});

const XML_SCHEMAS = '`/schemas/feed-v1.xsd` to `/schemas/feed-v3.xsd` and `/schemas/kyero.xsd`';

const feedDocument = named('Feed', z.string().meta({ description: `XML; the schemas are at ${XML_SCHEMAS}.` }));

const KYERO_FEED = `<?xml version="1.0" encoding="UTF-8"?>
<root>
<kyero><feed_version>3</feed_version></kyero>
${[
  '<property><id>R4100001</id><date>2026-03-04 05:06:07</date><ref>CS-1001</ref><price>1250000</price>',
  '<currency>EUR</currency><price_freq>sale</price_freq><part_ownership>0</part_ownership><leasehold>0</leasehold>',
  '<new_build>0</new_build><type>Villa</type><town>Marbella</town><province>Málaga</province><country>Spain</country>',
  '<location><latitude>36.5</latitude><longitude>-4.95</longitude></location>',
  '<location_detail>Nueva Andalucía</location_detail><beds>5</beds><baths>4</baths><pool>1</pool>',
  '<surface_area><built>320</built><plot>1100</plot></surface_area>',
  '<energy_rating><consumption>C</consumption><emissions>B</emissions></energy_rating>',
  '<desc><en>A villa close to the sea.</en></desc><features><feature>Sea Views</feature></features>',
  '<images><image id="1"><url>https://pictures.example/1.jpg</url></image></images></property>',
].join('')}
</root>
`;

const idealistaDocument = named(
  'IdealistaFeed',
  z.looseObject({
    customerCode: z.string(),
    customerProperties: z.array(z.looseObject({ propertyCode: z.string() })),
    customerNewDevelopments: z.array(z.looseObject({ propertyCode: z.string() })).optional(),
  }),
);

const SECURITY = [{ feedAccount: [], feedPassword: [] }, { feedBasic: [] }];

const RESPONSES = {
  200: {
    description: 'The feed.',
    documentedHeaders: ['ETag', 'Vary', 'Cache-Status', 'Last-Modified', 'Content-Length'],
    content: { [XML]: { schema: feedDocument } },
  },
  304: empty('The reader has this feed.', 'ETag', 'Cache-Control', 'Vary', 'Cache-Status'),
};

/** The feeds, which are served without a router. */
export const feed = new Api('Feed');

feed.describe({
  path: '/CreateXMLFeedV3.asp',
  method: 'get',
  operationId: 'getFeed',
  summary: 'The properties of an account',
  description:
    'All properties of the account that the parameters select, as one XML document: the feed type `OWNPROPERTIES@`. The ' +
    'path may be in any directory and in any letter case. Names of parameters and their values may be in any letter case; ' +
    'a parameter without a value counts as absent, and unknown ones are ignored. HEAD works as well.\n\n' +
    'Send `Accept-Encoding: gzip`: a feed is about five times smaller then. With `If-None-Match` and the `ETag` of the ' +
    'last response, a feed that has not changed costs nothing.',
  security: SECURITY,
  request: {
    query: z.object(Object.fromEntries([...RESALES.feedParameters.map(parameterOf), ...OF_PAGING])),
    headers: REQUEST_HEADERS,
  },
  responses: RESPONSES,
  errors: [
    xmlError('bad_parameter', 'a value is not allowed, or a parameter is repeated.', "FV is '4'; allowed: 1, 2, 3.", {
      name: 'badParameter',
      request: { query: { ...DEMO, FV: '4' } },
    }),
    xmlError(
      'unsupported_parameter',
      '`Ref`, or `N` and the feed has at least N records.',
      'The feed has 1 record, and N is 1. A feed is always complete: omit N or set it above 1.',
      { name: 'unsupportedParameter', request: { query: { ...VERSION_3, N: '1' } } },
    ),
    ...commonErrors('XML', VERSION_3, 'feedInternal'),
  ],
  examples: {
    version3: { request: { query: VERSION_3 }, body: `${BEFORE_RECORDS}${RECORD}\n</root>\n` },
    page2: { request: { query: { ...DEMO, FV: '3', P_PageNo: '2' } }, body: `${BEFORE_RECORDS}</root>\n` },
    notModified: { status: 304, request: { query: VERSION_3 }, when: 'unchanged since the last request' },
  },
});

feed.describe({
  path: '/kyero.xml',
  method: 'get',
  operationId: 'getKyeroFeed',
  summary: "The properties of an account in Kyero's format",
  description:
    'The same feed as a Kyero v3 document, in any directory and in any letter case, with a record for each offer of a ' +
    'property. A parameter that only the other format has is an error. The schemas are at `/schemas/kyero.xsd` and, with ' +
    '`Extended=TRUE`, `/schemas/kyero-extended.xsd`. HEAD works as well.',
  security: SECURITY,
  request: { query: z.object(Object.fromEntries(KYERO.feedParameters.map(parameterOf))), headers: REQUEST_HEADERS },
  responses: RESPONSES,
  errors: [
    xmlError(
      'bad_parameter',
      'a value is not allowed, or a parameter is repeated.',
      "IC is 'all'; allowed: 0 to 999.",
      {
        name: 'badParameter',
        request: { query: { ...DEMO, IC: 'all' } },
      },
    ),
    xmlError(
      'unsupported_parameter',
      'a parameter that only the other format has.',
      'FV is not supported in kyero.xml.',
      {
        name: 'unsupportedParameter',
        request: { query: VERSION_3 },
      },
    ),
    ...commonErrors('XML', DEMO, 'kyeroInternal'),
  ],
  examples: {
    kyero: { request: { query: DEMO }, body: KYERO_FEED },
    notModified: { status: 304, request: { query: DEMO }, when: 'unchanged since the last request' },
  },
});

/** What the JSON feed has of the property of the other examples. */
const IDEALISTA_PROPERTY = {
  propertyCode: 'R4100001',
  propertyReference: 'CS-1001',
  propertyVisibility: 'idealista',
  propertyAddress: {
    addressVisibility: 'full',
    addressTown: 'Marbella',
    addressCountry: 'Spain',
    addressCoordinatesPrecision: 'exact',
    addressCoordinatesLatitude: 36.5,
    addressCoordinatesLongitude: -4.95,
  },
  propertyFeatures: {
    featuresType: 'house_independent',
    featuresAreaConstructed: 320,
    featuresEnergyCertificateRating: 'C',
    featuresBathroomNumber: 4,
    featuresBedroomNumber: 5,
    featuresAreaPlot: 1_100,
    featuresBuiltYear: 2004,
    featuresPool: true,
  },
  propertyDescriptions: [{ descriptionLanguage: 'english', descriptionText: 'A villa close to the sea.' }],
  propertyImages: [{ imageOrder: 1, imageUrl: 'https://pictures.example/1.jpg' }],
  propertyOperation: { operationType: 'sale', operationPrice: 1_250_000 },
};

const CUSTOMER = { ...DEMO, CustomerCode: `ilc${'a1'.repeat(20)}` };

feed.describe({
  path: '/idealista.json',
  method: 'get',
  operationId: 'getIdealistaFeed',
  summary: "The properties and new developments of an account in Idealista's format",
  description:
    'The same feed as JSON, version 6: what Idealista accepts of the properties, and the developments with their units. ' +
    '`GET /v1/report?format=idealista` has the reason for everything that is left out. `CustomerCode` is required, in the ' +
    'request or in the preset of the reader. A portal that sends no credentials fetches ' +
    '`/feeds/<account code>/<key>/idealista.json`. HEAD works as well.',
  security: SECURITY,
  request: { query: z.object(Object.fromEntries(IDEALISTA.feedParameters.map(parameterOf))), headers: REQUEST_HEADERS },
  responses: {
    ...RESPONSES,
    200: { ...RESPONSES[200], content: { [JSON_TYPE]: { schema: idealistaDocument } } },
  },
  errors: [
    feedErrorIn('JSON')(
      'bad_parameter',
      '`CustomerCode` is missing, a value is not allowed, or a parameter is repeated.',
      'CustomerCode is missing: Idealista gives each agency one, ilc and 40 letters or digits. Store it in the preset.',
      { name: 'missingCode', request: { query: DEMO } },
    ),
    ...commonErrors('JSON', CUSTOMER, 'idealistaInternal'),
  ],
  examples: {
    idealista: {
      request: { query: CUSTOMER },
      body: {
        customerCountry: 'Spain',
        customerCode: CUSTOMER.CustomerCode,
        customerContact: {},
        customerProperties: [IDEALISTA_PROPERTY],
      },
    },
    notModified: { status: 304, request: { query: CUSTOMER }, when: 'unchanged since the last request' },
  },
});
