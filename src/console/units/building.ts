/** A unit and where it is in the building. */
interface Placed<Unit> {
  readonly unit: Unit;
  readonly block: string;
  /** `null` if it is not known. */
  readonly floor: string | null;
}

/** A row of the building; `name` is `null` for units whose floor is not known. */
export interface Floor<Unit> {
  readonly name: string | null;
  readonly units: readonly Unit[];
}

/** A part of the building; without a name if the names of units have none in common. */
export interface Block<Unit> {
  readonly name: string;
  readonly floors: readonly Floor<Unit>[];
  /** The most units on a floor. */
  readonly widest: number;
}

interface Named {
  readonly name: string;
}

const { compare } = new Intl.Collator('en', { numeric: true });

/**
 * Units as the building stands: blocks, the highest floor of each first. `A-304` and `A304` are in block A on floor 3, `2ºB` on
 * floor 2; of any other name, its listing may know the floor.
 */
export function buildingOf<Unit extends Named>(
  units: readonly Unit[],
  floorOf: (unit: Unit) => string | null,
): Block<Unit>[] {
  const placed = units.map((unit) => placeOf(unit, floorOf(unit)));
  const blocks = Map.groupBy(placed, ({ block }) => block);
  return [...blocks]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([name, own]) => {
      const floors = [...Map.groupBy(own, ({ floor }) => floor)]
        .toSorted(([a], [b]) => rankOf(b) - rankOf(a) || compare(b ?? '', a ?? ''))
        .map(([floor, all]) => ({
          name: floor,
          units: all.map(({ unit }) => unit).toSorted((a, b) => compare(a.name, b.name)),
        }));
      return { name, floors, widest: Math.max(...floors.map((floor) => floor.units.length)) };
    });
}

function placeOf<Unit extends Named>(unit: Unit, stated: string | null): Placed<Unit> {
  const known = stated?.trim() || null;
  const [, before = '', ordinal] = /^(?:(.*?)[\s.\-_/]+)?(\d{1,2})\s*[ºª°]/.exec(unit.name) ?? [];
  if (ordinal !== undefined) return { unit, block: before, floor: ordinal };
  const [, block, number] = /^(.*?)[\s.\-_/]*(\d+)\s*\p{L}?$/u.exec(unit.name) ?? [];
  if (number === undefined) return { unit, block: '', floor: known };
  const floor = number.length > 2 ? String(Number(number.slice(0, -2))) : known;
  return { unit, block: block!, floor };
}

/** Floors in words, such as the ground floor, stand below those with numbers; unknown ones are last. */
function rankOf(floor: string | null): number {
  if (floor === null) return Number.NEGATIVE_INFINITY;
  const number = Number.parseInt(floor, 10);
  return Number.isNaN(number) ? 0 : number;
}
