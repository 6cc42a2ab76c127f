import { FEED_ERROR_STATUS, type FeedErrorCode } from '../feed/document/error-document.ts';
import { KYERO } from '../feed/formats/kyero/format.ts';
import type { AllowedValues, Parameter as FeedParameter } from '../feed/formats/parameters.ts';
import { RESALES } from '../feed/formats/resales/format.ts';
import { PAGING_PARAMETERS } from '../feed/formats/resales/parameters.ts';
import type { HeaderName } from '../http/headers.ts';
import type { DocumentedResponse, Example, Operation, Parameter } from './operation.ts';
import { LOGGED, QUOTE_REQUEST, UNEXPECTED } from './problems.ts';
import { feedDocument, feedError } from './schemas/feed.ts';

/** JSON Schema of a parameter's values. */
export function schemaOfAllowed(allowed: AllowedValues): { readonly [keyword: string]: unknown } {
  switch (allowed.kind) {
    case 'choice':
      return { type: 'string', enum: allowed.choices };
    case 'integer':
      return { type: 'integer', minimum: allowed.least, ...(allowed.most !== null && { maximum: allowed.most }) };
    case 'list':
      return { type: 'array', items: { type: 'integer', minimum: allowed.least, maximum: allowed.most }, minItems: 1 };
    case 'none':
      return { type: 'string', maxLength: 0 };
  }
}

function parameterOf(parameter: FeedParameter<unknown> & { readonly version3?: object }): Parameter {
  const { name, type, effect, version3 } = parameter;
  const usual = type.format(parameter.default);
  const schema = schemaOfAllowed(type.allowed);
  const value = schema.type === 'integer' ? Number(usual) : schema.type === 'array' ? parameter.default : usual;
  return {
    name,
    in: 'query',
    description: `${sentence(effect.en)}${inVersion3(version3, type.format)}`,
    schema: { ...schema, default: value },
    ...(schema.type === 'array' && { explode: false }),
  };
}

const OF_PAGING = Object.values(PAGING_PARAMETERS).map(
  ({ name, type, effect }): Parameter => ({
    name,
    in: 'query',
    description: sentence(effect),
    schema: schemaOfAllowed(type.allowed),
  }),
);

function inVersion3(difference: object | undefined, format: (value: unknown) => string): string {
  if (difference === undefined) return '';
  if ('always' in difference) return ` Always ${format(difference.always)} in version 3.`;
  return 'default' in difference ? ` Default in version 3: ${format(difference.default)}.` : '';
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

const XML = 'application/xml; charset=utf-8';

/** The headers that the 304 repeats. */
const VALIDATORS = ['ETag', 'Cache-Control', 'Vary', 'Cache-Status'] as const satisfies readonly HeaderName[];

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

const DEMO = { U: 'OWNPROPERTIES@DEMO', P: 'demo' };
const VERSION_3 = { ...DEMO, FV: '3', Language: '1' };

function error(
  code: FeedErrorCode,
  description: string,
  message: string,
  example: Omit<Example, 'body'>,
  headers: readonly HeaderName[] = [],
): DocumentedResponse {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<root><error><code>${code}</code><message>${message.replaceAll("'", '&apos;')}</message></error></root>`;
  return {
    status: FEED_ERROR_STATUS[code],
    description: `\`${code}\`: ${description}`,
    headers: ['Cache-Control', ...headers, ...LOGGED],
    content: { mediaType: XML, schema: feedError },
    examples: [{ ...example, body }],
  };
}

const REQUEST_HEADERS: readonly Parameter[] = [
  {
    name: 'Accept-Encoding',
    in: 'header',
    description: 'gzip or identity; without the header, identity.',
    schema: { type: 'string' },
    example: 'gzip',
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the last response: 304 if the feed is the same.',
    schema: { type: 'string' },
  },
  {
    name: 'If-Modified-Since',
    in: 'header',
    description: 'The `Last-Modified` of the last response; ignored with `If-None-Match`.',
    schema: { type: 'string' },
  },
];

/**
 * The errors that every format has.
 *
 * @param query of a feed with a record
 * @param unexpected the name of the example of an unexpected error
 */
function commonErrors(query: Readonly<Record<string, string>>, unexpected: string): DocumentedResponse[] {
  return [
    error(
      'bad_credentials',
      'no credentials, or wrong ones.',
      'The account or the password is wrong.',
      { name: 'badCredentials', request: { query: { ...DEMO, P: 'wrong' } } },
      ['WWW-Authenticate'],
    ),
    error(
      'method_not_allowed',
      'neither GET nor HEAD.',
      'Use GET or HEAD.',
      { name: 'methodNotAllowed', request: { method: 'POST', query: DEMO } },
      ['Allow'],
    ),
    error(
      'no_acceptable_encoding',
      '`Accept-Encoding` excludes both gzip and identity.',
      'Only gzip and identity encodings are supported.',
      { name: 'noAcceptableEncoding', request: { query: DEMO, headers: { 'Accept-Encoding': 'br, *;q=0' } } },
    ),
    error(
      'precondition_failed',
      'the feed does not match `If-Match`, or has changed after `If-Unmodified-Since`.',
      'The feed has changed since then.',
      { name: 'preconditionFailed', request: { query: query, headers: { 'If-Match': '"other"' } } },
    ),
    error(
      'too_many_attempts',
      'too many unverified passwords for an account from one address.',
      'Too many password attempts. Retry in a minute.',
      {
        name: 'tooManyAttempts',
        request: { query: { ...DEMO, P: 'wrong again' } },
        when: 'a rate limit is exceeded',
      },
      ['Retry-After'],
    ),
    error('internal', UNEXPECTED, QUOTE_REQUEST, {
      name: unexpected,
      request: { query: { ...query, IC: '0' } },
      when: 'an unexpected error',
    }),
    error(
      'unavailable',
      'the database cannot be read.',
      'The feed is temporarily unavailable. Retry later.',
      { name: 'unavailable', request: { query: { ...query, IC: '1' } }, when: 'the database fails' },
      ['Retry-After'],
    ),
  ];
}

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

/** Kyero's format of the feed. */
const KYERO_OPERATION: Operation = {
  path: '/kyero.xml',
  method: 'get',
  id: 'getKyeroFeed',
  tag: 'Feed',
  summary: "The properties of an account in Kyero's format",
  description:
    'The same feed as a Kyero v3 document, in any directory and in any letter case, with a record for each offer of a ' +
    'property. A parameter that only the other format has is an error. The schemas are at `/schemas/kyero.xsd` and, with ' +
    '`Extended=TRUE`, `/schemas/kyero-extended.xsd`. HEAD works as well.',
  security: ['feedQuery', 'feedBasic'],
  parameters: [...KYERO.feedParameters.map(parameterOf), ...REQUEST_HEADERS],
  responses: [
    {
      status: 200,
      description: 'The feed.',
      headers: [...VALIDATORS, 'Last-Modified', 'Content-Length', ...LOGGED],
      content: { mediaType: XML, schema: feedDocument },
      examples: [{ name: 'kyero', request: { query: DEMO }, body: KYERO_FEED }],
    },
    {
      status: 304,
      description: 'The reader has this feed.',
      headers: VALIDATORS,
      examples: [{ name: 'notModified', request: { query: DEMO }, when: 'unchanged since the last request' }],
    },
    error('bad_parameter', 'a value is not allowed, or a parameter is repeated.', "IC is 'all'; allowed: 0 to 999.", {
      name: 'badParameter',
      request: { query: { ...DEMO, IC: 'all' } },
    }),
    error('unsupported_parameter', 'a parameter that only the other format has.', 'FV is not supported in kyero.xml.', {
      name: 'unsupportedParameter',
      request: { query: VERSION_3 },
    }),
    ...commonErrors(DEMO, 'kyeroInternal'),
  ],
};

/** Operations of the feed. */
export const FEED_OPERATIONS: readonly Operation[] = [
  {
    path: '/CreateXMLFeedV3.asp',
    method: 'get',
    id: 'getFeed',
    tag: 'Feed',
    summary: 'The properties of an account',
    description:
      'The feed `OWNPROPERTIES@` as an XML document, always complete. The path may be in any directory and in any letter ' +
      'case. Names of parameters and their values may be in any letter case; a parameter without a value counts as ' +
      'absent, and unknown ones are ignored. HEAD works as well.\n\n' +
      'Send `Accept-Encoding: gzip`: a feed is about five times smaller then. With `If-None-Match` and the `ETag` of the ' +
      'last response, a feed that has not changed costs nothing.',
    security: ['feedQuery', 'feedBasic'],
    parameters: [...RESALES.feedParameters.map(parameterOf), ...OF_PAGING, ...REQUEST_HEADERS],
    responses: [
      {
        status: 200,
        description: 'The feed.',
        headers: [...VALIDATORS, 'Last-Modified', 'Content-Length', ...LOGGED],
        content: { mediaType: XML, schema: feedDocument },
        examples: [
          {
            name: 'version3',
            request: { query: VERSION_3 },
            body: `${BEFORE_RECORDS}${RECORD}\n</root>\n`,
          },
          {
            name: 'page2',
            request: { query: { ...DEMO, FV: '3', P_PageNo: '2' } },
            body: `${BEFORE_RECORDS}</root>\n`,
          },
        ],
      },
      {
        status: 304,
        description: 'The reader has this feed.',
        headers: VALIDATORS,
        examples: [{ name: 'notModified', request: { query: VERSION_3 }, when: 'unchanged since the last request' }],
      },
      error('bad_parameter', 'a value is not allowed, or a parameter is repeated.', "FV is '4'; allowed: 1, 2, 3.", {
        name: 'badParameter',
        request: { query: { ...DEMO, FV: '4' } },
      }),
      error(
        'unsupported_parameter',
        '`Ref`, or `N` and the feed has at least N records.',
        'The feed has 1 record, and N is 1. A feed is always complete: omit N or set it above 1.',
        { name: 'unsupportedParameter', request: { query: { ...VERSION_3, N: '1' } } },
      ),
      ...commonErrors(VERSION_3, 'feedInternal'),
    ],
  },
  KYERO_OPERATION,
];
