import { readJsonAsset } from '../assets.ts';
import type { Env } from '../env.ts';
import type { RuleTexts } from '../validator/texts.ts';

/** The files that the build writes, by the language of their texts. */
export const TEXTS_FILES = { en: 'validator/rules.json', es: 'validator/rules.es.json' } as const;

/**
 * What the rules say.
 *
 * @throws DependencyUnavailable if the file cannot be read
 */
export function loadRuleTexts(env: Env, language: keyof typeof TEXTS_FILES): Promise<RuleTexts> {
  return readJsonAsset(env, TEXTS_FILES[language]);
}
