import { folded } from '../../lib/folded.ts';
import type { UnitStatus } from '../../units/schemas.ts';
import { COMPASS, pointOf } from '../../vocabulary/orientation.ts';
import type { FormError } from '../properties/read.ts';
import { readText } from '../properties/read.ts';
import { LANGUAGE_CODES } from '../texts/language.ts';
import { TEXTS } from '../texts/texts.ts';
import { readAmount } from './form.ts';

/** What a column of a pasted table can be: of the unit, then of its listing. */
export const COLUMNS = [
  'name',
  'status',
  'price',
  'directions',
  'type',
  'beds',
  'bath',
  'built_area',
  'terrace_area',
  'floor',
] as const;

export type Column = (typeof COLUMNS)[number];

/** Headings of columns in English and Spanish, without accents and case; the first that matches counts. */
const HEADINGS: readonly (readonly [Column, RegExp])[] = [
  ['terrace_area', /terra|solari|balcon/],
  ['built_area', /built|constr|area|superficie|m2|m²|metros|size/],
  ['bath', /bath|bano|aseo/],
  ['beds', /bed|dorm|habit|^hab/],
  ['price', /price|precio|pvp|importe|€/],
  ['status', /status|state|estado|situacion|disponib/],
  ['type', /type|tipo/],
  ['floor', /floor|planta|piso|altura/],
  ['directions', /fac(es|ing)|orient|direction|aspect/],
  ['name', /unit|unidad|vivienda|name|nombre|home|^(no?|num|ref)\b/],
];

/** A row of a pasted table. */
export interface PastedRow {
  /** Its place in the text, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A pasted table: what each column is, empty if that is left out, and its rows without the headings. */
export interface PastedTable {
  readonly columns: readonly (Column | '')[];
  readonly rows: readonly PastedRow[];
}

/**
 * Reads what was copied from a spreadsheet: cells between tabs, or between semicolons, of which the first row can have headings.
 *
 * @param chosen what somebody has said that the columns are, instead of what they seem to be
 */
export function readTable(text: string, chosen: readonly string[] = []): PastedTable {
  const isTabbed = text.includes('\t');
  const lines = cellsIn(text, isTabbed ? '\t' : ';');
  const rows = lines
    .map((cells, index) => ({ line: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const [first] = rows;
  const headings = (first?.cells ?? []).map(headingOf);
  const hasHeadings = headings.includes('name') || headings.filter(Boolean).length > 1;
  const content = hasHeadings ? rows.slice(1) : rows;
  const seeming = hasHeadings ? headings : (content[0]?.cells ?? []).map(seemingColumn);
  const all = Array.from({ length: width }, (_, index) => {
    const said = chosen[index];
    return said === undefined
      ? (seeming[index] ?? '')
      : (COLUMNS.find((one) => one === said) ?? '');
  });
  // A column counts once.
  const columns = all.map((column, index) => (all.indexOf(column) === index ? column : ''));
  return { columns, rows: content };
}

/** The cells of each line; a cell in quotation marks can have the separator, line ends, and doubled quotation marks. */
function cellsIn(text: string, separator: string): string[][] {
  const lines: string[][] = [[]];
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"(?=[${separator}\\n]|$)|([^${separator}\\n]*))([${separator}\\n]|$)`,
    'y',
  );
  const whole = text.replaceAll('\r\n', '\n');
  while (cell.lastIndex < whole.length) {
    const [, quoted, plain = '', end] = cell.exec(whole)!;
    lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\n') lines.push([]);
  }
  return lines;
}

function headingOf(cell: string): Column | '' {
  const text = folded(cell);
  // Figures are no heading: `A-101` would be a unit.
  if (/\d{2}/.test(text)) return '';
  return HEADINGS.find(([, heading]) => heading.test(text))?.[0] ?? '';
}

/** What a cell without a heading seems to be; the first is the name. */
function seemingColumn(cell: string, index: number): Column | '' {
  if (index === 0) return 'name';
  const number = numberOf(cell);
  if (number === null && statusOf(cell) !== null) return 'status';
  if (number === null && directionsOf(cell) !== null) return 'directions';
  if (number === null) return cell === '' ? '' : 'type';
  if (/m²|m2/i.test(cell)) return 'built_area';
  return number >= 5_000 ? 'price' : number >= 15 ? 'built_area' : 'beds';
}

function numberOf(cell: string): number | null {
  return readAmount(cell.replace(/\s*(m²|m2)\s*$/i, ''));
}

/** What is wrong with a cell. */
export type CellError = FormError | 'notStatus' | 'notDirections' | 'priceNegative' | 'missing';

/** A row as it was understood: what it does not say is left out. */
export interface PastedUnit {
  readonly line: number;
  readonly name: string;
  readonly status?: UnitStatus;
  readonly price?: number;
  /** JSON, as it is stored. */
  readonly directions?: readonly string[];
  /** Of its listing; the type as it was typed. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly errors: readonly (readonly [Column, CellError])[];
}

/** What a row says of a unit. */
export function unitIn(
  { columns }: Pick<PastedTable, 'columns'>,
  { line, cells }: PastedRow,
): PastedUnit {
  const unit: Record<string, unknown> = {};
  const facts: Record<string, unknown> = {};
  const errors: (readonly [Column, CellError])[] = [];
  for (const [index, column] of columns.entries()) {
    const text = cells[index] ?? '';
    if (column === '' || column === 'name' || text === '') continue;
    const read = READERS[column](text);
    if (typeof read === 'object' && 'error' in read) errors.push([column, read.error]);
    else if (['status', 'price', 'directions'].includes(column)) unit[column] = read.value;
    else facts[column] = read.value;
  }
  const name = (cells[columns.indexOf('name')] ?? '').normalize('NFC');
  if (name === '') errors.push(['name', 'missing']);
  return { ...unit, line, name, facts, errors };
}

type Cell = { readonly value: unknown } | { readonly error: CellError };

const NO_PLACE = { country: '', province: '' };
const asFact =
  (kind: 'count' | 'area') =>
  (text: string): Cell =>
    readText(kind, text, NO_PLACE) as Cell;
const given = <Value>(value: Value | null, error: CellError): Cell =>
  value === null ? { error } : { value };

const READERS: Readonly<Record<Exclude<Column, 'name'>, (text: string) => Cell>> = {
  status: (text) => given(statusOf(text), 'notStatus'),
  price: (text) => {
    const price = readAmount(text);
    return price !== null && price < 0 ? { error: 'priceNegative' } : given(price, 'notNumber');
  },
  directions: (text) => given(directionsOf(text), 'notDirections'),
  type: (text) => ({ value: text }),
  beds: asFact('count'),
  bath: asFact('count'),
  built_area: asFact('area'),
  terrace_area: asFact('area'),
  floor: (text) => ({ value: text }),
};

/** Other words for statuses; their endings are left out, as in `vendido` and `vendida`. */
const STATUS_WORDS: Readonly<Record<string, UnitStatus>> = {
  libre: 1,
  free: 1,
  hold: 2,
  held: 2,
  bloquead: 2,
  reservad: 8,
  vendid: 4,
};

/** The status that a word, a letter of the board or a number of the API means. */
export function statusOf(text: string): UnitStatus | null {
  const key = folded(text);
  for (const language of LANGUAGE_CODES) {
    const { common, units } = TEXTS[language];
    for (const status of [1, 2, 4, 8] as const) {
      const known = [common.unitStatuses[status], units.letters[status], String(status)];
      if (known.some((one) => folded(one) === key)) return status;
    }
  }
  return STATUS_WORDS[key] ?? STATUS_WORDS[key.replace(/[ao]s?$/, '')] ?? null;
}

/** The codes of directions, if all of the text is such; `S/SE`, `Sur, Sureste`. */
function directionsOf(text: string): string[] | null {
  const codes = text.split(/\s*[,/+]\s*/).map(pointOf);
  return codes.every((code) => code in COMPASS) ? codes : null;
}
