import type { PropertyDocument } from '../../portfolio/documents.ts';
import type { FieldError } from '../../problem.ts';
import { formatPrice } from '../format.tsx';
import type { Language } from '../texts/language.ts';
import { readAmount } from '../units/amount.ts';

/** How a field is typed in: a number can be grouped, lines are a list. */
type Kind = 'text' | 'number' | 'flag' | 'lines' | 'choice';

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
}

export const STATUSES = ['Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn'] as const;
const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'X'] as const;

/** The languages whose texts the form has. */
export const TEXT_LANGUAGES = ['uk', 'es', 'de', 'fr', 'nl'] as const;

/** The parts of the form, each with its fields, in the order of the page. */
export const FORM: Readonly<Record<'offer' | 'place' | 'facts' | 'shown' | 'texts', readonly FormField[]>> = {
  offer: [
    { name: 'type', pointer: '/type', kind: 'text', required: true },
    { name: 'ref', pointer: '/ref', kind: 'text' },
    { name: 'status', pointer: '/status', kind: 'choice', choices: STATUSES },
    { name: 'sale', pointer: '/offers/sale', kind: 'flag' },
    { name: 'price', pointer: '/offers/sale/price', kind: 'number', of: 'sale' },
    { name: 'long', pointer: '/offers/long_term', kind: 'flag' },
    { name: 'rent', pointer: '/offers/long_term/rent', kind: 'number', of: 'long' },
    { name: 'short', pointer: '/offers/short_term', kind: 'flag' },
    { name: 'low', pointer: '/offers/short_term/low', kind: 'number', of: 'short' },
    { name: 'high', pointer: '/offers/short_term/high', kind: 'number', of: 'short' },
    { name: 'license', pointer: '/offers/short_term/license', kind: 'text', of: 'short' },
  ],
  place: [
    { name: 'town', pointer: '/town', kind: 'text', required: true },
    { name: 'area', pointer: '/area', kind: 'text' },
    { name: 'province', pointer: '/province', kind: 'text', required: true },
    { name: 'postcode', pointer: '/postcode', kind: 'text' },
    { name: 'country', pointer: '/country', kind: 'text' },
    { name: 'address', pointer: '/address', kind: 'text' },
  ],
  facts: [
    { name: 'beds', pointer: '/beds', kind: 'number' },
    { name: 'bath', pointer: '/bath', kind: 'number' },
    { name: 'built', pointer: '/built_area', kind: 'number' },
    { name: 'plot', pointer: '/plot_area', kind: 'number' },
    { name: 'terrace', pointer: '/terrace_area', kind: 'number' },
    { name: 'living', pointer: '/living_area', kind: 'number' },
    { name: 'year', pointer: '/built_year', kind: 'number' },
    { name: 'consumption', pointer: '/consumption', kind: 'choice', choices: LETTERS },
    { name: 'emissions', pointer: '/emissions', kind: 'choice', choices: LETTERS },
    { name: 'pool', pointer: '/has_pool', kind: 'flag' },
    { name: 'garden', pointer: '/has_garden', kind: 'flag' },
    { name: 'garage', pointer: '/has_garage', kind: 'flag' },
    { name: 'features', pointer: '/features', kind: 'lines' },
  ],
  shown: [
    { name: 'own', pointer: '/on_own_website', kind: 'flag' },
    { name: 'others', pointer: '/on_other_websites', kind: 'flag' },
    { name: 'rented', pointer: '/rented', kind: 'flag' },
    { name: 'pictures', pointer: '/pictures', kind: 'lines' },
  ],
  texts: TEXT_LANGUAGES.flatMap((language): FormField[] => [
    { name: `title-${language}`, pointer: `/texts/${language}/title`, kind: 'text' },
    { name: `description-${language}`, pointer: `/texts/${language}/description`, kind: 'text' },
  ]),
};

const FIELDS = Object.values(FORM).flat();

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
    else if (kind === 'flag')
      set(patch, pointer, pointer.startsWith('/offers/') ? (text === '1' ? {} : null) : text === '1');
    else if (kind === 'lines')
      set(
        patch,
        pointer,
        text.split('\n').flatMap((line) => line.trim() || []),
      );
    else set(patch, pointer, kind === 'number' ? amount : text || null);
  }
  return Object.keys(errors).length > 0 ? { errors } : { patch };
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

function textOf(value: unknown, { kind }: FormField, language: Language): string {
  if (kind === 'flag') return value ? '1' : '';
  if (Array.isArray(value)) return value.join('\n');
  // Years and counts are not grouped.
  if (typeof value === 'number')
    return Number.isInteger(value) && value < 10_000 ? String(value) : formatPrice(value, language);
  return (value as string | null | undefined) ?? '';
}
