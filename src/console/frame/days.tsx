import type { DayCounts } from '../../db/schema.ts';

/** What a reader did on a day. */
export interface Day {
  /** `2026-11-24` */
  readonly date: string;
  /** Complete responses and 304s. */
  readonly visits: number;
  /** `off` before the first visit. */
  readonly state: 'full' | 'part' | 'none' | 'off';
}

const HEIGHT = 24;
const STEP = 7;
const WIDTH = 5;

/** What each bar says makes them large enough to be pointed at. */
type DaysProps = { days: readonly Day[]; label: string; titleOf?: (day: Day) => string };

/** A bar for each day: the height is the number of visits, the colour whether there were as many as usual. */
export function Days({ days, label, titleOf }: DaysProps) {
  const most = Math.max(1, ...days.map(({ visits }) => visits));
  const bar = (day: Day, index: number) => {
    const height = day.visits === 0 ? HEIGHT / 8 : HEIGHT * (0.25 + (0.75 * day.visits) / most);
    return (
      <rect class={day.state} x={index * STEP} y={HEIGHT - height} width={WIDTH} height={height} rx="1">
        {titleOf && <title>{titleOf(day)}</title>}
      </rect>
    );
  };
  const box = `0 0 ${days.length * STEP - (STEP - WIDTH)} ${HEIGHT}`;
  return (
    <svg class={titleOf ? 'days large' : 'days'} viewBox={box} preserveAspectRatio="none" role="img" aria-label={label}>
      {days.map(bar)}
    </svg>
  );
}

/** The days up to today, such as `2026-11-24`, from the 200s and 304s of each day with visits. */
export function lastDays(counts: DayCounts, today: string, length: number): Day[] {
  const end = Date.parse(today);
  const visited = Object.keys(counts).sort();
  const [first = '9999'] = visited;
  const visitsOf = (date: string) => (counts[date] ?? [0, 0]).reduce((sum, count) => sum + count, 0);
  const known = visited.map(visitsOf).sort((a, b) => a - b);
  const usual = known[Math.floor(known.length / 2)] ?? 0;
  return Array.from({ length }, (_, index): Day => {
    const date = new Date(end - (length - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    const visits = visitsOf(date);
    // Today is not over, and the first day began before the first visit.
    const isPartial = date === today || date === first;
    if (date < first || (visits === 0 && isPartial)) return { date, visits, state: 'off' };
    if (visits === 0) return { date, visits, state: 'none' };
    return { date, visits, state: visits * 2 < usual && !isPartial ? 'part' : 'full' };
  });
}
