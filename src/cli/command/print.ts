import type { CommandResult } from './command.ts';

type Cell = string | number;

/**
 * A list: as JSON below its name, as text in a table with columns as wide as they need to be.
 *
 * @param columns by its heading, the member of a row that a column shows, or its text
 */
export function list<Row extends object>(
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, (keyof Row & string) | ((row: Row) => Cell)>>,
): CommandResult {
  const cell = (row: Row, column: (typeof columns)[string]) =>
    String(typeof column === 'function' ? column(row) : row[column]);
  const cells = rows.map((row) => Object.values(columns).map((column) => cell(row, column)));
  const lines = [Object.keys(columns), ...cells];
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const padded = lines.map((line) => line.map((text, at) => text.padEnd(widths[at]!)).join('  '));
  return { json: { [name]: rows }, text: padded.map((line) => `${line.trimEnd()}\n`).join('') };
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

export function stateOf({ disabled }: { readonly disabled: boolean }): string {
  return disabled ? 'disabled' : 'enabled';
}
