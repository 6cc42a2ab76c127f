import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../../src/cli/cloudflare/config.ts';
import { deployLine } from '../../../src/cli/command/lines.ts';
import { declareDatabases } from '../../../src/cli/deploy/command.ts';
import { noLocation } from '../../../src/cli/deploy/resources.ts';

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

test('with --env staging, every command line that a message names is for staging', () => {
  vi.stubEnv('CLOUDFLARE_ENV', 'staging');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(deployLine()).toBe('npm run deploy -- --env staging');
  expect(noLocation().message).toContain('npm run deploy -- --location weur --env staging ');
});
