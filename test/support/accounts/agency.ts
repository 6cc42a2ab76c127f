import { createClient } from '../../../src/oauth/clients.ts';
import { DEFAULT_SCOPES } from '../../../src/oauth/scopes.ts';
import { parseDocument } from '../../../src/properties/documents.ts';
import { openAccount } from './open-account.ts';
import { property, store, VOCABULARY } from './portfolio.ts';

/** An agency with a development, a property for sale for each of its units, and a client of the token endpoint. */
export interface Agency {
  readonly code: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly secret: string;
}

export const DEVELOPMENT = 'LAS-LOMAS';

/** Stores an agency whose development has units of these names, each available, at 100,000, without directions. */
export async function createAgency(
  db: D1Database,
  code: string,
  unitNames: readonly string[],
  scopes: readonly string[] = DEFAULT_SCOPES,
): Promise<Agency> {
  const accountId = await openAccount(db, code);
  await store(db, accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: DEVELOPMENT, name: 'Las Lomas' }),
    ...unitNames.map((name) =>
      parseDocument({ kind: 'unit', development: DEVELOPMENT, name, status: 1, price: 100_000 }),
    ),
    ...unitNames.map((name, index) =>
      property(`P${index + 1}`, { unit: { development: DEVELOPMENT, name } }),
    ),
  ]);
  const client = { clientId: `client-${code}`, secret: `secret of ${code}` };
  await createClient(db, { id: client.clientId, accountId, secret: client.secret, scopes });
  return { code, accountId, ...client };
}
