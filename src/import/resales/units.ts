import { COMPASS } from '../../feed/formats/orientation.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import type { DevelopmentDocument, PropertyDocument, UnitDocument } from '../../portfolio/documents.ts';
import type { Understood } from '../values/interpretation.ts';
import { type Labels, mainLabel } from './labels.ts';

const STATUSES: Readonly<Partial<Record<PropertyDocument['status'], UnitDocument['status']>>> = {
  Available: 1,
  'Under Offer': 2,
  Sold: 4,
  'Sale Agreed': 8,
};

/** Maximum length of a development's identifier, without an appended number. */
const LONGEST_IDENTIFIER = 90;

/** Maximum length of a direction's code. */
const LONGEST_DIRECTION = 16;

/**
 * Developments and units of a feed, which contains their names but no identifiers. A development is identified by its
 * name; a number is appended if two developments with the same name have a unit with the same name.
 */
export class Units {
  readonly #units = new Set<string>();

  /** The documents of a development and of a unit of it, as a record shows them. */
  of(
    development: string,
    unit: string,
    status: PropertyDocument['status'],
    price: number,
    directions: string[],
  ): [DevelopmentDocument, UnitDocument] {
    const name = unit.normalize('NFC');
    const letters = [...development.trim()].slice(0, LONGEST_IDENTIFIER).join('');
    const first = /^\.{0,2}$/.test(letters) ? `development ${letters}` : letters;
    let id = first;
    for (let number = 2; this.#units.has(JSON.stringify([id, name])); number++) id = `${first} (${number})`;
    this.#units.add(JSON.stringify([id, name]));
    return [
      { kind: 'development', id, name: development },
      { kind: 'unit', development: id, name, status: STATUSES[status] ?? 1, price, directions },
    ];
  }
}

/**
 * The code of a direction: one of the eight compass points, else the text, which all languages show, with spaces instead of
 * control characters.
 */
export function directionOf(labels: Labels): Understood<string> & { readonly value: string } {
  const shown = LANGUAGES.filter(({ element }) => labels[element] !== undefined);
  const point = Object.entries(COMPASS).find(([, words]) =>
    shown.every(({ code, element }) => words[code - 1] === labels[element]),
  );
  if (point !== undefined) return { value: point[0] };
  const given = mainLabel(labels);
  const text = given.replaceAll(/\p{Cc}+/gu, ' ');
  const value = [...text].slice(0, LONGEST_DIRECTION).join('');
  if (text !== given) return { value, how: 'control_characters' };
  return value === text ? { value } : { value, how: 'cut' };
}
