import { LRUCache } from 'lru-cache';
import { readVocabulary } from '../../db/vocabulary.ts';
import type { Dictionary, PartFormat } from '../formats/format.ts';

const dictionaries = new LRUCache<string, Dictionary>({ max: 50 });

/**
 * The dictionary of an account in a format and some languages, from memory or read from D1, at the given revision of its vocabulary
 * or at the current one if that is newer.
 */
export async function findDictionary(
  db: D1Database,
  format: PartFormat,
  accountId: number,
  languages: readonly number[],
  revision: number,
): Promise<Dictionary> {
  const key = `${accountId} ${format.name} ${languages.join(',')}`;
  const remembered = dictionaries.get(key);
  if (remembered !== undefined && remembered.revision === revision) return remembered;
  const dictionary = format.renderDictionary(await readVocabulary(db, accountId), languages);
  dictionaries.set(key, dictionary);
  return dictionary;
}
