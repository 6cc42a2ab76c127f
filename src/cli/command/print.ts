import type { CommandResult } from './command.ts';

/** A value as text: the elements of a list, separated by commas; `none` for nothing. */
function shown(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : value;
  if (text === null || text === '') return 'none';
  return typeof text === 'object' ? JSON.stringify(text) : String(text);
}

const label = (name: string) => name.replaceAll('_', ' ');

/**
 * A list: as JSON below its name, as text in a table with columns as wide as they need to be.
 *
 * @param names the fields of a row that are columns
 * @param more additional columns, each a function of a row, by their headings
 */
export function list<Row extends object>(
  name: string,
  rows: readonly Row[],
  names: readonly (keyof Row & string)[],
  more: Readonly<Record<string, (row: Row) => unknown>> = {},
): CommandResult & { readonly text: string } {
  const headings = [...names.map((name) => label(name).toUpperCase()), ...Object.keys(more)];
  const cells = rows.map((row) => [
    ...names.map((name) => row[name]),
    ...Object.values(more).map((text) => text(row)),
  ]);
  const lines = [headings, ...cells.map((line) => line.map(shown))];
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const padded = lines.map((line) => line.map((text, at) => text.padEnd(widths[at]!)).join('  '));
  return { json: { [name]: rows }, text: padded.map((line) => `${line.trimEnd()}\n`).join('') };
}

export function fields(values: object): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length)) + 2;
  const lines = Object.entries(values).map(
    ([name, value]) => `${label(name)}:`.padEnd(width) + shown(value),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** A number with the noun that it counts: `1 property`, `2 properties`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}

export function stateOf({ disabled }: { readonly disabled: boolean }): string {
  return disabled ? 'disabled' : 'enabled';
}

/** Something with a secret, which is stored only as a digest. */
export function shownOnce(json: object, secret = 'secret'): CommandResult {
  return { json, text: `${fields(json)}The ${secret} is not shown again.\n` };
}
