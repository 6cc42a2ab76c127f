import { STORED_LANGUAGES, type StoredLanguage } from '../../lib/languages.ts';
import { UNREADABLE, type Understood } from './interpretation.ts';

/** Languages by their codes in feeds: ISO 639-1, except for English in the feed of this service. */
const ELEMENT_OF: ReadonlyMap<string, StoredLanguage> = new Map(
  STORED_LANGUAGES.map(({ element }) => [element === 'uk' ? 'en' : element, element]),
);

/** Country codes and other codes that are used for languages. */
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
 * The language of a node by its element name, as named in documents, where English is `uk`. A Cyrillic text under `uk`
 * is Ukrainian, as in ISO 639-1; otherwise `uk` is English, as in the feed of this service.
 */
export function readLanguage(name: string, text: string): Understood<StoredLanguage> {
  const exact = ELEMENT_OF.get(name);
  if (exact !== undefined) return { value: exact };
  const code = name.toLowerCase().split(/[-_]/)[0]!;
  if (code === 'uk') return { value: /\p{Script=Cyrillic}/u.test(text) ? 'ua' : 'uk', how: 'language' };
  const element = ELEMENT_OF.get(ALIASES.get(name.toLowerCase()) ?? ALIASES.get(code) ?? code);
  return element === undefined ? UNREADABLE : { value: element, how: 'language' };
}
