import { isEqual } from '../../lib/bytes/equal.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import type { FieldError } from '../../problem.ts';
import { DEFAULT_CURRENCY, type PropertyDocument } from '../../properties/documents.ts';
import { formatPrice } from '../format.ts';
import type { Language } from '../texts/language.ts';
import { asSentence } from '../texts/texts.ts';
import { FIELDS, type FormField, isBox } from './fields.ts';
import type { Names } from './property.ts';
import { type FormError, linesOf, type Read, readText } from './read.ts';

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

/** The fields that a browser has sent, with the identifier of a new property; of one that is sent several times, a line each. */
export function typedFields(fields: URLSearchParams): Typed {
  const names = [
    'id',
    ...FIELDS.filter((field) => fields.has(field.name) || isBox(field)).map(({ name }) => name),
  ];
  return Object.fromEntries(
    names.map((name) => [name, fields.getAll(name).join('\n').replaceAll('\r\n', '\n').trim()]),
  );
}

/** Digests of the values that a form shows, as a query: they tell later which of them were changed. */
export function digestsOf(shown: Typed): string {
  return new URLSearchParams(
    Object.entries(shown).map(([name, text]) => [name, digestOf(name, text)]),
  ).toString();
}

/** A form that restores the values before a change, as a browser would send it: it is refused where one has changed again. */
export function undoneFields(before: Typed, now: Typed): Typed {
  const isSent = (field: FormField) =>
    isBox(field) ? before[field.name] === '1' : before[field.name] !== now[field.name];
  const fields = FIELDS.filter(isSent).map(({ name }) => [name, before[name] ?? '']);
  const touched = FIELDS.filter((field) => isBox(field) || isSent(field));
  const values = touched.map(({ name }) => [name, now[name] ?? '']);
  const first = digestsOf(Object.fromEntries(values));
  return { ...Object.fromEntries(fields), first, sure: SURE_OF_ALL };
}

/** The status that a button saves: one keeps the property off all portals, one lists it. */
export function statusAfter<Status extends string>(
  button: string | null,
  status: Status,
): Status | 'Withdrawn' | 'Available' {
  if (button === 'withhold') return 'Withdrawn';
  return button === 'list' && status === 'Withdrawn' ? 'Available' : status;
}

/** What confirms every doubt. */
export const SURE_OF_ALL = 'all';

/** What confirms a doubt about a field, as long as its text stays. */
export function sureOf(name: string, text = ''): string {
  return `${name} ${digestOf(name, text)}`;
}

/**
 * What was typed into a form, over the values now: those that were left as the form showed them follow the changes of others.
 *
 * @param digests of the values that the form showed
 * @returns with the fields that both have changed, to different values
 */
export function typedOver(shown: Typed, typed: Typed, digests: string, names: Names) {
  const first = new URLSearchParams(digests);
  const isAsFirst = (name: string, text = '') => first.get(name) === digestOf(name, text);
  const differing = changedFields(shown, typed, names);
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

/** The fields that have something else than the form showed. */
export function changedFields(shown: Typed, typed: Typed, names: Names): FormField[] {
  return FIELDS.filter((field) => field.name in typed && !isShown(field, typed, shown, names));
}

/** Features have no order in the form. */
function digestOf(name: string, text: string): string {
  const lines = text.replaceAll('\r\n', '\n').trim();
  const whole = name === 'features' ? linesOf(lines).toSorted().join('\n') : lines;
  return sha256Hex(whole).slice(0, 16);
}

/** What was typed differently from what was shown. */
export interface Change {
  /** A JSON Merge Patch (RFC 7396), without what is wrong. */
  readonly patch: object;
  /** By the names of fields. */
  readonly errors: Readonly<Record<string, FormError>>;
}

/** What was typed differently from what was shown, and what is wrong with it. */
export function changeOf(typed: Typed, shown: Typed, names: Names): Change {
  const patch: Nested = {};
  const errors: Record<string, FormError> = {};
  for (const field of FIELDS) {
    const { name, required, of } = field;
    const text = typed[name]?.trim();
    if (text === undefined || isShown(field, typed, shown, names)) continue;
    if (of !== undefined && typed[of] !== '1') {
      // What was there before goes with its offer.
      if (text !== '') errors[name] = 'notOffered';
      continue;
    }
    const read = readField(field, typed, shown, names);
    if ('error' in read) errors[name] = read.error;
    else if (required && text === '') errors[name] = 'missing';
    else set(patch, field.pointer.slice(1).split('/'), read.value);
  }
  return { patch, errors };
}

/** Whether a field is as shown, if in another form, such as a number that is grouped differently. */
function isShown(field: FormField, typed: Typed, shown: Typed, names: Names): boolean {
  const [text = '', before = ''] = [typed, shown].map((fields) => fields[field.name]?.trim());
  if (text === before) return true;
  const read = readField(field, typed, shown, names);
  return 'value' in read && isEqual(read, readField(field, shown, shown, names));
}

/** The value of a field in the document. */
function readField(field: FormField, typed: Typed, shown: Typed, names: Names): Read {
  const { kind, pointer, name } = field;
  const text = typed[name]?.trim() ?? '';
  switch (kind) {
    case 'type':
      return { value: codeOfName(names.types, text) };
    case 'features': {
      const codesIn = (lines = '') => linesOf(lines).map((one) => codeOfName(names.features, one));
      const codes = new Set(codesIn(text));
      const before = codesIn(shown[name]).filter((code) => codes.has(code));
      return { value: [...new Set([...before, ...codes])] };
    }
    case 'entry': {
      const isTicked = (other: FormField) => other.pointer === pointer && typed[other.name] === '1';
      return { value: FIELDS.filter(isTicked).map((other) => other.name) };
    }
    case 'flag':
      // An offer is an object.
      return { value: pointer.startsWith('/offers/') ? (text === '1' ? {} : null) : text === '1' };
  }
  const { country = '', province = '' } = { ...shown, ...typed };
  return readText(kind, text, { country, province });
}

/** The currency that is typed; euros until it can be one. */
export function currencyOf({ currency = '' }: Typed): string {
  return /^[A-Z]{3}$/.test(currency) ? currency : DEFAULT_CURRENCY;
}

/** The code of a type or feature that the account calls by this name; the API understands other names. */
export function codeOfName(names: ReadonlyMap<string, string>, text: string): string {
  return [...names].find(([, name]) => name.toLowerCase() === text.toLowerCase())?.[0] ?? text;
}

/**
 * The fields that errors of a document are about, each with what is wrong.
 *
 * @param otherwise the field for what is wrong with anything else, such as the identifier
 */
export function fieldErrors(
  errors: readonly FieldError[],
  language: Language,
  otherwise: string,
): Readonly<Record<string, string>> {
  // An offer comes before the fields in it.
  const fieldAt = (pointer: string) =>
    FIELDS.findLast((field) => pointer.startsWith(field.pointer))?.name ?? otherwise;
  return Object.fromEntries(
    errors.map((error) => [fieldAt(error.pointer), asSentence(language, error)]),
  );
}

type Nested = { [name: string]: unknown };

function set(patch: Nested, [name, ...rest]: readonly string[], value: unknown): void {
  patch[name!] = rest.length === 0 ? value : (patch[name!] ?? {});
  if (rest.length > 0) set(patch[name!] as Nested, rest, value);
}

/** The value of a document at a JSON Pointer (RFC 6901). */
export function valueAt(document: object, pointer: string): unknown {
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
  switch (kind) {
    case 'entry':
      return (value as readonly string[]).includes(name) ? '1' : '';
    case 'flag':
      return value ? '1' : '';
    case 'coordinates':
      return Object.values((value ?? {}) as PropertyDocument['location'] & object).join(', ');
    case 'type':
      return types.get(value as string) ?? (value as string);
    case 'features':
      return (value as readonly string[]).map((code) => features.get(code) ?? code).join('\n');
    case 'lines':
      return ((value ?? []) as readonly string[]).join('\n');
  }
  if (typeof value !== 'number') return (value as string | null | undefined) ?? '';
  return kind === 'year' ? String(value) : formatPrice(value, language);
}
