import { env, exports } from 'cloudflare:workers';
import { createAccount } from '../../src/db/accounts.ts';
import { createClient } from '../../src/db/clients.ts';
import { writePortfolio } from '../../src/db/portfolio.ts';
import { SCOPES } from '../../src/oauth/scopes.ts';
import { parseDocument } from '../../src/portfolio/documents.ts';
import { property, VOCABULARY } from './portfolio.ts';

export const ORIGIN = 'https://feeds.example';

/** An agency with a development of units, each of which a property for sale is, and a client of the token endpoint. */
export interface Agency {
  readonly code: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly secret: string;
}

export const DEVELOPMENT = 'LAS-LOMAS';

/** An agency whose development has the units named; each is available, at 100,000, with no directions. */
export async function openAgency(
  code: string,
  unitNames: readonly string[],
  scopes: readonly string[] = SCOPES,
): Promise<Agency> {
  const accountId = await createAccount(env.DB, { code, name: code, password: 'demo' });
  await writePortfolio(env.DB, accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: DEVELOPMENT, name: 'Las Lomas' }),
    ...unitNames.map((name) =>
      parseDocument({ kind: 'unit', development: DEVELOPMENT, name, status: 1, price: 100_000 }),
    ),
    ...unitNames.map((name, index) => property(`P${index + 1}`, { unit: { development: DEVELOPMENT, name } })),
  ]);
  const client = { clientId: `client-${code}`, secret: `secret of ${code}` };
  await createClient(env.DB, { id: client.clientId, accountId, secret: client.secret, scopes });
  return { code, accountId, ...client };
}

/** What the Worker answers to a request at {@link ORIGIN}. */
export function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(ORIGIN + path, init));
}

/** An access token from the token endpoint. */
export async function obtainToken({ clientId, secret }: Agency, scope?: string): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret, scope };
  const response = await ask('/oauth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { access_token } = await response.json<{ access_token?: string }>();
  if (access_token === undefined) throw new Error(`No token: ${response.status}`);
  return access_token;
}

/** The headers of a call with a token and a body of JSON. */
export function withToken(token: string, more: Record<string, string> = {}): Record<string, string> {
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...more };
}
