/**
 * Deploys the Worker of the project in the current directory: makes its database where there is none, applies migrations,
 * makes signing keys where there are none, and uploads the Worker, at whose first deployment wrangler makes the KV
 * namespace. Done again, it migrates and uploads. No demo data is ever made.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './command.ts';
import { Failure } from './failure.ts';
import { keySet, SIGNING_KEYS } from './keys.ts';
import { CONFIG } from './platform.ts';
import { findResources, writeConfig } from './remote-config.ts';
import { remoteSecrets } from './signing-keys.ts';
import { runWrangler, showWrangler } from './wrangler.ts';

try {
  await migrate();
  await upload();
  console.log(`
Deployed. To open an account, whose feed is then served:

  ${PROGRAM} account create CODE --name "Name of the agency" --remote
  ${PROGRAM} import feed.xml --account CODE --remote
`);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = error.exit;
}

/** Migrations name the database by its binding; wrangler wants its id beside that. */
async function migrate(): Promise<void> {
  const before = await findResources(CONFIG, runWrangler);
  if (before.database.id === undefined) await runWrangler(['d1', 'create', before.database.name]);
  const { name, account, compatibilityDate, database } =
    before.database.id === undefined ? await findResources(CONFIG, runWrangler) : before;
  const config = await writeConfig(CONFIG, 'database.json', {
    name,
    compatibility_date: compatibilityDate,
    ...account,
    d1_databases: [
      {
        binding: database.binding,
        database_name: database.name,
        database_id: database.id,
        migrations_dir: '../../migrations',
      },
    ],
  });
  await showWrangler(['d1', 'migrations', 'apply', database.binding, '--remote', '--config', config]);
}

/** A first deployment brings its keys along, so that the Worker never answers without them. */
async function upload(): Promise<void> {
  if ((await secretsOrNone()).includes(SIGNING_KEYS)) return showWrangler(['deploy']);
  const directory = await mkdtemp(join(tmpdir(), 'lindero-deploy-'));
  try {
    const file = join(directory, 'secrets.json');
    await writeFile(file, JSON.stringify({ [SIGNING_KEYS]: await keySet() }), { mode: 0o600 });
    await showWrangler(['deploy', '--secrets-file', file]);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The secrets of the Worker; none where it has not been deployed yet. */
async function secretsOrNone(): Promise<string[]> {
  try {
    return await remoteSecrets({ wrangler: runWrangler });
  } catch (error) {
    if (error instanceof Failure && error.message.includes('not found')) return [];
    throw error;
  }
}
