import { listClient, unlistClient } from '../accounts/directory.ts';
import { environmentsOf, FIRST } from '../accounts/environments.ts';
import { isInserted } from '../db/statements.ts';
import type { Env } from '../env.ts';
import { newSecret } from '../lib/secrets/secrets.ts';
import { createClient, deleteClient, findClient } from './clients.ts';
import { SCOPES, type Scope } from './scopes.ts';

/** Visible ASCII characters and space (RFC 6749 appendix A.1), without the colon, which HTTP Basic ends the name with. */
export const CLIENT_ID = /^[\x20-\x39\x3b-\x7e]{1,100}$/;

interface ClientRequest {
  readonly accountId: number;
  readonly code: string;
  /** As {@link CLIENT_ID}; generated if it is empty. */
  readonly id: string;
  readonly scopes: readonly Scope[];
}

/** Creates a client with a new secret, which is not stored. Returns `null` if a client of any account has its id. */
export async function newClient(env: Env, { accountId, code, id: given, scopes }: ClientRequest) {
  const id = given || `${code.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}`;
  const all = environmentsOf(env);
  for (const { DB } of all.values()) if ((await findClient(DB, id)) !== null) return null;
  await listClient(all.get(FIRST)!.DB, code, id);
  const client = {
    id,
    accountId,
    secret: newSecret(),
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
  };
  return (await isInserted(createClient(env.DB, client))) ? client : null;
}

/** Deletes a client of an account; its tokens are rejected within half a minute. Returns whether it existed. */
export async function removeClient(
  env: Env,
  { accountId, code, id }: Omit<ClientRequest, 'scopes'>,
) {
  const existed = await deleteClient(env.DB, accountId, id);
  await unlistClient(environmentsOf(env).get(FIRST)!.DB, code, id);
  return existed;
}
