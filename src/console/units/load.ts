import type { Context } from 'hono';
import { findDevelopment } from '../../db/units/developments.ts';
import { listUnits, type Unit, unitProperties } from '../../db/units/units.ts';
import type { AppEnv } from '../../env.ts';
import type { Visitor } from '../visit.ts';

/** Units on a page: a development rarely has more. */
const UNITS_PER_PAGE = 200;

/** Some units of a development. */
export interface LoadedUnits {
  readonly development: string;
  readonly name: string;
  readonly units: readonly Unit[];
  readonly properties: Awaited<ReturnType<typeof unitProperties>>;
  /** The name after which the next page starts. */
  readonly next: string | undefined;
}

/** The units of a development in the query; `null` if the account does not have it. */
export async function loadUnits(c: Context<AppEnv>, { account }: Visitor): Promise<LoadedUnits | null> {
  const { development = '', after } = c.req.query();
  const { DB } = c.env;
  const reading = Promise.all([
    findDevelopment(DB, account.id, development),
    listUnits(DB, account.id, development, after ?? null, UNITS_PER_PAGE + 1),
    unitProperties(DB, account.id, development),
  ]);
  const [existing, found, properties] = await reading;
  if (existing === null || found === null) return null;
  const units = found.slice(0, UNITS_PER_PAGE);
  const next = found.length > UNITS_PER_PAGE ? units.at(-1)!.name : undefined;
  return { development, name: existing.name, units, properties, next };
}
