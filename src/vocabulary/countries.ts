import { lazy } from '../lib/lazy.ts';
import COUNTRIES from './countries.json' with { type: 'json' };
import { nameKey } from './name-key.ts';

/** A country by its code in ISO 3166-1. */
interface Country {
  readonly code: string;
  /** In English, as feeds show it. */
  readonly name: string;
}

const countries = lazy(
  () =>
    new Map(
      COUNTRIES.flatMap(([code, longCode, name, ...others]) =>
        [code, longCode, name, ...others].map(
          (text) => [nameKey(text!), { code: code!, name: name! }] as const,
        ),
      ),
    ),
);

/**
 * The country that a text names by its code of two or three letters, or in one of the languages of
 * the vocabulary. Letter case and accents do not matter.
 */
export function countryNamed(text: string): Country | undefined {
  return countries().get(nameKey(text));
}
