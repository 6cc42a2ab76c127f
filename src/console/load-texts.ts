import type { Env } from '../env.ts';
import { DependencyUnavailable } from '../lib/unavailable.ts';
import type { Language } from './language.ts';
import type { Texts } from './texts.ts';

/** Those that this isolate has read. They belong to the script, so they never change. */
const loaded = new Map<Language, Texts>();

/**
 * The words of the pages.
 *
 * @throws DependencyUnavailable if the file cannot be read
 */
export async function loadTexts({ ASSETS }: Env, language: Language): Promise<Texts> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const file = await ASSETS.fetch(`https://assets.example/console/${language}.json`);
  if (!file.ok) throw new DependencyUnavailable(`The texts of the console cannot be read: ${file.status}`);
  const texts: Texts = await file.json();
  loaded.set(language, texts);
  return texts;
}
