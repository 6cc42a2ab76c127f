import * as z from 'zod';
import { content, type ErrorExample, empty, errorResponses } from '../api/responses.ts';
import { createRoute } from '../api/router.ts';
import { named, namedObject, optionalHeaders } from '../api/schemas.ts';
import { IDEALISTA } from '../feed/formats/idealista/format.ts';
import { KYERO } from '../feed/formats/kyero/format.ts';
import type { AllowedValues, Parameter as FeedParameter } from '../feed/formats/parameters.ts';
import { RESALES } from '../feed/formats/resales/format.ts';
import { PAGING_PARAMETERS } from '../feed/formats/resales/parameters.ts';
import { errorText, FEED_ERROR_STATUS, type FeedErrorCode } from '../feed/response/errors.ts';
import { XML_TYPE } from '../lib/bytes/xml.ts';
import { inEnglish } from '../messages/messages.ts';

const JSON_TYPE = 'application/json';

/** JSON Schema of a parameter's values. */
function schemaOfAllowed(allowed: AllowedValues): { readonly [keyword: string]: unknown } {
  switch (allowed.kind) {
    case 'choice':
      return { type: 'string', enum: allowed.choices };
    case 'integer':
      return {
        type: 'integer',
        minimum: allowed.least,
        ...(allowed.most !== null && { maximum: allowed.most }),
      };
    case 'list':
      return {
        type: 'array',
        items: { type: 'integer', minimum: allowed.least, maximum: allowed.most },
        minItems: 1,
        param: { style: 'form', explode: false },
      };
    case 'text':
      return { type: 'string' };
    case 'none':
      return { type: 'string', maxLength: 0 };
  }
}

/** A parameter in the form in which routes declare theirs. */
function parameterOf(
  parameter: FeedParameter<unknown> & { readonly version3?: object },
): [string, z.ZodType] {
  const { name, type, effect, version3 } = parameter;
  const usual = type.format(parameter.default);
  const schema = schemaOfAllowed(type.allowed);
  const value =
    schema.type === 'integer' ? Number(usual) : schema.type === 'array' ? parameter.default : usual;
  const form = type.allowed.kind === 'text' ? ` Allowed: ${inEnglish(type.allowed.words)}.` : '';
  const description = `${sentence(effect)}${form}${inVersion3(version3, type.format)}`;
  return [
    name,
    z.unknown().meta({ ...schema, description, ...(value !== '' && { default: value }) }),
  ];
}

const OF_PAGING = Object.values(PAGING_PARAMETERS).map(
  ({ name, type, effect }): [string, z.ZodType] => [
    name,
    z.unknown().meta({ ...schemaOfAllowed(type.allowed), description: sentence(effect) }),
  ],
);

function inVersion3(difference: object | undefined, format: (value: unknown) => string): string {
  if (difference === undefined) return '';
  if ('always' in difference) return ` Always ${format(difference.always)} in version 3.`;
  return 'default' in difference ? ` Default in version 3: ${format(difference.default)}.` : '';
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

const REQUEST_HEADERS = optionalHeaders({
  'Accept-Encoding': {
    description: 'gzip or identity; without the header, identity.',
    example: 'gzip',
  },
  'If-None-Match': { description: 'The `ETag` of the last response: 304 if the feed is the same.' },
  'If-Modified-Since': {
    description: 'The `Last-Modified` of the last response; ignored with `If-None-Match`.',
  },
});

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

const codes = Object.keys(FEED_ERROR_STATUS);
const XML_SCHEMAS = '`/schemas/feed-v1.xsd` to `/schemas/feed-v3.xsd` and `/schemas/kyero.xsd`';

const xmlFeed = named('Feed', z.string().describe(`XML; the schemas are at ${XML_SCHEMAS}.`));

const xmlError = named(
  'FeedError',
  z
    .string()
    .describe(
      'XML: `<root><error><code/><message/></error></root>`, with its schema at `/schemas/error.xsd`. Codes: ' +
        `${codes.join(', ')}.`,
    ),
);

const idealistaFeed = named(
  'IdealistaFeed',
  z.looseObject({
    customerCode: z.string(),
    customerProperties: z.array(z.looseObject({ propertyCode: z.string() })),
    customerNewDevelopments: z.array(z.looseObject({ propertyCode: z.string() })).optional(),
  }),
);

const jsonError = namedObject('JsonFeedError', {
  error: z.object({ code: z.enum(codes), message: z.string() }),
});

/** An error that a feed documents. */
type FeedError = readonly [code: FeedErrorCode, description: string, message: string];

const EVERY_FEED: readonly FeedError[] = [
  ['bad_credentials', 'no credentials, or wrong ones.', 'The account or the password is wrong.'],
  ['method_not_allowed', 'neither GET nor HEAD.', 'Use GET or HEAD.'],
  [
    'no_acceptable_encoding',
    '`Accept-Encoding` excludes both gzip and identity.',
    'Only gzip and identity encodings are supported.',
  ],
  [
    'precondition_failed',
    'the feed does not match `If-Match`, or has changed after `If-Unmodified-Since`.',
    'The feed has changed since then.',
  ],
  [
    'too_many_attempts',
    'too many unverified passwords for an account from one address.',
    'Too many password attempts. Retry in a minute.',
  ],
  [
    'internal',
    'unexpected; the log contains the error under the id that the document states.',
    'Please quote request 0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e.',
  ],
  [
    'unavailable',
    'the database cannot be read.',
    'The feed is temporarily unavailable. Retry later.',
  ],
];

const HEADERS = ['ETag', 'Vary', 'Cache-Status'] as const;

interface FeedDescription {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (readonly [string, z.ZodType])[];
  readonly isJson?: boolean;
  readonly errors: readonly FeedError[];
  readonly examples?: Readonly<Record<string, string>>;
}

function describeFeed({
  parameters,
  isJson = false,
  errors,
  examples = {},
  ...described
}: FeedDescription) {
  const all = [...EVERY_FEED, ...errors].map(
    ([code, description, message]): ErrorExample => ({
      name: code,
      code,
      status: FEED_ERROR_STATUS[code],
      description,
      body: isJson ? { error: { code, message } } : errorText(code, message, false),
    }),
  );
  const headers = [...HEADERS, 'Last-Modified', 'Content-Length'] as const;
  return createRoute({
    ...described,
    method: 'get',
    tags: ['Feed'],
    security: [{ feedAccount: [], feedPassword: [] }, { feedBasic: [] }],
    request: { query: z.object(Object.fromEntries(parameters)), headers: REQUEST_HEADERS },
    responses: {
      200: isJson
        ? content(JSON_TYPE, idealistaFeed, 'The feed.', { headers })
        : content(XML_TYPE, xmlFeed, 'The feed.', { headers, examples }),
      304: empty('The reader has this feed.', [...HEADERS, 'Cache-Control']),
      ...errorResponses(isJson ? JSON_TYPE : XML_TYPE, isJson ? jsonError : xmlError, all),
    },
  });
}

const PROPERTY = [
  '<property><id>R4100001</id><ref>CS-1001</ref><last_updated>2026-03-04 05:06:07',
  '</last_updated><status>Available</status><availability>Available</availability>',
  '<currency>EUR</currency><price>1250000</price><price_freq>sale</price_freq>',
  '<price_minimum>0</price_minimum><type><uk>House</uk></type><subtype><uk>Detached Villa',
  '</uk></subtype><town>Marbella</town><area>Nueva Andalucía</area><province>Málaga',
  '</province><location><latitude>36.5</latitude><longitude>-4.95</longitude></location>',
  '<beds>5</beds><baths>4</baths><Bath>4.5</Bath><surface_area><built>320</built><plot>1100',
  '</plot></surface_area><built_year>2004</built_year><has_pool>1</has_pool><has_garden>0',
  '</has_garden><has_garage>0</has_garage><energy_rating><emissions>B</emissions>',
  '<consumption>C</consumption></energy_rating><description><uk>A villa close to the sea.',
  '</uk></description><characteristics><category><name><uk>Views</uk></name><value><uk>Sea',
  '</uk></value></category></characteristics><images><image id="1">',
  '<url>https://pictures.example/1.jpg</url></image></images></property>',
].join('');

/** A feed with these records. */
function version3(...records: readonly string[]): string {
  const version = '<resalesonline><feed_version>3</feed_version></resalesonline>';
  return [XML_DECLARATION, '<root>', version, ...records, '</root>', ''].join('\n');
}

/** The feeds, which no router serves. */
export const feeds = [
  describeFeed({
    path: '/CreateXMLFeedV3.asp',
    operationId: 'getFeed',
    summary: 'The properties of an account',
    description:
      'All properties of the account that the parameters select, as one XML document: the feed ' +
      'type `OWNPROPERTIES@`. The path may be in any directory except `/v1/`, and in any letter ' +
      'case. Names of parameters and their values may be in any letter case; a parameter ' +
      'without a value counts as absent, and unknown ones are ignored.\n\nSend ' +
      '`Accept-Encoding: gzip`: a feed is about five times smaller then. With `If-None-Match` ' +
      'and the `ETag` of the last response, a feed that has not changed costs nothing.',
    parameters: [...RESALES.feedParameters.map(parameterOf), ...OF_PAGING],
    errors: [
      [
        'bad_parameter',
        'a value is not allowed, or a parameter is repeated.',
        "FV is '4'; allowed: 1, 2, 3.",
      ],
      [
        'unsupported_parameter',
        '`Ref`, or `N` and the feed has at least N records.',
        'The feed has 1 record, and N is 1. A feed is always complete: omit N or set it above 1.',
      ],
    ],
    examples: { version3: version3(PROPERTY), page2: version3() },
  }),
  describeFeed({
    path: '/kyero.xml',
    operationId: 'getKyeroFeed',
    summary: "The properties of an account in Kyero's format",
    description:
      'The same feed as a Kyero v3 document, in any directory and in any letter case, with a ' +
      'record for each offer of a ' +
      "property. A parameter that only ReSales-Online's format has is an error. The schemas are " +
      'at `/schemas/kyero.xsd` and, with ' +
      '`Extended=TRUE`, `/schemas/kyero-extended.xsd`.',
    parameters: KYERO.feedParameters.map(parameterOf),
    errors: [
      [
        'bad_parameter',
        'a value is not allowed, or a parameter is repeated.',
        "IC is 'all'; allowed: 0 to 999.",
      ],
      [
        'unsupported_parameter',
        "a parameter that only ReSales-Online's format has.",
        'FV is not supported in kyero.xml.',
      ],
    ],
  }),
  describeFeed({
    path: '/idealista.json',
    operationId: 'getIdealistaFeed',
    summary: "The properties and new developments of an account in Idealista's format",
    description:
      'The same feed as JSON, version 6: what Idealista accepts of the properties, and the ' +
      'developments with their units. `GET /v1/report?format=idealista` has the reason for ' +
      'everything that is left out. `CustomerCode` is required: in the request, in the preset ' +
      'of the reader, or set for the account with `lindero format set`. A portal that sends no ' +
      'credentials fetches `/feeds/<account code>/<key>/idealista.json`.',
    parameters: IDEALISTA.feedParameters.map(parameterOf),
    isJson: true,
    errors: [
      [
        'bad_parameter',
        '`CustomerCode` is missing, a value is not allowed, or a parameter is repeated.',
        'CustomerCode is missing: Idealista gives each agency one, ilc and 40 letters or ' +
          'digits. Store it with lindero format set.',
      ],
    ],
  }),
];
