import { readJsonAsset } from '../../assets.ts';
import type { Env } from '../../env.ts';
import type { Language } from './language.ts';
import type { Texts } from './texts.ts';

/**
 * The words of the pages.
 *
 * @throws DependencyUnavailable if the file cannot be read
 */
export function loadTexts(env: Env, language: Language): Promise<Texts> {
  return readJsonAsset(env, `console/${language}.json`);
}
