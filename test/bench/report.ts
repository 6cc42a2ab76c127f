import { Random } from '../support/random.ts';

/** A part of the bench that can be chosen by its name. */
export interface Measure<Subject> {
  readonly name: string;
  run(bench: Subject): Promise<Row[]>;
}

/** One figure, and the server's processor time for it in milliseconds, if the platform reports it. */
export interface Sample {
  readonly figure: number;
  readonly processor: number | null;
}

/** One row of the table: a figure of Lindero, and that of a peer or of Lindero under other conditions. */
export interface Row {
  /** The measure's name, as `--only` takes it. */
  readonly measure: string;
  readonly what: string;
  readonly unit: '/s' | 'MB/s' | 'ms' | 'MB' | 'KB';
  /** What the figure is compared with; nothing if its target is absolute. */
  readonly against: string;
  /** The minimum or maximum of the ratio, or of the figure itself. */
  readonly floor: { readonly atLeast: number } | { readonly atMost: number } | null;
  readonly ours: readonly Sample[];
  readonly other: readonly Sample[];
}

/**
 * Measures all contestants in every round, in a different order each time, so that none is always first or always
 * follows the same other.
 */
export async function alternate<Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<Sample>>>,
): Promise<Readonly<Record<Name, readonly Sample[]>>> {
  const names = Object.keys(contestants) as Name[];
  const random = new Random(1);
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<
    Name,
    Sample[]
  >;
  for (let round = 0; round < rounds; round++) {
    for (const name of random.some(names, names.length))
      samples[name].push(await contestants[name]());
  }
  return samples;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** What a row says: the medians, their ratio, the ratio of processor times, and whether the floor holds. */
export function resultOf({ unit, floor, ours, other }: Row) {
  const figure = median(ours.map((sample) => sample.figure));
  const peer = other.length === 0 ? null : median(other.map((sample) => sample.figure));
  const ratio = peer === null ? figure : figure / peer;
  const times = [ours, other].map((samples) => samples.flatMap(({ processor }) => processor ?? []));
  const [mine, theirs] = times.map((values) => (values.length === 0 ? 0 : median(values))) as [
    number,
    number,
  ];
  const byProcessor =
    mine === 0 || theirs === 0 ? null : unit === 'ms' ? mine / theirs : theirs / mine;
  const holds =
    floor === null ? null : 'atLeast' in floor ? ratio >= floor.atLeast : ratio <= floor.atMost;
  return { figure, peer, ratio, byProcessor, holds };
}

const HEADINGS = ['measure', 'what', 'Lindero', 'other', 'against', 'ratio', 'by CPU', 'floor', ''];

/** The rows as a table for a terminal or a Markdown document. */
export function table(rows: readonly Row[]): string {
  return markdown(HEADINGS, rows.map(cellsOf));
}

function cellsOf(row: Row): string[] {
  const { figure, peer, ratio, byProcessor, holds } = resultOf(row);
  const shown = (value: number) =>
    `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${row.unit}`;
  const { floor } = row;
  return [
    ...[row.measure, row.what, shown(figure), peer === null ? '' : shown(peer), row.against],
    ...[peer === null ? '' : ratio.toFixed(2), byProcessor?.toFixed(2) ?? ''],
    floor === null
      ? ''
      : 'atLeast' in floor
        ? `at least ${floor.atLeast}`
        : `at most ${floor.atMost}`,
    holds === null ? '' : holds ? 'holds' : 'missed',
  ];
}

export function markdown(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = headings.map((_, column) =>
    Math.max(...[headings, ...rows].map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  );
}
