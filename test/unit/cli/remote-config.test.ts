import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findResources, writeDeployConfig } from '../../../src/cli/remote-config.ts';

test('a configuration with several databases and stores is deployed with all of them, the first with their ids', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'lindero-config-'));
  try {
    const config = join(directory, 'wrangler.toml');
    await writeFile(
      config,
      `name = "lindero"
       main = "src/worker.ts"
       compatibility_date = "2026-04-26"
       d1_databases = [
         { binding = "DB", database_name = "lindero" },
         { binding = "DB_1", database_name = "lindero-1", database_id = "one", migrations_dir = "others" },
       ]
       kv_namespaces = [{ binding = "SNAPSHOTS" }, { binding = "OTHER", id = "other" }]`,
    );
    const wrangler = async ([subject]: readonly string[]) =>
      JSON.stringify(
        subject === 'd1' ? [{ name: 'lindero', uuid: 'found' }] : [{ title: 'lindero-snapshots', id: 'kept' }],
      );
    const written = await writeDeployConfig(config, await findResources(config, wrangler));
    expect(JSON.parse(await readFile(written, 'utf8'))).toMatchObject({
      main: '../../src/worker.ts',
      d1_databases: [
        { binding: 'DB', database_id: 'found', migrations_dir: '../../migrations' },
        { binding: 'DB_1', database_id: 'one', migrations_dir: '../../others' },
      ],
      kv_namespaces: [
        { binding: 'SNAPSHOTS', id: 'kept' },
        { binding: 'OTHER', id: 'other' },
      ],
    });
  } finally {
    await rm(directory, { recursive: true });
  }
});
