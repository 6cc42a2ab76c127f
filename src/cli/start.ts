/**
 * `npm start`: prepares the local state as `npm run setup` does, then runs `wrangler dev` with the given options, and prints
 * what to open and to paste once it is ready.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { movePictures } from '../db/operator/demo-pictures.ts';
import { CONFIG } from './cloudflare/config.ts';
import { onOrphaned } from './command/ending.ts';
import { Failure } from './command/failure.ts';
import { openLocalPlatform } from './platform/platform.ts';
import { DEMO_KEY } from './setup/agencies.ts';
import { setUp } from './setup/command.ts';

const WRANGLER = 'node_modules/wrangler/bin/wrangler.js';

const args = process.argv.slice(2);
const { values } = parseArgs({
  args,
  options: { 'persist-to': { type: 'string', default: '.wrangler/state' }, 'local-protocol': { type: 'string' } },
  strict: false,
});

const open = () => openLocalPlatform(CONFIG, String(values['persist-to']));

try {
  const { pictures } = await setUp('.', new Date(), open, console.log);
  serve(pictures);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = error.exit;
}

/**
 * Runs `wrangler dev`. This process ends when it does, with its exit code.
 *
 * @param pictures the origin of the demo's pictures, which are moved to the one that wrangler serves
 */
function serve(pictures: string | null): void {
  // Without usage data, without a request for this machine's location, and with the demo's pictures.
  const env = { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', NODE_ENV: 'development' };
  const wrangler = fork(WRANGLER, ['dev', ...args], { env: { ...process.env, ...env } });
  wrangler.on('message', async (message) => {
    const { event, ip, port } = JSON.parse(String(message));
    if (event !== 'DEV_SERVER_READY') return;
    const host = ['0.0.0.0', '[::]', '::', '*'].includes(ip) ? 'localhost' : ip;
    const origin = `${values['local-protocol'] ?? 'http'}://${host}:${port}`;
    if (pictures !== null && pictures !== origin) await servePicturesFrom(origin, pictures);
    console.log(welcome(origin));
  });
  wrangler.on('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => wrangler.kill(signal));
  onOrphaned(() => wrangler.kill('SIGTERM'));
}

/** Pages to open and commands to paste for a developer; `origin` is where the Worker is served. */
function welcome(origin: string): string {
  // wrangler's certificate is self-signed.
  const values = { CURL: origin.startsWith('https:') ? 'curl -k' : 'curl', ORIGIN: origin, KEY: DEMO_KEY };
  const text = readFileSync(join(import.meta.dirname, 'setup/welcome.txt'), 'utf8');
  return text.replaceAll(/\b(CURL|ORIGIN|KEY)\b/g, (name) => values[name as keyof typeof values]);
}

async function servePicturesFrom(origin: string, previous: string): Promise<void> {
  await using platform = await open();
  await movePictures(platform.env.DB, previous, origin);
}
