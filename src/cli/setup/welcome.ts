import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The key of the demo agency's reader. It is not a secret: only a local database has it. */
export const DEMO_KEY = 'lindero_demo-key-for-local-development-1';

/** Pages to open and commands to paste for a developer; `origin` is where the Worker is served. */
export function welcome(origin: string): string {
  // wrangler's certificate is self-signed.
  const values = { CURL: origin.startsWith('https:') ? 'curl -k' : 'curl', ORIGIN: origin, KEY: DEMO_KEY };
  const text = readFileSync(join(import.meta.dirname, 'welcome.txt'), 'utf8');
  return text.replaceAll(/\b(CURL|ORIGIN|KEY)\b/g, (name) => values[name as keyof typeof values]);
}
