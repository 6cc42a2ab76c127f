import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { Failure } from '../command/failure.ts';

export const WRANGLER = join(
  dirname(createRequire(import.meta.url).resolve('wrangler')),
  '../bin/wrangler.js',
);

/**
 * Runs wrangler.
 *
 * @param input its standard input; by default that of this process. With its output on the
 * terminal, it has none: after a declined question it would report success
 * @param isShown whether its output goes to the terminal, instead of being returned
 */
export async function runWrangler(
  args: readonly string[],
  input?: string,
  isShown = false,
): Promise<string> {
  const output = isShown ? 'inherit' : 'pipe';
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    stdio: [isShown ? 'ignore' : input === undefined ? 'inherit' : 'pipe', output, output],
    // A deployed script is built for production, regardless of this process's own environment.
    env: {
      ...process.env,
      NODE_ENV: 'production',
      // A configuration that it is given has the environment's settings already.
      ...(args.includes('--config') ? { CLOUDFLARE_ENV: undefined } : {}),
      // What is parsed must not depend on the log level of the environment.
      ...(isShown ? {} : { WRANGLER_LOG: 'log' }),
      WRANGLER_SEND_METRICS: 'false',
    },
  });
  child.stdin?.end(input);
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const printed = [child.stdout, child.stderr].map((stream) =>
    stream === null ? '' : text(stream),
  );
  const [code, out = '', err = ''] = await Promise.all([ended, ...printed]);
  if (code === 0) return out;
  const said = stripVTControlCharacters(err.trim() || out.trim());
  throw new Failure(
    'wrangler',
    `wrangler ${args.slice(0, 3).join(' ')} failed${said && `:\n${said}`}`,
  );
}
