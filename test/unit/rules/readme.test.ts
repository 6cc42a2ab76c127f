import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RULES } from '../../../src/rules/all.ts';
import { PORTALS } from '../../../src/rules/portals.ts';

const README = join(import.meta.dirname, '../../../src/rules/README.md');

test('src/rules/README.md has every rule; vitest -u writes them', async () => {
  const rows = RULES.map(({ code, severity, portals = [], sources = [], explanation, fix }) => {
    const affected = portals.map((portal) => PORTALS[portal]).join(', ') || 'all';
    const read = sources
      .map(({ name, url, checked }) => `[${name}](${url}), ${checked}`)
      .join('; ');
    return `| \`${code}\` | ${severity} | ${affected} | ${explanation} ${fix}${read && ` Sources, with the date they were read: ${read}.`} |\n`;
  });
  const table = `| code | severity | portals | what is wrong, and what to do |\n| --- | --- | --- | --- |\n${rows.join('')}`;
  const readme = await readFile(README, 'utf8');
  const updated = readme.replace(/(<!-- rules -->\n).*(<!-- \/rules -->)/s, `$1\n${table}\n$2`);
  await expect(updated).toMatchFileSnapshot(README);
});
