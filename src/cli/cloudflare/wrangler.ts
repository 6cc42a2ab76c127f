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

/** A run of wrangler that failed. */
export class WranglerFailure extends Failure {
  /** The code of Cloudflare's API, if it refused something. */
  readonly apiCode: number | undefined;

  constructor(message: string, apiCode: number | undefined) {
    super('wrangler', message);
    this.apiCode = apiCode;
  }
}

/**
 * Runs wrangler.
 *
 * @param input its standard input; by default that of this process. With its output on the
 * terminal, it has none: after a declined question it would report success
 * @param isShown whether its output also goes to the terminal
 */
export async function runWrangler(
  args: readonly string[],
  input?: string,
  isShown = false,
): Promise<string> {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    stdio: [isShown ? 'ignore' : input === undefined ? 'inherit' : 'pipe', 'pipe', 'pipe'],
    // A deployed script is built for production, regardless of this process's own environment.
    env: {
      ...process.env,
      NODE_ENV: 'production',
      // A configuration that it is given has the environment's settings already.
      ...(args.includes('--config') ? { CLOUDFLARE_ENV: undefined } : {}),
      // What is parsed must not depend on the log level of the environment.
      ...(isShown
        ? { FORCE_COLOR: process.stdout.isTTY ? '1' : undefined }
        : { WRANGLER_LOG: 'log' }),
      WRANGLER_SEND_METRICS: 'false',
    },
  });
  child.stdin?.end(input);
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (isShown) {
    child.stdout!.pipe(process.stdout, { end: false });
    child.stderr!.pipe(process.stderr, { end: false });
  }
  const [code, out, err] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)]);
  if (code === 0) return out;
  const said = stripVTControlCharacters(err.trim() || out.trim());
  const details = isShown || said === '' ? '' : `:\n${said}`;
  const [, apiCode] = /\[code: (\d+)\]/.exec(said) ?? [];
  throw new WranglerFailure(
    `wrangler ${args.slice(0, 3).join(' ')} failed${details}`,
    apiCode === undefined ? undefined : Number(apiCode),
  );
}
