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

interface DaysProps {
  readonly days: readonly Day[];
  /** The days in words. */
  readonly label: string;
  /** What one day's bar says. */
  readonly titleOf: (day: Day) => string;
  readonly large?: boolean;
}

/** A bar for each day: the height is the number of visits, the colour whether there were as many as usual. */
export function Days({ days, label, titleOf, large = false }: DaysProps) {
  const most = Math.max(1, ...days.map(({ visits }) => visits));
  return (
    <svg
      class={large ? 'days large' : 'days'}
      viewBox={`0 0 ${days.length * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {days.map((day, index) => {
        const height = day.visits === 0 ? HEIGHT / 8 : HEIGHT * (0.25 + (0.75 * day.visits) / most);
        return (
          <rect class={day.state} x={index * STEP} y={HEIGHT - height} width={WIDTH} height={height} rx="1">
            {large && <title>{titleOf(day)}</title>}
          </rect>
        );
      })}
    </svg>
  );
}

/**
 * The days up to today, from counts by date.
 *
 * @param counts the 200s and 304s of each day with visits
 * @param today `2026-11-24`
 */
export function lastDays(
  counts: Readonly<Record<string, readonly [full: number, notModified: number]>>,
  today: string,
  length: number,
): Day[] {
  const end = Date.parse(today);
  const dates = Array.from({ length }, (_, index) =>
    new Date(end - (length - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
  const visited = Object.keys(counts).sort();
  const [first = '9999'] = visited;
  const visitsOf = (date: string) => (counts[date] ?? [0, 0]).reduce((sum, count) => sum + count, 0);
  const known = visited.map(visitsOf).sort((a, b) => a - b);
  const usual = known[Math.floor(known.length / 2)] ?? 0;
  return dates.map((date) => {
    const visits = visitsOf(date);
    if (date < first) return { date, visits, state: 'off' };
    // Today is not over, and the first day began before the first visit.
    const isPartial = date === today || date === first;
    if (visits === 0) return { date, visits, state: isPartial ? 'off' : 'none' };
    return { date, visits, state: visits * 2 < usual && !isPartial ? 'part' : 'full' };
  });
}
