import { findDevelopment } from '../../units/developments.ts';
import { listUnits, type Unit, type UnitProperty, unitProperties } from '../../units/units.ts';
import { unitsPath } from '../paths.ts';
import type { Crumb, Visitor } from '../visit.ts';

/** Units on a page: a development rarely has more. */
const UNITS_PER_PAGE = 200;

/** A page of the units of a development. */
export interface LoadedUnits {
  /** Its identifier. */
  readonly development: string;
  readonly name: string;
  /** How many units it has. */
  readonly total: number;
  readonly units: readonly Unit[];
  readonly properties: ReadonlyMap<string, UnitProperty>;
  /** The name after which the next page begins. */
  readonly next: string | undefined;
  readonly crumbs: readonly Crumb[];
}

/** The units of a development in the query; `null` if the account does not have it. */
export async function loadUnits({ c, db, account }: Visitor): Promise<LoadedUnits | null> {
  const { development = '', after } = c.req.query();
  const [existing, found, properties] = await Promise.all([
    findDevelopment(db, account.id, development),
    listUnits(db, account.id, development, after ?? null, UNITS_PER_PAGE + 1),
    unitProperties(db, account.id, development),
  ]);
  if (existing === null || found === null) return null;
  const units = found.slice(0, UNITS_PER_PAGE);
  const next = found.length > UNITS_PER_PAGE ? units.at(-1)!.name : undefined;
  const { name, units: total } = existing;
  const crumbs = [{ name, href: unitsPath(development) }];
  return { development, name, total, units, properties, next, crumbs };
}
