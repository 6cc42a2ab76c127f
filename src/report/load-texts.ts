import type { Env } from '../env.ts';
import { DependencyUnavailable } from '../lib/unavailable.ts';
import type { RuleTexts } from '../validator/texts.ts';

/** The file that the build writes. */
export const TEXTS_FILE = 'validator/rules.json';

/** Once this isolate has read it. It belongs to the script, so it never changes. */
let loaded: RuleTexts | undefined;

/**
 * What the rules say.
 *
 * @throws DependencyUnavailable if the file cannot be read
 */
export async function loadRuleTexts({ ASSETS }: Env): Promise<RuleTexts> {
  if (loaded !== undefined) return loaded;
  const file = await ASSETS.fetch(`https://assets.example/${TEXTS_FILE}`);
  if (!file.ok) throw new DependencyUnavailable(`The texts of the rules cannot be read: ${file.status}`);
  const texts: RuleTexts = await file.json();
  loaded = texts;
  return texts;
}
