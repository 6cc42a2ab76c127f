import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../../src/cli/cloudflare/config.ts';
import { declareDatabases } from '../../../src/cli/deploy/command.ts';

test('deploy --databases 3: wrangler.toml declares two more, which a second deployment leaves as they are', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'lindero-databases-'));
  try {
    const path = join(directory, 'wrangler.toml');
    writeFileSync(path, readFileSync('wrangler.toml'));
    await declareDatabases(path, 3);
    await declareDatabases(path, 3);
    const { d1_databases: databases } = await readConfig(path);
    expect(databases.map(({ binding, database_name: name }) => [binding, name])).toEqual([
      ['DB', 'lindero'],
      ['DB_2', 'lindero-2'],
      ['DB_3', 'lindero-3'],
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
