import type { Context } from 'hono';
import { NOT_CACHED } from '../../api/headers.ts';
import { KIB } from '../../api/requests.ts';
import { clientChanges, clientReads } from '../../api/responses.ts';
import { type CallerEnv, withScope } from '../../oauth/bearer.ts';
import { existing, notFound } from '../../problem.ts';
import { findImport, type Import, listImports } from '../runs/imports.ts';

export const IMPORTS = '/v1/imports';

/** Maximum size of a JSON body, in bytes. */
export const MAX_BYTES = 16 * KIB;

export const READ = { tags: ['Imports'], ...withScope('properties:read') };
export const WRITE = { tags: ['Imports'], ...withScope('properties:write') };

export const READ_ERRORS = clientReads('properties:read');
export const CHANGE_ERRORS = clientChanges('properties:write');

export const ACCEPTED = 'The import has been accepted.';

/** The headers of the response that accepts an import. */
export function acceptedAt(id: number): Readonly<Record<string, string>> {
  return { ...NOT_CACHED, Location: `${IMPORTS}/${id}` };
}

/** The imports of the account, or of one of its sources, before one with an id. */
export async function listedImports(
  c: Context<CallerEnv>,
  source: string | null,
  after: string | null,
  limit: number,
): Promise<Import[]> {
  const before = after === null ? Number.MAX_SAFE_INTEGER : Number(after);
  return listImports(c.env.DB, c.var.caller.accountId, source, before, limit);
}

/** @throws ProblemError if the account has no such import */
export async function foundImport(c: Context<CallerEnv>, id: number): Promise<Import> {
  return existing(await findImport(c.env.DB, c.var.caller.accountId, id), notFound('import', id));
}
