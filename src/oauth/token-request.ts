import { auth } from 'hono/utils/basic-auth';
import { isEncoded, readBody } from '../lib/body.ts';
import { JsonError, parseJson } from '../lib/json.ts';
import { mediaType } from '../lib/media-type.ts';

/** Maximum size of a token request's body, in bytes. */
const MAX_BYTES = 16 * 1024;

/** A valid token request. */
export interface TokenRequest {
  readonly clientId: string;
  readonly secret: string;
  /** As requested; `undefined` requests all scopes of the client. */
  readonly scope: string | undefined;
}

/** The errors of RFC 6749 section 5.2, and two of section 4.1.2.1, which the former lacks. */
export const TOKEN_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_scope',
  'unsupported_grant_type',
  'server_error',
  'temporarily_unavailable',
] as const;

/** Why a token request failed. */
export interface TokenError {
  readonly error: (typeof TOKEN_ERRORS)[number];
  /** Without quotation marks and backslashes, which RFC 6749 forbids here. */
  readonly description: string;
}

const PARAMETERS = ['grant_type', 'client_id', 'client_secret', 'scope'] as const;

type Parameters = { readonly [name in (typeof PARAMETERS)[number]]: string | undefined };

/**
 * Parses a client credentials request (RFC 6749 section 4.4.2). Its parameters are a form or a JSON object; the client is
 * authenticated by HTTP Basic or in the body, but not by both (section 2.3).
 *
 * @throws BodyError if the body is too large or incomplete
 */
export async function parseTokenRequest(request: Request): Promise<TokenRequest | TokenError> {
  const { searchParams } = new URL(request.url);
  if (PARAMETERS.some((name) => searchParams.has(name))) {
    return invalid('Send parameters in the body, not in the URL.');
  }
  const parameters = await parseParameters(request);
  if ('error' in parameters) return parameters;
  if (parameters.grant_type === undefined) return invalid('The parameter grant_type is missing.');
  if (parameters.grant_type !== 'client_credentials') {
    return { error: 'unsupported_grant_type', description: 'The grant_type must be client_credentials.' };
  }
  const client = request.headers.has('Authorization')
    ? basicCredentials(request, parameters)
    : bodyCredentials(parameters);
  return 'error' in client ? client : { ...client, scope: parameters.scope };
}

type ClientCredentials = Pick<TokenRequest, 'clientId' | 'secret'>;

function bodyCredentials({ client_id: clientId, client_secret: secret }: Parameters): ClientCredentials | TokenError {
  if (clientId === undefined || secret === undefined) {
    return { error: 'invalid_client', description: 'Send client_id and client_secret, or HTTP Basic credentials.' };
  }
  return { clientId, secret };
}

/** Identifier and secret are each form-encoded before Basic encodes them together (section 2.3.1). */
function basicCredentials(request: Request, parameters: Parameters): ClientCredentials | TokenError {
  if (parameters.client_secret !== undefined) {
    return invalid('Authenticate the client either by the Authorization header or in the body, not both.');
  }
  const credentials = decodeBasic(request);
  if (credentials === undefined) {
    return { error: 'invalid_client', description: 'The Authorization header must be valid HTTP Basic.' };
  }
  if (parameters.client_id !== undefined && parameters.client_id !== credentials.clientId) {
    return invalid('The client_id differs from the Authorization header.');
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

async function parseParameters(request: Request): Promise<Parameters | TokenError> {
  if (isEncoded(request)) return invalid('The body must have no Content-Encoding.');
  const body = await readBody(request, MAX_BYTES);
  switch (mediaType(request.headers.get('Content-Type') ?? undefined)) {
    case 'application/x-www-form-urlencoded':
      return parseForm(body);
    case 'application/json':
      return parseJsonObject(body);
    default:
      return invalid('The body must be application/x-www-form-urlencoded or application/json.');
  }
}

function parseForm(body: ArrayBuffer): Parameters | TokenError {
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const names = [...form.keys()];
  if (new Set(names).size < names.length) return invalid('A parameter is repeated.');
  return toParameters((name) => form.get(name));
}

/** A client_id that consists of digits may be a number. */
function parseJsonObject(body: ArrayBuffer): Parameters | TokenError {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return invalid(error.message.replace(/[^ !#-[\]-~]/g, "'"));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('The body must be a JSON object.');
  }
  const members = new Map<string, unknown>(Object.entries(value));
  const id = members.get('client_id');
  if (Number.isSafeInteger(id) && (id as number) >= 0) members.set('client_id', String(id));
  const invalidName = PARAMETERS.find(
    (name) => !['string', 'undefined'].includes(typeof (members.get(name) ?? undefined)),
  );
  if (invalidName !== undefined) return invalid(`The parameter ${invalidName} must be a string.`);
  return toParameters((name) => members.get(name) as string | null | undefined);
}

/** A parameter without a value counts as absent (section 3.2); unknown ones are ignored. */
function toParameters(read: (name: string) => string | null | undefined): Parameters {
  return Object.fromEntries(PARAMETERS.map((name) => [name, read(name) || undefined])) as Parameters;
}

function invalid(description: string): TokenError {
  return { error: 'invalid_request', description };
}
