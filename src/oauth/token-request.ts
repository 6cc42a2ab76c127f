import { auth } from 'hono/utils/basic-auth';
import { isEncoded, readBody } from '../lib/body.ts';
import { JsonError, parseJson } from '../lib/json.ts';
import { mediaType } from '../lib/media-type.ts';

/** Bytes that the body of a token request may have. */
const MAX_BYTES = 16 * 1024;

/** What a client asks the token endpoint for. */
export interface TokenRequest {
  readonly clientId: string;
  readonly secret: string;
  /** As it was asked for; `undefined` asks for all that the client has. */
  readonly scope: string | undefined;
}

/** An error of RFC 6749 section 5.2, or `temporarily_unavailable` of section 4.1.2.1, for what the former has no word. */
export interface TokenRefusal {
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_scope'
    | 'unsupported_grant_type'
    | 'temporarily_unavailable';
  /** Without quotation marks and backslashes, which RFC 6749 does not allow here. */
  readonly description: string;
}

const PARAMETERS = ['grant_type', 'client_id', 'client_secret', 'scope'] as const;

type Parameters = { readonly [name in (typeof PARAMETERS)[number]]: string | undefined };

/**
 * Reads a client credentials request (RFC 6749 section 4.4.2), its parameters as a form or as a JSON object, the client
 * authenticated by HTTP Basic or in the body, not by both (section 2.3).
 *
 * @throws BodyError where the body is too large or breaks off
 */
export async function readTokenRequest(request: Request): Promise<TokenRequest | TokenRefusal> {
  const { searchParams } = new URL(request.url);
  if (PARAMETERS.some((name) => searchParams.has(name))) {
    return invalid('Parameters belong in the body, not in the address.');
  }
  const parameters = await readParameters(request);
  if ('error' in parameters) return parameters;
  if (parameters.grant_type === undefined) return invalid('The parameter grant_type is missing.');
  if (parameters.grant_type !== 'client_credentials') {
    return { error: 'unsupported_grant_type', description: 'The grant_type must be client_credentials.' };
  }
  const client = request.headers.has('Authorization') ? byBasic(request, parameters) : inBody(parameters);
  return 'error' in client ? client : { ...client, scope: parameters.scope };
}

type ClientCredentials = Pick<TokenRequest, 'clientId' | 'secret'>;

function inBody({ client_id: clientId, client_secret: secret }: Parameters): ClientCredentials | TokenRefusal {
  if (clientId === undefined || secret === undefined) {
    return { error: 'invalid_client', description: 'Give client_id and client_secret, or HTTP Basic credentials.' };
  }
  return { clientId, secret };
}

/** Identifier and secret are form-encoded each before Basic encodes them together (section 2.3.1). */
function byBasic(request: Request, parameters: Parameters): ClientCredentials | TokenRefusal {
  if (parameters.client_secret !== undefined) {
    return invalid('The client is authenticated in two ways: by the Authorization header and in the body.');
  }
  const credentials = decodeBasic(request);
  if (credentials === undefined) {
    return { error: 'invalid_client', description: 'The Authorization header is not that of HTTP Basic.' };
  }
  if (parameters.client_id !== undefined && parameters.client_id !== credentials.clientId) {
    return invalid('The client_id does not match that of the Authorization header.');
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

async function readParameters(request: Request): Promise<Parameters | TokenRefusal> {
  if (isEncoded(request)) return invalid('The body must have no Content-Encoding.');
  const body = await readBody(request, MAX_BYTES);
  switch (mediaType(request.headers.get('Content-Type') ?? undefined)) {
    case 'application/x-www-form-urlencoded':
      return formParameters(body);
    case 'application/json':
      return jsonParameters(body);
    default:
      return invalid('The body must be application/x-www-form-urlencoded or application/json.');
  }
}

function formParameters(body: ArrayBuffer): Parameters | TokenRefusal {
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const names = [...form.keys()];
  if (new Set(names).size < names.length) return invalid('A parameter is given twice.');
  return given((name) => form.get(name));
}

/** A client's identifier of digits may be given as a number. */
function jsonParameters(body: ArrayBuffer): Parameters | TokenRefusal {
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
  const odd = PARAMETERS.find((name) => !['string', 'undefined'].includes(typeof (members.get(name) ?? undefined)));
  if (odd !== undefined) return invalid(`The parameter ${odd} must be a string.`);
  return given((name) => members.get(name) as string | null | undefined);
}

/** A parameter without a value counts as left out (section 3.2); unknown ones are ignored. */
function given(read: (name: string) => string | null | undefined): Parameters {
  return Object.fromEntries(PARAMETERS.map((name) => [name, read(name) || undefined])) as Parameters;
}

function invalid(description: string): TokenRefusal {
  return { error: 'invalid_request', description };
}
