import { DEFAULT_CURRENCY } from '../../properties/documents.ts';
import type { Unit, UnitProperty } from '../../units/units.ts';
import { formatMoney } from '../format.ts';
import type { FilterMenu } from '../frame/form.tsx';
import { COMPASS_POINTS, textsOf } from '../texts/texts.ts';
import type { Guest } from '../visit.ts';
import { codesOf } from './form.ts';

/** What the board can be filtered by. */
const BOARD_FILTERS = ['status', 'beds', 'faces', 'price'] as const;

type BoardFilter = (typeof BOARD_FILTERS)[number];

/** The filters of a query that are set; a price is a range, such as `350000-450000`, of which an end can be open. */
export type BoardFilters = Readonly<Partial<Record<BoardFilter, string>>>;

export function filtersIn(query: Readonly<Record<string, string>>): BoardFilters {
  return Object.fromEntries(
    BOARD_FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])),
  );
}

/** Whether a unit meets all filters. */
export function isMatching(
  unit: Unit,
  property: UnitProperty | undefined,
  { status, beds, faces, price }: BoardFilters,
): boolean {
  const [least, most] = (price ?? '-').split('-');
  return (
    (status === undefined || String(unit.status) === status) &&
    (beds === undefined || String(property?.beds ?? '') === beds) &&
    (faces === undefined || codesOf(unit.directions).includes(faces)) &&
    (!least || unit.price >= Number(least)) &&
    (!most || unit.price < Number(most))
  );
}

/** The menus of the filters, with how many units each value has. */
export function menusOf(
  units: readonly Unit[],
  properties: ReadonlyMap<string, UnitProperty>,
  asked: BoardFilters,
  guest: Guest,
): FilterMenu[] {
  const { common, language } = guest;
  const texts = textsOf(guest, 'units');
  const countOf = (filter: BoardFilters) =>
    units.filter((unit) => isMatching(unit, properties.get(unit.name), filter)).length;
  const menu = (
    name: BoardFilter,
    label: string,
    all: readonly (readonly [value: string, text: string])[],
  ): FilterMenu => ({
    name,
    label,
    options: all.map(([value, text]) => ({ value, text, count: countOf({ [name]: value }) })),
    chosen: asked[name] && (all.find(([value]) => value === asked[name])?.[1] ?? asked[name]),
  });
  const beds = new Set([...properties.values()].flatMap((one) => (one.beds > 0 ? one.beds : [])));
  const faces = new Set(units.flatMap(({ directions }) => codesOf(directions)));
  const points = COMPASS_POINTS.filter((point) => faces.has(point));
  const money = (value: number) => formatMoney(value, DEFAULT_CURRENCY, language);
  const steps = stepsOf(units.map(({ price }) => price).filter((price) => price > 0));
  const ranges = [undefined, ...steps].map((from, index) => {
    const to = steps[index];
    const value = `${from ?? ''}-${to ?? ''}`;
    if (from === undefined) return [value, texts.upTo({ price: money(to ?? 0) })] as const;
    if (to === undefined) return [value, texts.over({ price: money(from) })] as const;
    return [value, `${money(from)} – ${money(to)}`] as const;
  });
  return [
    menu(
      'beds',
      texts.columns.beds,
      [...beds]
        .toSorted((a, b) => a - b)
        .map((one) => [String(one), texts.bedrooms({ count: one })]),
    ),
    menu(
      'faces',
      texts.faces,
      points.map((point) => [point, common.compass[point]]),
    ),
    menu('price', common.price, steps.length === 0 ? [] : ranges),
  ];
}

/** Two prices, rounded to ten thousand, that part units into thirds. */
function stepsOf(prices: readonly number[]): number[] {
  const sorted = prices.toSorted((a, b) => a - b);
  const steps = [1 / 3, 2 / 3].map(
    (share) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) / 10_000) * 10_000,
  );
  const [lowest = 0, highest = 0] = [sorted[0], sorted.at(-1)];
  return [...new Set(steps)].filter((step) => step > lowest && step <= highest);
}
