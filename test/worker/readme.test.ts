import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import readme from '../../README.md?raw';
import { seedDemo } from '../support/accounts/demo.ts';
import { ask } from '../support/worker/ask.ts';

/** The code blocks of the README in a language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code]) => code!,
  );
}

/** Without the breaks and indentation by which the README fits a page. */
const joined = (text: string) => text.replaceAll(/\n\s*/g, '');

test('the sample of the README: what the demo returns, except where it has an ellipsis', async () => {
  await seedDemo(env.DB);
  const [, url] = /curl '([^']*CreateXMLFeedV3[^']*)'/.exec(blocks('sh').join())!;
  const { status, text } = await ask(
    url!.replace('http://localhost:8787', 'https://feeds.example'),
  );
  expect(status).toBe(200);
  const feed = joined(text);
  const parts = joined(blocks('xml')[0]!)
    .split('…')
    .map((part) => part.trim());
  expect(parts.length).toBeGreaterThan(3);
  expect(feed.startsWith(parts[0]!)).toBe(true);
  let from = 0;
  for (const part of parts) {
    const at = feed.indexOf(part, from);
    expect(at, part).toBeGreaterThanOrEqual(from);
    from = at + part.length;
  }
});
