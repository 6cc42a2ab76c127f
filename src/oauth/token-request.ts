import { auth } from 'hono/utils/basic-auth';
import { BodyError, isEncoded, readBody } from '../lib/http/body.ts';
import { JsonError, parseJson } from '../lib/http/json.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { type TokenErrorCode, type TokenParameters, tokenRequest } from './schemas.ts';

/** Maximum size of a token request's body, in bytes. */
const MAX_BYTES = 16 * 1024;

/** A valid token request. */
export interface TokenRequest {
  readonly clientId: string;
  readonly secret: string;
  /** As requested; `undefined` requests all scopes of the client. */
  readonly scope: string | undefined;
}

/** Thrown to respond with an error of RFC 6749 section 5.2. */
export class TokenError extends Error {
  override readonly name = 'TokenError';

  readonly code: TokenErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param description without quotation marks and backslashes, which RFC 6749 forbids here */
  constructor(code: TokenErrorCode, description: string, status = 400, headers: Readonly<Record<string, string>> = {}) {
    super(description);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Parses a client credentials request (RFC 6749 section 4.4.2). Its parameters are a form or a JSON object; the client is
 * authenticated by HTTP Basic or in the body, but not by both (section 2.3).
 *
 * @throws TokenError
 */
export async function parseTokenRequest(request: Request): Promise<TokenRequest> {
  const { searchParams } = new URL(request.url);
  if (Object.keys(tokenRequest.shape).some((name) => searchParams.has(name))) {
    throw invalid('Send parameters in the body, not in the URL.');
  }
  const result = tokenRequest.safeParse(await readParameters(request));
  if (!result.success) throw parameterError(result.error.issues.map(({ message }) => message));
  const { data } = result;
  const client = request.headers.has('Authorization') ? basicCredentials(request, data) : bodyCredentials(data);
  return { ...client, scope: data.scope };
}

function parameterError(messages: readonly string[]): TokenError {
  const message = messages.find((text) => text.endsWith('must be a string.')) ?? messages[0]!;
  return message.startsWith('The grant_type must')
    ? new TokenError('unsupported_grant_type', message)
    : invalid(message);
}

type ClientCredentials = Pick<TokenRequest, 'clientId' | 'secret'>;

function bodyCredentials({ client_id: clientId, client_secret: secret }: TokenParameters): ClientCredentials {
  if (clientId !== undefined && secret !== undefined) return { clientId, secret };
  throw invalidClient('Send client_id and client_secret, or HTTP Basic credentials.');
}

/** Identifier and secret are each form-encoded before Basic encodes them together (section 2.3.1). */
function basicCredentials(request: Request, parameters: TokenParameters): ClientCredentials {
  if (parameters.client_secret !== undefined) {
    throw invalid('Authenticate the client either by the Authorization header or in the body, not both.');
  }
  const credentials = decodeBasic(request);
  if (credentials === undefined) throw invalidClient('The Authorization header must be valid HTTP Basic.');
  if (parameters.client_id !== undefined && parameters.client_id !== credentials.clientId) {
    throw invalid('The client_id differs from the Authorization header.');
  }
  return credentials;
}

function decodeBasic(request: Request): ClientCredentials | undefined {
  const { username, password } = auth(request) ?? {};
  if (!username || !password) return undefined;
  try {
    return { clientId: decodeFormValue(username), secret: decodeFormValue(password) };
  } catch {
    return undefined;
  }
}

function decodeFormValue(value: string): string {
  return decodeURIComponent(value.replaceAll('+', ' '));
}

/** The parameters in a body; one without a value counts as absent (section 3.2). */
async function readParameters(request: Request): Promise<object> {
  if (isEncoded(request)) throw invalid('The body must have no Content-Encoding.');
  const entries = entriesOf(mediaType(request.headers.get('Content-Type') ?? undefined), await readBytes(request));
  return Object.fromEntries(entries.filter(([, value]) => value !== '' && value !== null));
}

async function readBytes(request: Request): Promise<ArrayBuffer> {
  try {
    return await readBody(request, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    throw new TokenError('invalid_request', `${error.message}.`, error.reason === 'too large' ? 413 : 400);
  }
}

function entriesOf(type: string, body: ArrayBuffer): [string, unknown][] {
  switch (type) {
    case 'application/x-www-form-urlencoded':
      return formEntries(body);
    case 'application/json':
      return jsonEntries(body);
    default:
      throw invalid('The body must be application/x-www-form-urlencoded or application/json.');
  }
}

function formEntries(body: ArrayBuffer): [string, unknown][] {
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const names = [...form.keys()];
  if (new Set(names).size < names.length) throw invalid('A parameter is repeated.');
  return [...form];
}

function jsonEntries(body: ArrayBuffer): [string, unknown][] {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw invalid(error.message.replace(/[^ !#-[\]-~]/g, "'"));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The body must be a JSON object.');
  }
  return Object.entries(value);
}

function invalid(description: string): TokenError {
  return new TokenError('invalid_request', description);
}

/** A 401 offers HTTP Basic. */
export function invalidClient(description: string): TokenError {
  const challenge = { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' };
  return new TokenError('invalid_client', description, 401, challenge);
}
