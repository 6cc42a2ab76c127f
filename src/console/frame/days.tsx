import type { DayCounts } from '../../db/schema.ts';
import { daysBefore } from '../../lib/time/time.ts';

/** What a reader did on a day. */
type Day = ReturnType<typeof lastDays>[number];

const HEIGHT = 24;
const STEP = 7;
const WIDTH = 5;

/** With `titleOf`, each bar has a title and is large enough to point at. */
type DaysProps = { days: readonly Day[]; label: string; titleOf?: (day: Day) => string };

/** A bar for each day: the height is the number of visits, the colour whether there were any. */
export function Days({ days, label, titleOf }: DaysProps) {
  const most = Math.max(1, ...days.map(({ visits }) => visits));
  const bar = (day: Day, index: number) => {
    const height = day.visits === 0 ? HEIGHT / 8 : HEIGHT * (0.25 + (0.75 * day.visits) / most);
    return (
      <rect
        class={day.state}
        x={index * STEP}
        y={HEIGHT - height}
        width={WIDTH}
        height={height}
        rx="1"
      >
        {titleOf && <title>{titleOf(day)}</title>}
      </rect>
    );
  };
  const box = `0 0 ${days.length * STEP - (STEP - WIDTH)} ${HEIGHT}`;
  return (
    <svg
      class={titleOf ? 'days large' : 'days'}
      viewBox={box}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {days.map(bar)}
    </svg>
  );
}

/** The days up to today, such as `2026-11-24`, from the 200s and 304s of each day with visits. */
export function lastDays(counts: DayCounts, today: string, length: number) {
  const [first = '9999'] = Object.keys(counts).sort();
  return Array.from({ length }, (_, index) => {
    const date = daysBefore(today, length - 1 - index);
    const [full, unchanged] = counts[date] ?? [0, 0];
    const visits = full + unchanged;
    // Before the first visit; and today is not over.
    const isOff = date < first || date === today;
    return {
      date,
      full,
      unchanged,
      visits,
      state: visits > 0 ? 'visited' : isOff ? 'off' : 'missed',
    } as const;
  });
}
