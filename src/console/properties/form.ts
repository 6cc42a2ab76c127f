import { isEqual } from '../../lib/bytes/equal.ts';
import { SERVED_LANGUAGES } from '../../lib/languages.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import type { FieldError } from '../../problem.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { formatPrice } from '../format.ts';
import type { Language } from '../texts/language.ts';
import { type AllTexts, asSentence } from '../texts/texts.ts';
import { readAmount } from '../units/form.ts';
import { type FormField, PARTS } from './fields.ts';
import type { Names } from './property.ts';

/** The elements of the languages whose texts the form has. */
export const TEXT_LANGUAGES = SERVED_LANGUAGES.map(({ element }) => element);

/** The parts of the form, each with its fields, in the order of the page. */
export const FORM: Readonly<Record<keyof typeof PARTS | 'texts', readonly FormField[]>> = {
  ...PARTS,
  texts: TEXT_LANGUAGES.flatMap((language) =>
    ['title', 'description'].map((what): FormField => {
      const name = `${what}-${language}`;
      const nodes = [`${what}/${language}`];
      const kind = what === 'title' ? 'text' : 'long';
      return { name, pointer: `/texts/${language}/${what}`, nodes, kind };
    }),
  ),
};

const FIELDS = Object.values(FORM).flat();

/** Whether a field is a box to tick, which browsers send only if it is ticked. */
export function isBox({ kind }: FormField): boolean {
  return kind === 'flag' || kind === 'entry';
}

/** The name of the field that a finding is about; `undefined` if the form has none for it. */
export function fieldOfNode(found: string): string | undefined {
  const given = `${found.split(', ')[0]}/`;
  const isWithin = (node: string) => node.startsWith(given) || given.startsWith(node);
  return FIELDS.find(({ name, nodes = [name] }) => nodes.some((node) => isWithin(`${node}/`)))
    ?.name;
}

/** Fields as they are typed in, by name; a flag that is not set is empty. */
export type Typed = Readonly<Record<string, string>>;

/** The values of a property as the form shows them. */
export function shownFields(
  document: PropertyDocument | undefined,
  names: Names,
  language: Language,
): Typed {
  if (document === undefined)
    return Object.fromEntries(FIELDS.map(({ name, initial = '' }) => [name, initial]));
  return Object.fromEntries(
    FIELDS.map((field) => [
      field.name,
      shownText(valueAt(document, field.pointer), field, names, language),
    ]),
  );
}

/** The fields that a browser has sent, with the identifier of a new property. */
export function typedFields(fields: URLSearchParams): Typed {
  const names = [
    'id',
    ...FIELDS.filter((field) => fields.has(field.name) || isBox(field)).map(({ name }) => name),
  ];
  return Object.fromEntries(
    names.map((name) => [name, (fields.get(name) ?? '').replaceAll('\r\n', '\n')]),
  );
}

/** Digests of the values that a form shows, as a query: they tell later which of them were changed. */
export function digestsOf(shown: Typed): string {
  return new URLSearchParams(
    Object.entries(shown).map(([name, text]) => [name, digestOf(text)]),
  ).toString();
}

/** A form that restores the values before a change, as a browser would send it: it is refused where one has changed again. */
export function undoneFields(before: Typed, now: Typed): Typed {
  const isSent = (field: FormField) =>
    isBox(field) ? before[field.name] === '1' : before[field.name] !== now[field.name];
  const fields = FIELDS.filter(isSent).map(({ name }) => [name, before[name] ?? '']);
  const touched = FIELDS.filter((field) => isBox(field) || isSent(field));
  const values = touched.map(({ name }) => [name, now[name] ?? '']);
  return { ...Object.fromEntries(fields), first: digestsOf(Object.fromEntries(values)) };
}

/**
 * What was typed into a form, over the values now: those that were left as the form showed them follow the changes of others.
 *
 * @param digests of the values that the form showed
 * @returns with the fields that both have changed, to different values
 */
export function typedOver(shown: Typed, typed: Typed, digests: string, names: Names) {
  const first = new URLSearchParams(digests);
  const isAsFirst = (name: string, text = '') => first.get(name) === digestOf(text);
  const differing = FIELDS.filter(
    (field) => field.name in typed && !isShown(field, typed, shown, names),
  );
  const left = differing.flatMap(({ name }) =>
    isAsFirst(name, typed[name]) ? [[name, shown[name]!] as const] : [],
  );
  const followed = Object.fromEntries(left);
  const changed = differing.flatMap(({ name }) => (name in followed ? [] : name));
  return {
    typed: { ...typed, ...followed },
    conflicts: changed.filter((name) => !isAsFirst(name, shown[name])),
  };
}

function digestOf(text: string): string {
  return sha256Hex(text.replaceAll('\r\n', '\n').trim()).slice(0, 16);
}

type FormError = keyof AllTexts['properties']['form'] &
  ('missing' | 'notNumber' | 'belowOne' | 'notCoordinates');

/** A JSON Merge Patch (RFC 7396) with what was typed differently from what was shown, or what is wrong with which fields. */
export function patchOf(
  typed: Typed,
  shown: Typed,
  names: Names,
):
  | { readonly patch: object }
  | { readonly errors: readonly (readonly [name: string, error: FormError])[] } {
  const patch: Nested = {};
  const errors: [string, FormError][] = [];
  for (const field of FIELDS) {
    const { name, required, of } = field;
    const text = typed[name]?.trim();
    if (text === undefined || (of !== undefined && typed[of] !== '1')) continue;
    if (isShown(field, typed, shown, names)) continue;
    const value = readValue(text, field, typed, names);
    // A minimum price of 0 is not set.
    const isPrice = field.kind === 'number' && field.of !== undefined && field.name !== 'minimum';
    if (required && text === '') errors.push([name, 'missing']);
    else if (value === undefined)
      errors.push([name, field.kind === 'number' ? 'notNumber' : 'notCoordinates']);
    else if (isPrice && value !== null && (value as number) < 1) errors.push([name, 'belowOne']);
    else set(patch, field.pointer.slice(1).split('/'), value);
  }
  return errors.length > 0 ? { errors } : { patch };
}

/** Whether a field is as shown, if in another form, such as a number that is grouped differently. */
function isShown(field: FormField, typed: Typed, shown: Typed, names: Names): boolean {
  const [text = '', before = ''] = [typed, shown].map((fields) => fields[field.name]?.trim());
  const value = readValue(text, field, typed, names);
  return (
    text === before ||
    (value !== undefined && isEqual(value, readValue(before, field, shown, names)))
  );
}

/** The value of a field in the document; `undefined` if the text is not a valid one. */
function readValue(
  text: string,
  { kind, pointer }: FormField,
  typed: Typed,
  { types, features }: Names,
): unknown {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  switch (kind) {
    case 'number':
      return text === '' ? null : (readAmount(text) ?? undefined);
    case 'coordinates':
      return text === '' ? null : readCoordinates(text);
    case 'lines':
      return lines;
    case 'type':
      return codeOfName(types, text);
    case 'features':
      return lines.map((line) => codeOfName(features, line));
    case 'entry':
      return FIELDS.flatMap((field) =>
        field.pointer === pointer && typed[field.name] === '1' ? [field.name] : [],
      );
    case 'flag':
      // An offer is an object.
      if (pointer.startsWith('/offers/')) return text === '1' ? {} : null;
      return text === '1';
    default:
      return text || null;
  }
}

/** The code of a type or feature that the account calls by this name; the API understands other names. */
function codeOfName(names: ReadonlyMap<string, string>, text: string): string {
  return [...names].find(([, name]) => name.toLowerCase() === text.toLowerCase())?.[0] ?? text;
}

/** `36.5101, -4.8825`, as maps show them, or with decimal commas and a semicolon. */
function readCoordinates(
  text: string,
): { readonly latitude: number; readonly longitude: number } | undefined {
  const degrees = text
    .split(text.includes('.') ? /[\s,;]+/ : /[\s;]+/)
    .map((one) => one.replace(',', '.'));
  if (degrees.length !== 2 || !degrees.every((one) => /^-?\d{1,3}(\.\d+)?$/.test(one)))
    return undefined;
  return { latitude: Number(degrees[0]), longitude: Number(degrees[1]) };
}

/** The fields that errors of a document are about, each with what is wrong. */
export function fieldErrors(
  errors: readonly FieldError[],
  language: Language,
): Readonly<Record<string, string>> {
  // The identifier of a new property is typed in at a field that is not among them.
  // An offer comes before the fields in it.
  const fieldAt = (pointer: string) =>
    FIELDS.findLast((field) => pointer.startsWith(field.pointer))?.name ?? 'id';
  return Object.fromEntries(
    errors.map((error) => [fieldAt(error.pointer), asSentence(language, error)]),
  );
}

type Nested = { [name: string]: unknown };

function set(patch: Nested, [name, ...rest]: readonly string[], value: unknown): void {
  patch[name!] = rest.length === 0 ? value : (patch[name!] ?? {});
  if (rest.length > 0) set(patch[name!] as Nested, rest, value);
}

function valueAt(document: PropertyDocument, pointer: string): unknown {
  const names = pointer.slice(1).split('/');
  return names.reduce<unknown>(
    (value, name) => (value as Nested | null | undefined)?.[name],
    document,
  );
}

function shownText(
  value: unknown,
  { name, kind }: FormField,
  { types, features }: Names,
  language: Language,
): string {
  if (kind === 'entry') return (value as readonly string[]).includes(name) ? '1' : '';
  if (kind === 'flag') return value ? '1' : '';
  if (kind === 'coordinates')
    return Object.values((value ?? {}) as PropertyDocument['location'] & object).join(', ');
  if (kind === 'type') return types.get(value as string) ?? (value as string);
  if (Array.isArray(value))
    return value.map((code) => (kind === 'features' && features.get(code)) || code).join('\n');
  if (typeof value !== 'number') return (value as string | null | undefined) ?? '';
  // Years and counts are not grouped.
  return Number.isInteger(value) && value < 10_000 ? String(value) : formatPrice(value, language);
}
