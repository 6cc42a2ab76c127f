import { isPlaceholder, spelling, UNREADABLE, type Understood } from './interpretation.ts';

/** A boolean, as XML Schema writes them in any letter case. An empty text is false. */
export function readFlag(text: string): Understood<boolean> {
  const word = spelling(text);
  if (text === '' || word === '0' || word === 'false') return { value: false };
  if (word === '1' || word === 'true') return { value: true };
  if (NO.has(word) || (word !== 'unknown' && isPlaceholder(text))) return { value: false, how: 'spelling' };
  return YES.has(word) ? { value: true, how: 'spelling' } : UNREADABLE;
}

/** Whether something exists: any word that does not negate it counts as true, such as `Private` or `Communal` for a pool. */
export function readPresence(text: string): Understood<boolean> {
  const flag = readFlag(text);
  if (flag.value !== undefined) return flag;
  const number = Number(text);
  return { value: Number.isNaN(number) ? !NO_AT_ALL.test(spelling(text)) : number > 0, how: 'spelling' };
}

const YES = new Set('yes|y|t|on|si|s|sim|ja|j|oui|o|da|tak|new|nuevo|obra nueva|new build|newbuild'.split('|'));
const NO = new Set('no|n|f|off|none|nee|nein|non|nej|nei|nie|nao|ninguno|ninguna|resale|segunda mano'.split('|'));
const NO_AT_ALL = /^(no|not|sin|ohne|sans|geen|without|ingen|bez|room for|possible|posible|option|space for)\b/;
