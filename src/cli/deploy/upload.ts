import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from '../at-exit.ts';
import { ApiFailure, type Cloudflare } from '../cloudflare.ts';
import { newKeySet, SIGNING_KEYS } from '../signing-key-setting.ts';
import type { DeployContext } from './context.ts';

/** Cloudflare's error for a Worker that does not exist. */
const NO_WORKER = 10007;

/**
 * Uploads the Worker. Signing keys are generated if it has none and are uploaded with it, so that it is never served
 * without them.
 *
 * @param name the Worker's name
 */
export async function upload(
  config: string,
  name: string,
  cloudflare: Cloudflare,
  { wrangler }: DeployContext,
): Promise<void> {
  const deploy = ['deploy', '--config', config];
  if ((await secretNames(name, cloudflare)).includes(SIGNING_KEYS)) return wrangler(deploy);
  const directory = await mkdtemp(join(tmpdir(), 'lindero-deploy-'));
  const removeDirectory = atExit(() => rmSync(directory, { recursive: true }));
  try {
    const file = join(directory, 'secrets.json');
    await writeFile(file, JSON.stringify({ [SIGNING_KEYS]: await newKeySet() }), { mode: 0o600 });
    await wrangler([...deploy, '--secrets-file', file]);
  } finally {
    removeDirectory();
  }
}

/** The names of the Worker's secrets; none before its first deployment. */
async function secretNames(worker: string, cloudflare: Cloudflare): Promise<string[]> {
  try {
    const secrets = await cloudflare.get<{ name: string }[]>(`/workers/scripts/${worker}/secrets`);
    return secrets.map(({ name }) => name);
  } catch (error) {
    // After any other error, new keys could replace those of an existing Worker.
    if (error instanceof ApiFailure && error.errorCode === NO_WORKER) return [];
    throw error;
  }
}
