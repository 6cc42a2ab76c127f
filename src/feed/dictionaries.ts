import { readVocabulary } from '../db/vocabulary.ts';
import { LruMap } from '../lib/lru.ts';
import { type Dictionary, renderDictionary } from './dictionary.ts';

const dictionaries = new LruMap<string, Dictionary>(50);

/**
 * The dictionary of an account in some languages, at a revision of its vocabulary or, where that is past, at the present
 * one: from memory, or read.
 */
export async function findDictionary(
  db: D1Database,
  accountId: number,
  languages: readonly number[],
  revision: number,
): Promise<Dictionary> {
  const key = `${accountId} ${languages.join(',')}`;
  const remembered = dictionaries.get(key);
  if (remembered !== undefined && remembered.revision === revision) return remembered;
  const dictionary = renderDictionary(await readVocabulary(db, accountId), languages);
  dictionaries.set(key, dictionary);
  return dictionary;
}
