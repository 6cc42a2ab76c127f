import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readD1Migrations } from '@cloudflare/vitest-plugin';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Worker, bundled as it is deployed. */
    readonly worker: string;
    /** The statements of `migrations/`. */
    readonly migrations: readonly string[];
  }
}

const ROOT = join(import.meta.dirname, '../../..');

/** Bundles the Worker and reads the migrations once for all test files: what finds their statements takes long to load. */
export default async function setup({ provide }: TestProject): Promise<void> {
  const migrations = await readD1Migrations(join(ROOT, 'migrations'));
  provide(
    'migrations',
    migrations.flatMap(({ queries }) => queries),
  );
  const folder = await mkdtemp(join(tmpdir(), 'lindero-'));
  try {
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
    await promisify(execFile)(
      process.execPath,
      [wrangler, 'deploy', '--dry-run', '--outdir', folder],
      {
        cwd: ROOT,
        env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
      },
    );
    provide('worker', await readFile(join(folder, 'worker.js'), 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
