import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Failure } from './failure.ts';

const require = createRequire(import.meta.url);

/** Wrangler as a library: the half second and the memory that it costs are spent by those commands only that need it. */
export function wranglerLibrary(): typeof import('wrangler') {
  // Its source map alone takes 60 MB.
  process.setSourceMapsEnabled(false);
  process.env.WRANGLER_LOG ??= 'error';
  return require('wrangler');
}

/**
 * Runs wrangler, as `Context.wrangler` describes it.
 *
 * @param args its arguments
 * @param input its standard input; that of this process without one
 */
export async function runWrangler(args: readonly string[], input?: string): Promise<string> {
  const child = spawn(process.execPath, [require.resolve('wrangler/bin/wrangler.js'), ...args], {
    stdio: [input === undefined ? 'inherit' : 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin?.end(input);
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  if (code !== 0) {
    throw new Failure('wrangler', `wrangler ${args.slice(0, 3).join(' ')} failed:\n${plain(err.trim() || out.trim())}`);
  }
  return out;
}

/** Text without the codes that colour it on a terminal. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins such a code
  return text.replaceAll(/\u001b\[[0-9;]*m/g, '');
}
