/**
 * Deploys the Worker of the project in the current directory: makes its database and its store where there are none,
 * applies migrations, makes signing keys where there are none, and uploads the Worker. Done again, after a failure too, it
 * makes what is missing, migrates and uploads. No demo data is ever made.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit, exitOnSignals } from './at-exit.ts';
import { PROGRAM } from './command.ts';
import { Failure } from './failure.ts';
import { keySet, SIGNING_KEYS } from './keys.ts';
import { CONFIG } from './platform.ts';
import { findResources, writeDeployConfig } from './remote-config.ts';
import { remoteSecrets } from './signing-keys.ts';
import { runWrangler, showWrangler } from './wrangler.ts';

exitOnSignals((signal) => console.error(`Interrupted by ${signal}. To go on: npm run deploy`));

try {
  const { config, database } = await provision();
  await showWrangler(['d1', 'migrations', 'apply', database, '--remote', '--config', config]);
  await upload(config);
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

/**
 * Makes what the account lacks of database and store, and writes the configuration with their ids, by which the rest is
 * done: wrangler would make a store at each first upload, and so could not repeat one that has failed.
 */
async function provision(): Promise<{ config: string; database: string }> {
  let found = await findResources(CONFIG, runWrangler);
  if (found.database.id === undefined) await runWrangler(['d1', 'create', found.database.name]);
  if (found.store.id === undefined) await runWrangler(['kv', 'namespace', 'create', found.store.title]);
  found = await findResources(CONFIG, runWrangler);
  return { config: await writeDeployConfig(CONFIG, found), database: found.database.binding };
}

/** A first deployment brings its keys along, so that the Worker never answers without them. */
async function upload(config: string): Promise<void> {
  const deploy = ['deploy', '--config', config];
  if ((await secretsOrNone()).includes(SIGNING_KEYS)) return showWrangler(deploy);
  const directory = await mkdtemp(join(tmpdir(), 'lindero-deploy-'));
  const removeDirectory = atExit(() => rmSync(directory, { recursive: true }));
  try {
    const file = join(directory, 'secrets.json');
    await writeFile(file, JSON.stringify({ [SIGNING_KEYS]: await keySet() }), { mode: 0o600 });
    await showWrangler([...deploy, '--secrets-file', file]);
  } finally {
    removeDirectory();
  }
}

/** The secrets of the Worker; none where it has not been deployed yet. */
async function secretsOrNone(): Promise<string[]> {
  try {
    return await remoteSecrets({ wrangler: runWrangler });
  } catch (error) {
    // By no other failure: the keys of a Worker that is there would be lost.
    if (error instanceof Failure && /Worker "[^"]*" not found/.test(error.message)) return [];
    throw error;
  }
}
