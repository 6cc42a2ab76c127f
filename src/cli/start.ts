/**
 * Serves the Worker on this machine with the demo agencies: settings and migrations where they are missing, the demo
 * data once, then `wrangler dev` with all arguments handed on. Works on the project in the current directory.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getPlatformProxy } from 'wrangler';
import type { Env } from '../env.ts';
import { onOrphaned } from './at-exit.ts';
import { withOwnStatements } from './database.ts';
import { seedDemo } from './demo/seed.ts';
import { addDevelopmentSettings } from './development-settings.ts';
import { welcome } from './welcome.ts';

const args = process.argv.slice(2);
const { values } = parseArgs({
  args,
  strict: false,
  options: { 'persist-to': { type: 'string' }, 'local-protocol': { type: 'string' } },
});
const persistTo = resolve(typeof values['persist-to'] === 'string' ? values['persist-to'] : '.wrangler/state');

// No usage data go out, and the place of a request is not asked of the network.
Object.assign(process.env, { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' });

let running: ChildProcess | undefined;
let ended: NodeJS.Signals | undefined;
function end(signal: NodeJS.Signals): void {
  ended = signal;
  running?.kill(signal);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Wrangler, once imported, ends this process at once; but it is to end with the wrangler that serves.
  process.removeAllListeners(signal);
  process.on(signal, end);
}
onOrphaned(() => end('SIGTERM'));

await addDevelopmentSettings('.dev.vars');
await run(['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', persistTo], { stdin: 'ignore' });
await loadDemo();
await run(['dev', ...args], { stdin: 'inherit', onReady: (origin) => console.log(welcome(origin)) });

/** Runs wrangler to its end, and ends with it unless it succeeds. */
async function run(
  command: string[],
  { stdin, onReady }: { stdin: 'inherit' | 'ignore'; onReady?: (origin: string) => void },
): Promise<void> {
  if (ended !== undefined) process.exit(128 + constants.signals[ended]);
  const wrangler = fork(createRequire(import.meta.url).resolve('wrangler'), command, {
    execArgv: ['--no-warnings', '--experimental-vm-modules'],
    stdio: [stdin, 'inherit', 'inherit', 'ipc'],
  });
  running = wrangler;
  wrangler.on('message', (message) => {
    const origin = originOf(message);
    if (origin !== undefined) onReady?.(origin);
  });
  const code = await new Promise<number>((done) => {
    wrangler.on('exit', (status, signal) => done(status ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
  running = undefined;
  if (code !== 0) process.exit(code);
}

/** Where wrangler serves, once it says so: on the port that it found free. */
function originOf(message: unknown): string | undefined {
  const { event, ip, port } = JSON.parse(String(message));
  if (event !== 'DEV_SERVER_READY') return undefined;
  const host = ['0.0.0.0', '[::]', '::', '*'].includes(ip) ? 'localhost' : ip;
  return `${values['local-protocol'] === 'https' ? 'https' : 'http'}://${host}:${port}`;
}

async function loadDemo(): Promise<void> {
  if (ended !== undefined) return;
  const platform = await getPlatformProxy<Env>({ persist: { path: join(persistTo, 'v3') } });
  try {
    for (const code of await seedDemo(withOwnStatements(platform.env.DB)))
      console.log(`Opened the demo agency ${code}.`);
  } finally {
    await platform.dispose();
  }
}
