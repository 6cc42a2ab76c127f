import { HTTPException } from 'hono/http-exception';
import { auth } from 'hono/utils/basic-auth';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { validate } from '../api/validation.ts';
import { BodyError, isEncoded, readBody } from '../lib/http/body.ts';
import { JsonError, parseJson } from '../lib/http/json.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { percentDecoded } from '../lib/http/percent.ts';
import { TOKEN_ERRORS, type TokenErrorCode, tokenRequest } from './schemas.ts';

/** Maximum size of a token request's body, in bytes. */
export const MAX_BYTES = 16 * 1024;

const FORM = 'application/x-www-form-urlencoded';

/** Responses of the token endpoint must not be cached (RFC 6749 section 5.1). */
export const UNCACHED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** Thrown to respond with an error of RFC 6749 section 5.2. */
export class TokenError extends HTTPException {
  /** @param description without quotation marks and backslashes, which RFC 6749 forbids here */
  constructor(
    code: TokenErrorCode,
    description: string,
    status: number = TOKEN_ERRORS[code],
    headers: Readonly<Record<string, string>> = {},
  ) {
    const body = { error: code, error_description: description };
    const res = Response.json(body, { status, headers: { ...UNCACHED, ...headers } });
    super(status as ContentfulStatusCode, { message: description, res });
  }
}

/**
 * Parses a client credentials request (RFC 6749 section 4.4.2). Its parameters are a form or a JSON object; the client is
 * authenticated by HTTP Basic or in the body, but not by both (section 2.3).
 *
 * @returns the client's credentials and the requested scope; without one, all scopes of the client are requested
 * @throws TokenError
 */
export async function parseTokenRequest(request: Request) {
  const { searchParams } = new URL(request.url);
  if (Object.keys(tokenRequest.shape).some((name) => searchParams.has(name))) {
    throw invalid('Send parameters in the body, not in the URL.');
  }
  const entries = await readParameters(request);
  const sent = Object.fromEntries(entries);
  if (Object.keys(sent).length < entries.length) throw invalid('A parameter is repeated.');
  // One without a value counts as absent (section 3.2).
  const given = Object.fromEntries(entries.filter(([, value]) => value !== '' && value !== null));
  const result = validate(tokenRequest, given);
  if ('errors' in result) {
    const [{ pointer, detail }] = result.errors as [(typeof result.errors)[0]];
    const isOtherGrant = pointer === '/grant_type' && typeof given.grant_type === 'string';
    throw new TokenError(
      isOtherGrant ? 'unsupported_grant_type' : 'invalid_request',
      `The parameter ${pointer.slice(1)} ${detail}.`,
    );
  }
  const { client_id: clientId, client_secret: secret, scope } = result.value;
  if (request.headers.has('Authorization'))
    return { ...basicCredentials(request, clientId, secret), scope };
  if (clientId !== undefined && secret !== undefined) return { clientId, secret, scope };
  throw invalidClient('Send client_id and client_secret, or HTTP Basic credentials.');
}

async function readParameters(request: Request): Promise<[string, unknown][]> {
  if (isEncoded(request)) throw invalid('The body must have no Content-Encoding.');
  const type = mediaType(request.headers.get('Content-Type') ?? undefined);
  if (type !== FORM && type !== 'application/json')
    throw invalid(`The body must be ${FORM} or application/json.`);
  try {
    const body = await readBody(request, MAX_BYTES);
    if (type === FORM) return [...new URLSearchParams(new TextDecoder().decode(body))];
    const value = parseJson(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.entries(value);
  } catch (error) {
    if (error instanceof JsonError) throw invalid(error.message.replace(/[^ !#-[\]-~]/g, "'"));
    if (!(error instanceof BodyError)) throw error;
    throw new TokenError(
      'invalid_request',
      `${error.message}.`,
      error.reason === 'too large' ? 413 : 400,
    );
  }
  throw invalid('The body must be a JSON object.');
}

/** Identifier and secret are each form-encoded before Basic encodes them together (section 2.3.1). */
function basicCredentials(
  request: Request,
  clientId: string | undefined,
  secret: string | undefined,
) {
  if (secret !== undefined) {
    throw invalid(
      'Authenticate the client either by the Authorization header or in the body, not both.',
    );
  }
  const { username = '', password = '' } = auth(request) ?? {};
  const [id, own] = [username, password].map((text) => percentDecoded(text.replaceAll('+', ' ')));
  if (!id || !own) throw invalidClient('The Authorization header must be valid HTTP Basic.');
  if (clientId !== undefined && clientId !== id)
    throw invalid('The client_id differs from the Authorization header.');
  return { clientId: id, secret: own };
}

function invalid(description: string): TokenError {
  return new TokenError('invalid_request', description);
}

/** A 401 offers HTTP Basic. */
export function invalidClient(description: string): TokenError {
  const challenge = { 'WWW-Authenticate': 'Basic realm="Lindero clients", charset="UTF-8"' };
  return new TokenError('invalid_client', description, 401, challenge);
}
