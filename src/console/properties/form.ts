import type { PropertyDocument } from '../../portfolio/documents.ts';
import type { FieldError } from '../../problem.ts';
import { formatPrice } from '../format.tsx';
import type { Language } from '../texts/texts.ts';
import { readAmount } from '../units/amount.ts';
import DATA from './form.json' with { type: 'json' };

/** How a field is typed in: a number can be grouped, lines are a list, and an entry is in the list of its pointer or not. */
type Kind = 'text' | 'number' | 'flag' | 'entry' | 'lines' | 'choice';

/** A field of the form: where its value is in the document, and how it is typed in. */
export interface FormField {
  readonly name: string;
  readonly pointer: string;
  readonly kind: Kind;
  /** Whether an empty field is an error. */
  readonly required?: true;
  /** The flag without which the field has no place in the document. */
  readonly of?: string;
  readonly choices?: readonly string[];
  /** The node of feeds that shows the field, by which findings name it, unless it has the same name. */
  readonly node?: string;
}

/** The languages whose texts the form has. */
export const TEXT_LANGUAGES = ['uk', 'es', 'de', 'fr', 'nl'] as const;

/** The parts of the form, each with its fields, in the order of the page. */
export const FORM: Readonly<Record<keyof typeof DATA | 'texts', readonly FormField[]>> = {
  ...(DATA as Readonly<Record<keyof typeof DATA, readonly FormField[]>>),
  texts: TEXT_LANGUAGES.flatMap((language) =>
    (['title', 'description'] as const).map((what) => ({
      name: `${what}-${language}`,
      pointer: `/texts/${language}/${what}`,
      node: `${what}/${language}`,
      kind: 'text' as const,
    })),
  ),
};

const FIELDS = Object.values(FORM).flat();

/** The name of the field that a finding is about; `undefined` if the form has none for it. */
export function fieldOfNode(nodes: string): string | undefined {
  const given = `${nodes.split(', ')[0]}/`;
  const isWithin = (node: string) => node.startsWith(given) || given.startsWith(node);
  return FIELDS.find(({ name, node = name }) => isWithin(`${node}/`))?.name;
}

/** What a new property begins with. */
const NEW = {
  status: 'Available',
  consumption: 'X',
  emissions: 'X',
  sale: '1',
  own: '1',
  others: '1',
  country: 'Spain',
};

/** Fields as they are typed in, by name; a flag that is not set is empty. */
export type Typed = Readonly<Record<string, string>>;

/** The values of a property as the form shows them. */
export function shownFields(document: PropertyDocument | null, language: Language): Typed {
  if (document === null) return NEW;
  return Object.fromEntries(
    FIELDS.map((field) => [field.name, textOf(valueAt(document, field.pointer), field, language)]),
  );
}

/** The fields that a browser has sent. */
export function typedFields(fields: URLSearchParams): Typed {
  return Object.fromEntries(FIELDS.map(({ name }) => [name, (fields.get(name) ?? '').replaceAll('\r\n', '\n')]));
}

/** A JSON Merge Patch (RFC 7396) with what was typed differently from what was shown, or the fields that are wrong. */
export function patchOf(
  typed: Typed,
  shown: Typed,
): { readonly patch: object } | { readonly errors: Readonly<Record<string, 'missing' | 'notNumber'>> } {
  const patch: Nested = {};
  const errors: Record<string, 'missing' | 'notNumber'> = {};
  for (const { name, pointer, kind, required, of } of FIELDS) {
    const text = (typed[name] ?? '').trim();
    if (of !== undefined && typed[of] !== '1') continue;
    // An offer that is added has all of its fields.
    const isNewOffer = of !== undefined && shown[of] !== '1';
    if (text === (shown[name] ?? '').trim() && !isNewOffer) continue;
    const amount = kind === 'number' && text !== '' ? readAmount(text) : null;
    if (required && text === '') errors[name] = 'missing';
    else if (kind === 'number' && text !== '' && amount === null) errors[name] = 'notNumber';
    else if (kind === 'entry') set(patch, pointer, entriesOf(pointer, typed));
    else set(patch, pointer, patchValue(text, kind, pointer, amount));
  }
  return Object.keys(errors).length > 0 ? { errors } : { patch };
}

/** The names of the entries that a list has. */
function entriesOf(list: string, typed: Typed): string[] {
  return FIELDS.flatMap(({ name, pointer }) => (pointer === list && typed[name] === '1' ? [name] : []));
}

function patchValue(text: string, kind: Kind, pointer: string, amount: number | null): unknown {
  if (kind === 'number') return amount;
  if (kind === 'lines') return text.split('\n').flatMap((line) => line.trim() || []);
  if (kind !== 'flag') return text || null;
  const isSet = text === '1';
  // An offer is an object.
  return pointer.startsWith('/offers/') ? (isSet ? {} : null) : isSet;
}

/** The fields that errors of a document are about, each with what is wrong. */
export function fieldErrors(errors: readonly FieldError[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    errors.map(({ pointer, detail }) => [
      FIELDS.find((field) => pointer.startsWith(field.pointer))?.name ?? '',
      detail,
    ]),
  );
}

interface Nested {
  [name: string]: Nested | unknown;
}

function set(patch: Nested, pointer: string, value: unknown): void {
  const names = pointer.slice(1).split('/');
  let at = patch;
  for (const name of names.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Nested;
  }
  at[names.at(-1)!] = value;
}

function valueAt(document: PropertyDocument, pointer: string): unknown {
  let value: unknown = document;
  for (const name of pointer.slice(1).split('/')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

function textOf(value: unknown, { name, kind }: FormField, language: Language): string {
  if (kind === 'entry') return (value as readonly string[]).includes(name) ? '1' : '';
  if (kind === 'flag') return value ? '1' : '';
  if (Array.isArray(value)) return value.join('\n');
  // Years and counts are not grouped.
  if (typeof value === 'number')
    return Number.isInteger(value) && value < 10_000 ? String(value) : formatPrice(value, language);
  return (value as string | null | undefined) ?? '';
}
