import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

/**
 * Serves the Worker with `wrangler dev` itself, for options that only it has. This process ends when wrangler does, with its
 * exit code.
 *
 * @param args the options, unchanged
 * @returns the origin, as `http://localhost:8787`
 */
export function serveWithWrangler(args: readonly string[]): Promise<string> {
  const wrangler = fork(createRequire(import.meta.url).resolve('wrangler'), ['dev', ...args], {
    execArgv: ['--no-warnings', '--experimental-vm-modules'],
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  });
  process.on('exit', () => wrangler.kill());
  wrangler.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  const isSecure = /--local-protocol[= ]https/.test(args.join(' '));
  return new Promise((resolve) => {
    wrangler.on('message', (message) => {
      const { event, ip, port } = JSON.parse(String(message));
      if (event !== 'DEV_SERVER_READY') return;
      const host = ['0.0.0.0', '[::]', '::', '*'].includes(ip) ? 'localhost' : ip;
      resolve(`${isSecure ? 'https' : 'http'}://${host}:${port}`);
    });
  });
}
