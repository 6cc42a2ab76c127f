import { STORED_LANGUAGES, type StoredLanguage } from '../../../lib/languages.ts';
import { UNREADABLE, type Understood } from './interpretation.ts';

/** Languages by the codes that feeds use for them, which are those of ISO 639-1 but for English in the service's own. */
const ELEMENT_OF: ReadonlyMap<string, StoredLanguage> = new Map(
  STORED_LANGUAGES.map(({ element }) => [element === 'uk' ? 'en' : element, element]),
);

/** Codes of countries, and others, that stand for languages. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['gb', 'en'],
  ['eng', 'en'],
  ['english', 'en'],
  ['esp', 'es'],
  ['spanish', 'es'],
  ['se', 'sv'],
  ['dk', 'da'],
  ['nb', 'no'],
  ['nn', 'no'],
  ['ger', 'de'],
  ['deu', 'de'],
  ['fra', 'fr'],
  ['pt-br', 'pt'],
]);

/**
 * The language that a node is named after, by the name that documents have for it: English is `uk` there. A text in
 * Cyrillic under `uk` is Ukrainian, whose code that is; else `uk` is a code of English, as in the service's own feed.
 */
export function readLanguage(name: string, text: string): Understood<StoredLanguage> {
  const exact = ELEMENT_OF.get(name);
  if (exact !== undefined) return { value: exact };
  const code = name.toLowerCase().split(/[-_]/)[0]!;
  if (code === 'uk') return { value: /\p{Script=Cyrillic}/u.test(text) ? 'ua' : 'uk', how: 'language' };
  const element = ELEMENT_OF.get(ALIASES.get(name.toLowerCase()) ?? ALIASES.get(code) ?? code);
  return element === undefined ? UNREADABLE : { value: element, how: 'language' };
}
