import type { Context } from 'hono';
import type * as z from 'zod';
import { actorIn, clientIdOf } from '../accounts/actor.ts';
import { allowedTags } from '../lib/http/conditional.ts';
import { sha256Hex } from '../lib/secrets/secrets.ts';
import { isoTime } from '../lib/time/time.ts';
import type { CallerEnv } from '../oauth/bearer.ts';
import { existing, notFound } from '../problem.ts';
import { type Development, findDevelopment } from './developments.ts';
import type { UnitStatus, unit } from './schemas.ts';
import type { Unit, UnitHistoryEntry, UnitValues } from './units.ts';

/** A unit as represented in responses. */
export function unitView(stored: Unit): z.output<typeof unit> {
  return {
    development_id: stored.development,
    UntName: stored.name,
    ...valuesView(stored),
    version: stored.version,
    changed_at: isoTime(stored.changedAt),
  };
}

/** A change as represented in responses: when, by which client, from what to what. */
export function changeView({ changedAt, actor, from, to }: UnitHistoryEntry) {
  const client_id = clientIdOf(actorIn(actor));
  return { changed_at: isoTime(changedAt), client_id, from: valuesView(from), to: valuesView(to) };
}

/** A development as represented in responses, with its number of units. */
export function developmentView({ id, name, units }: Development) {
  return { development_id: id, name, units };
}

/** A development of the account with its details. @throws ProblemError if there is none */
export async function readDevelopment(c: Context<CallerEnv>, id: string) {
  const found = await findDevelopment(c.env.DB, c.var.caller.accountId, id);
  const { details, ...development } = existing(found, notFound('development', id));
  return {
    ...developmentView(development),
    ...(details !== null && { details: JSON.parse(details) }),
  };
}

/**
 * The entity tag of a unit (RFC 9110 section 8.8.3): its version, with a digest of what the response adds to the unit.
 *
 * @param deliveries what the response shows of deliveries; `null` if nothing
 */
export function unitTag({ version }: Unit, deliveries: object | null = null): string {
  return deliveries === null
    ? `"${version}"`
    : `"${version}-${sha256Hex(JSON.stringify(deliveries)).slice(0, 16)}"`;
}

/** The versions that match an If-Match header, `NaN` for another tag; `undefined` if every version does. */
export function allowedVersions(ifMatch: string | undefined): number[] | undefined {
  return allowedTags(ifMatch)?.map((tag) =>
    Number(/^([1-9]\d*)(?:-[0-9a-f]{16})?$/.exec(tag)?.[1]),
  );
}

function valuesView({ status, price, directions }: UnitValues) {
  return {
    UntStatus: status as UnitStatus,
    UntPrice: price,
    UntDirections: JSON.parse(directions),
  };
}
