/**
 * `npm start`: prepares the local state as `npm run setup` does, then runs `wrangler dev` with the
 * given options, and, once it is ready, creates the demo agencies and prints what to open and to
 * paste.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEMO_KEY } from '../../demo/key.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { WRANGLER } from '../cloudflare/wrangler.ts';
import { onOrphaned } from '../command/ending.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { ServiceClient } from '../service/client.ts';
import { readSettings } from '../service/find.ts';
import { createDemo } from './demo.ts';
import { prepare } from './prepare.ts';

const args = process.argv.slice(2);
const { values } = parseArgs({
  args,
  options: {
    'persist-to': { type: 'string', default: '.wrangler/state' },
    'local-protocol': { type: 'string', default: 'http' },
    ip: { type: 'string', default: 'localhost' },
    port: { type: 'string', default: '8787' },
  },
  strict: false,
});

const ip = String(values.ip);
const host = ['0.0.0.0', '[::]', '::', '*'].includes(ip)
  ? 'localhost'
  : isIPv6(ip)
    ? `[${ip}]`
    : ip;

const origin = `${values['local-protocol']}://${host}:${values.port}`;

try {
  if (Number(values.port) === 0)
    throw usageFailure("--port must not be 0: the demo's picture URLs contain the port.");
  await prepare('.', String(values['persist-to']), console.log);
  serve();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = error.exit;
}

/** Runs `wrangler dev`. This process ends when it does, with its exit code. */
function serve(): void {
  // Without usage data, without a request for this machine's location, and with the demo's
  // pictures.
  const env = {
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    NODE_ENV: 'development',
  };
  const wrangler = fork(WRANGLER, ['dev', ...args], { env: { ...process.env, ...env } });
  let hasFailed = false;
  wrangler.on('message', (message) => {
    if (JSON.parse(String(message)).event !== 'DEV_SERVER_READY') return;
    offer().catch((error: Error) => {
      console.error(error.message);
      hasFailed = true;
      wrangler.kill('SIGTERM');
    });
  });
  wrangler.on('exit', (code) => process.exit(hasFailed ? 1 : (code ?? 1)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => wrangler.kill(signal));
  onOrphaned(() => wrangler.kill('SIGTERM'));
}

/** Creates the demo unless it is there, and prints what to open and to paste. */
async function offer(): Promise<void> {
  // wrangler's certificate is self-signed.
  if (origin.startsWith('https:')) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const key = (await readSettings('.')).OPERATOR_KEY ?? '';
  await createDemo(
    '.',
    nowInSeconds(),
    new ServiceClient({ origin, key, isLocal: true }),
    console.log,
  );
  console.log(welcome());
}

/** Pages to open and commands to paste for a developer. */
function welcome(): string {
  const values = {
    CURL: origin.startsWith('https:') ? 'curl -k' : 'curl',
    ORIGIN: origin,
    KEY: DEMO_KEY,
  };
  const text = readFileSync(join(import.meta.dirname, 'welcome.txt'), 'utf8');
  return text.replaceAll(/\b(CURL|ORIGIN|KEY)\b/g, (name) => values[name as keyof typeof values]);
}
