import * as z from 'zod';
import { content, type ErrorExample, empty, errorResponses } from '../api/responses.ts';
import { createRoute } from '../api/router.ts';
import { named, namedObject, optionalHeaders } from '../api/schemas.ts';
import type { FeedFormat } from '../feed/formats/format.ts';
import { FORMATS } from '../feed/formats/formats.ts';
import type {
  AllowedValues,
  Parameter as FeedParameter,
  FurtherParameter,
} from '../feed/formats/parameters.ts';
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

/** A parameter that does not decide which bytes a feed has. */
function furtherParameter({ name, type, effect }: FurtherParameter): [string, z.ZodType] {
  return [
    name,
    z.unknown().meta({ ...schemaOfAllowed(type.allowed), description: sentence(effect) }),
  ];
}

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

/** What a program may rely on in documents of JSON, by the names of formats. */
const JSON_FEEDS: Readonly<Record<string, z.ZodType>> = {
  idealista: named(
    'IdealistaFeed',
    z.looseObject({
      customerCode: z.string(),
      customerProperties: z.array(z.looseObject({ propertyCode: z.string() })),
      customerNewDevelopments: z.array(z.looseObject({ propertyCode: z.string() })).optional(),
    }),
  ),
};

const jsonError = namedObject('JsonFeedError', {
  error: z.object({ code: z.enum(codes), message: z.string() }),
});

/** The errors that every feed documents: code, when it occurs, and an example. */
const EVERY_FEED: readonly (readonly [FeedErrorCode, string, string])[] = [
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

function describeFeed({
  name,
  file,
  mediaType,
  about,
  feedParameters,
  furtherParameters = [],
}: FeedFormat) {
  const { errors, examples = {}, ...described } = about;
  const isJson = mediaType === JSON_TYPE;
  const parameters = [
    ...feedParameters.map(parameterOf),
    ...furtherParameters.map(furtherParameter),
  ];
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
    path: `/${file}`,
    method: 'get',
    tags: ['Feed'],
    security: [{ feedAccount: [], feedPassword: [] }, { feedBasic: [] }],
    request: { query: z.object(Object.fromEntries(parameters)), headers: REQUEST_HEADERS },
    responses: {
      200: isJson
        ? content(JSON_TYPE, JSON_FEEDS[name] ?? z.looseObject({}), 'The feed.', { headers })
        : content(XML_TYPE, xmlFeed, 'The feed.', { headers, examples }),
      304: empty('The reader has this feed.', [...HEADERS, 'Cache-Control']),
      ...errorResponses(isJson ? JSON_TYPE : XML_TYPE, isJson ? jsonError : xmlError, all),
    },
  });
}

/** The feeds, which no router serves. */
export const feeds = FORMATS.map(describeFeed);
