import * as z from 'zod';
import { Api } from '../api/api.ts';
import { type ErrorForm, empty, type Operation } from '../api/operation.ts';
import { named, namedObject, optionalHeaders } from '../api/schemas.ts';
import { IDEALISTA } from '../feed/formats/idealista/format.ts';
import { KYERO } from '../feed/formats/kyero/format.ts';
import type { AllowedValues, Parameter as FeedParameter } from '../feed/formats/parameters.ts';
import { RESALES } from '../feed/formats/resales/format.ts';
import { PAGING_PARAMETERS } from '../feed/formats/resales/parameters.ts';
import { errorText, FEED_ERROR_STATUS, type FeedErrorCode } from '../feed/response/errors.ts';
import { XML_TYPE } from '../lib/bytes/xml.ts';
import EXAMPLES from './examples.json' with { type: 'json' };

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
  const form = type.allowed.kind === 'text' ? ` Allowed: ${type.allowed.words}.` : '';
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

const errorFormOf = (isJson: boolean): ErrorForm => ({
  mediaType: isJson ? JSON_TYPE : XML_TYPE,
  schema: isJson ? jsonError : xmlError,
  statuses: FEED_ERROR_STATUS,
  bodyOf: (code, message) =>
    isJson ? { error: { code, message } } : errorText(code as FeedErrorCode, message, isJson),
});

/** The feeds, which are served without a router. */
export const feed = new Api('Feed', EXAMPLES);

interface FeedDescription
  extends Pick<Operation, 'path' | 'operationId' | 'summary' | 'description'> {
  readonly parameters: readonly (readonly [string, z.ZodType])[];
  readonly isJson?: boolean;
}

function describeFeed({ parameters, isJson = false, ...described }: FeedDescription): void {
  const found = empty(
    'The feed.',
    'ETag',
    'Vary',
    'Cache-Status',
    'Last-Modified',
    'Content-Length',
  );
  feed.describe({
    ...described,
    method: 'get',
    security: [{ feedAccount: [], feedPassword: [] }, { feedBasic: [] }],
    request: { query: z.object(Object.fromEntries(parameters)), headers: REQUEST_HEADERS },
    responses: {
      200: {
        ...found,
        content: isJson
          ? { mediaType: JSON_TYPE, schema: idealistaFeed }
          : { mediaType: XML_TYPE, schema: xmlFeed },
      },
      304: empty('The reader has this feed.', 'ETag', 'Cache-Control', 'Vary', 'Cache-Status'),
    },
    errorForm: errorFormOf(isJson),
    problems: EXAMPLES.everyFeed.problems,
  });
}

describeFeed({
  path: '/CreateXMLFeedV3.asp',
  operationId: 'getFeed',
  summary: 'The properties of an account',
  description:
    'All properties of the account that the parameters select, as one XML document: the feed type `OWNPROPERTIES@`. The ' +
    'path may be in any directory except `/v1/`, and in any letter case. Names of parameters and their values may be in ' +
    'any letter case; a parameter without a value counts as absent, and unknown ones are ignored.\n\n' +
    'Send `Accept-Encoding: gzip`: a feed is about five times smaller then. With `If-None-Match` and the `ETag` of the ' +
    'last response, a feed that has not changed costs nothing.',
  parameters: [...RESALES.feedParameters.map(parameterOf), ...OF_PAGING],
});

describeFeed({
  path: '/kyero.xml',
  operationId: 'getKyeroFeed',
  summary: "The properties of an account in Kyero's format",
  description:
    'The same feed as a Kyero v3 document, in any directory and in any letter case, with a record for each offer of a ' +
    "property. A parameter that only ReSales-Online's format has is an error. The schemas are at `/schemas/kyero.xsd` and, with " +
    '`Extended=TRUE`, `/schemas/kyero-extended.xsd`.',
  parameters: KYERO.feedParameters.map(parameterOf),
});

describeFeed({
  path: '/idealista.json',
  operationId: 'getIdealistaFeed',
  summary: "The properties and new developments of an account in Idealista's format",
  description:
    'The same feed as JSON, version 6: what Idealista accepts of the properties, and the developments with their units. ' +
    '`GET /v1/report?format=idealista` has the reason for everything that is left out. `CustomerCode` is required: in the ' +
    'request, in the preset of the reader, or set for the account with `lindero format set`. A portal that sends no ' +
    'credentials fetches `/feeds/<account code>/<key>/idealista.json`.',
  parameters: IDEALISTA.feedParameters.map(parameterOf),
  isJson: true,
});
