import { isPlaceholder, spelling, UNREADABLE, type Understood } from './interpretation.ts';

export type EnergyLetter = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'X';

/** A letter of an energy certificate; X means not rated, exempt or in progress. */
export function readEnergyLetter(text: string): Understood<EnergyLetter> {
  const letter = text.toUpperCase();
  if (/^[A-GX]$/.test(letter)) return { value: letter as EnergyLetter };
  const rated =
    /^([A-G])(?![\p{L}'’])/u.exec(letter)?.[1] ?? /\b(?:CLASS|RATING|LETRA|CLASE)\s+([A-G])$/.exec(letter)?.[1];
  if (rated !== undefined) return { value: rated as EnergyLetter, how: 'spelling' };
  return NOT_RATED.test(spelling(text)) || isPlaceholder(text) ? { value: 'X', how: 'spelling' } : UNREADABLE;
}

const NOT_RATED =
  /(process|progress|pending|requested|applied|exempt|exent|not rated|unrated|no rating|not available|not yet|tramite|proceso|pendiente|solicitad|no disponible|sin calificar|beantragt|in arbeit|aangevraagd|en cours)/;
