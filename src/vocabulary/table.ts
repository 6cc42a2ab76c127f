import { LANGUAGES, type LanguageElement } from '../lib/languages.ts';

/** One text in each of the ten languages. */
export type InTenLanguages = Readonly<Record<LanguageElement, string>>;

/** The rows of a table, without blank lines; the cells of each, divided by `|`. */
export function rowsOf(table: string): string[][] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

/**
 * A row of ten texts, in the order of the languages' codes.
 *
 * @throws TypeError if there are not ten
 */
export function inTenLanguages(cells: readonly string[]): InTenLanguages {
  if (cells.length !== LANGUAGES.length || cells.includes(''))
    throw new TypeError(`Not ten texts: ${cells.join(' | ')}`);
  return Object.fromEntries(LANGUAGES.map(({ element }, index) => [element, cells[index]])) as InTenLanguages;
}

/** The names in each row of a table of names, by the entry that they mean. */
export function namesIn(table: string): Map<string, string[]> {
  return new Map(
    table
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [entry = '', names = ''] = line.split(' = ');
        return [entry, names.split(';').map((name) => name.trim())];
      }),
  );
}
