import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVENT_SUBJECTS } from '../../src/changes/webhooks/events.ts';

const README = join(import.meta.dirname, '../../src/changes/webhooks/README.md');

test('src/changes/webhooks/README.md has every event; vitest -u writes them', async () => {
  const rows = Object.entries(EVENT_SUBJECTS).map(
    ([type, subject]) => `| \`${type}\` | ${subject} |\n`,
  );
  const readme = await readFile(README, 'utf8');
  const updated = readme.replace(
    /(<!-- events -->\n).*(<!-- \/events -->)/s,
    `$1\n| event | \`id\` |\n| --- | --- |\n${rows.join('')}\n$2`,
  );
  await expect(updated).toMatchFileSnapshot(README);
});
