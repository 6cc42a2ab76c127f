import type { Usage } from '../usage.ts';
import { violate } from './violation.ts';

/** D1 statements per invocation on a paid plan: https://developers.cloudflare.com/d1/platform/limits/ */
const MAX_STATEMENTS = 1_000;

/** Operations of KV and other services per invocation: https://developers.cloudflare.com/kv/platform/limits/ */
const MAX_KV_OPERATIONS = 1_000;

/**
 * Counts statements of one call of D1.
 *
 * @throws PlatformViolation if the invocation has run too many
 */
export function countStatements(usage: Usage, statements: number): void {
  usage.roundTrips++;
  usage.statements += statements;
  if (usage.statements > MAX_STATEMENTS)
    violate(`${usage.statements} D1 statements in one invocation`);
}

/**
 * Counts one operation of KV.
 *
 * @throws PlatformViolation if the invocation has made too many
 */
export function countKvOperation(
  usage: Usage,
  kind: 'kvReads' | 'kvWrites' | 'kvDeletes' | 'kvLists',
): void {
  usage[kind]++;
  const operations = usage.kvReads + usage.kvWrites + usage.kvDeletes + usage.kvLists;
  if (operations > MAX_KV_OPERATIONS) violate(`${operations} KV operations in one invocation`);
}
