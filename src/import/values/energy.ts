import { isPlaceholder, spelling, UNREADABLE, type Understood } from './interpretation.ts';

type EnergyLetter = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'X';

/** A letter of an energy certificate; X means not rated, exempt or in progress. */
export function readEnergyLetter(text: string): Understood<EnergyLetter> {
  const letter = text.toUpperCase();
  if (/^[A-GX]$/.test(letter)) return { value: letter as EnergyLetter };
  const rated =
    /^([A-G])(?![\p{L}'’])/u.exec(letter)?.[1] ?? /\b(?:CLASS|RATING|LETRA|CLASE)\s+([A-G])$/.exec(letter)?.[1];
  if (rated !== undefined) return { value: rated as EnergyLetter, how: 'spelling' };
  return NOT_RATED.test(spelling(text)) || isPlaceholder(text) ? { value: 'X', how: 'spelling' } : UNREADABLE;
}

/** Why a text has no letter, if it says so. */
export function readEnergyStatus(text: string): 'in_process' | 'exempt' | null {
  const words = spelling(text);
  return EXEMPT.test(words) ? 'exempt' : IN_PROCESS.test(words) ? 'in_process' : null;
}

const EXEMPT = /exempt|exent/;
const IN_PROCESS =
  /process|progress|pending|requested|applied|tramite|proceso|pendiente|solicitad|beantragt|in arbeit|aangevraagd|en cours/;
const NOT_RATED = new RegExp(
  `${EXEMPT.source}|${IN_PROCESS.source}|not rated|unrated|no rating|not available|not yet|no disponible|sin calificar`,
);
