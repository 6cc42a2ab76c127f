import { isEqual } from '../../lib/bytes/equal.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { formatMoney, languageName } from '../format.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import type { Guest } from '../visit.ts';
import { FIELDS } from './fields.ts';
import { shownFields, type Typed, valueAt } from './form.ts';
import type { Names } from './property.ts';

/** A field in which two states of a property differ, in words. */
export interface Difference {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const MOST_CHARACTERS = 80;

/** What a field of the form is called: `Description, Spanish`. */
export function fieldText(name: string, { language }: Pick<Guest, 'language'>): string {
  const { fields } = textsOf({ language }, 'properties').form;
  const [what = '', element] = name.split('-');
  if (element === undefined) return textOf(fields, name);
  return `${textOf(fields, what)}, ${languageName(element, language)}`;
}

/** How two states of a property differ, by the names of the fields of its form. */
export function differencesOf(
  before: PropertyDocument,
  after: PropertyDocument,
  names: Names,
  { language, common }: Guest,
): Difference[] {
  const texts = textsOf({ language }, 'properties');
  const stated = (document: PropertyDocument): Typed => {
    const money = FIELDS.flatMap(({ name, kind, pointer }) => {
      const value = kind === 'price' || kind === 'amount' ? valueAt(document, pointer) : null;
      return typeof value === 'number'
        ? [[name, formatMoney(value, document.currency, language)]]
        : [];
    });
    return { ...shownFields(document, names, language), ...Object.fromEntries(money) };
  };
  const [from, to] = [stated(before), stated(after)];
  const inWords = (text = '') => {
    const said = textOf(common.statuses, text);
    return said.length > MOST_CHARACTERS ? `${said.slice(0, MOST_CHARACTERS)}…` : said || '—';
  };
  const differing = Object.keys(from).filter((name) => from[name] !== to[name]);
  const fields = differing.map((name) => ({
    name: fieldText(name, { language }),
    before: inWords(from[name]),
    after: inWords(to[name]),
  }));
  if (isEqual(before.pictures, after.pictures)) return fields;
  const counts = [before, after].map(({ pictures }) => String(pictures.length));
  return [...fields, { name: texts.pictures, before: counts[0]!, after: counts[1]! }];
}
