import type { Development, Unit, UnitHistoryEntry } from '../db/units.ts';
import { allowedTags } from '../lib/entity-tags.ts';
import { isoTime } from '../lib/iso-time.ts';
import type { Directions } from './change.ts';

/** A unit as every answer has it: what an update carries, in its names, and what the service adds. */
export interface UnitView {
  readonly development_id: string;
  readonly UntName: string;
  readonly UntStatus: number;
  readonly UntPrice: number;
  readonly UntDirections: Directions;
  /** Counts the changes: what the ETag is made of. */
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly changed_at: string;
}

/** A unit as answers have it. */
export function unitView(unit: Unit): UnitView {
  return {
    development_id: unit.development,
    UntName: unit.name,
    UntStatus: unit.status,
    UntPrice: unit.price,
    UntDirections: JSON.parse(unit.directions),
    version: unit.version,
    changed_at: isoTime(unit.changed_at),
  };
}

/** A change: when, by which client, from what to what. */
export function changeView(entry: UnitHistoryEntry) {
  return {
    changed_at: isoTime(entry.changed_at),
    client_id: entry.client_id,
    from: valuesView(entry.from_status, entry.from_price, entry.from_directions),
    to: valuesView(entry.to_status, entry.to_price, entry.to_directions),
  };
}

/** A development as answers have it, with how many units it has. */
export function developmentView({ id, name, units }: Development) {
  return { development_id: id, name, units };
}

/** The entity tag of a unit (RFC 9110 section 8.8.3). */
export function unitTag({ version }: Unit): string {
  return `"${version}"`;
}

/** The versions that an If-Match header allows; `undefined` where it sets no condition. */
export function allowedVersions(ifMatch: string | undefined): number[] | undefined {
  return allowedTags(ifMatch)
    ?.filter((tag) => /^[1-9]\d*$/.test(tag))
    .map(Number);
}

function valuesView(status: number, price: number, directions: string) {
  return { UntStatus: status, UntPrice: price, UntDirections: JSON.parse(directions) };
}
