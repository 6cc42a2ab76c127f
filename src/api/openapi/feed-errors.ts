import * as z from 'zod';
import { FEED_ERROR_STATUS, type FeedErrorCode } from '../../feed/document/error-document.ts';
import { type HeaderName, LOGGED } from '../../http/headers.ts';
import { type DocumentedResponse, type Example, QUOTE_REQUEST, UNEXPECTED } from '../../http/operation.ts';
import { named } from '../../http/schemas.ts';

export const XML = 'application/xml; charset=utf-8';
export const JSON_TYPE = 'application/json';

/** The form of a format's documents and errors. */
type Form = 'XML' | 'JSON';

/** The credentials of the demo account. */
export const DEMO = { U: 'OWNPROPERTIES@DEMO', P: 'demo' };

const feedError = named(
  'FeedError',
  z.string().meta({
    description:
      'XML: `<root><error><code/><message/></error></root>`, with its schema at `/schemas/error.xsd`. Codes: ' +
      `${Object.keys(FEED_ERROR_STATUS).join(', ')}.`,
  }),
);

const jsonFeedError = named(
  'JsonFeedError',
  z.object({ error: z.object({ code: z.enum(Object.keys(FEED_ERROR_STATUS)), message: z.string() }) }),
);

/** An error in the form of its format's documents, with the request that causes it. */
export function feedErrorIn(form: Form) {
  return (
    code: FeedErrorCode,
    description: string,
    message: string,
    { name, ...example }: Omit<Example, 'body'> & { readonly name: string },
    headers: readonly HeaderName[] = [],
  ): DocumentedResponse => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<root><error><code>${code}</code><message>${message.replaceAll("'", '&apos;')}</message></error></root>`;
    return {
      status: FEED_ERROR_STATUS[code],
      description: `\`${code}\`: ${description}`,
      headers: ['Cache-Control', ...headers, ...LOGGED],
      content: form === 'XML' ? { mediaType: XML, schema: feedError } : { mediaType: JSON_TYPE, schema: jsonFeedError },
      examples: { [name]: { ...example, body: form === 'XML' ? xml : { error: { code, message } } } },
    };
  };
}

/**
 * The errors that every format has.
 *
 * @param query of a feed with a record
 * @param unexpected the name of the example of an unexpected error
 */
export function commonErrors(
  form: Form,
  query: Readonly<Record<string, string>>,
  unexpected: string,
): DocumentedResponse[] {
  const error = feedErrorIn(form);
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
      { name: 'preconditionFailed', request: { query, headers: { 'If-Match': '"other"' } } },
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
      request: { query: { ...query, IC: '2' } },
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
