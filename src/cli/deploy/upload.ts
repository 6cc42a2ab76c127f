import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiFailure, type Cloudflare } from '../cloudflare/api.ts';
import { atExit } from '../command/ending.ts';
import { missingSecrets } from '../settings/generated.ts';
import type { DeployContext } from './context.ts';

/** Cloudflare's error for a Worker that does not exist. */
const NO_WORKER = 10007;

/**
 * Uploads the Worker with new values of the secrets that it lacks, so that it is never served without them.
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
  const names = await secretNames(name, cloudflare);
  const secrets = await missingSecrets((secret) => names.includes(secret));
  if (Object.keys(secrets).length === 0) return wrangler(deploy);
  const directory = await mkdtemp(join(tmpdir(), 'lindero-deploy-'));
  const removeDirectory = atExit(() => rmSync(directory, { recursive: true }));
  try {
    const file = join(directory, 'secrets.json');
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
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
