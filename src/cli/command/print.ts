import type { CommandResult } from './command.ts';

type Cell = string | number;

/** A text table with columns as wide as they need to be. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return padded.map((line) => `${line.trimEnd()}\n`).join('');
}

/**
 * A list: as JSON below its name, as text in a table.
 *
 * @param columns the value of each column, by its heading
 */
export function list<Row>(
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): CommandResult {
  const cells = rows.map((row) => Object.values(columns).map((value) => value(row)));
  return { json: { [name]: rows }, text: table(Object.keys(columns), cells) };
}

/** Lines of a label and a value. */
export function fields(values: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(values).map((label) => label.length)) + 2;
  return Object.entries(values)
    .map(([label, value]) => `${`${label}:`.padEnd(width)}${value}\n`)
    .join('');
}

/** A number with the noun that it counts: `1 property`, `2 properties`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
