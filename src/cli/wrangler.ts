import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Failure } from './failure.ts';

const require = createRequire(import.meta.url);

/** How much wrangler is to say where it runs by itself. */
const { WRANGLER_LOG } = process.env;

/** Wrangler as a library: the half second and the memory that it costs are spent by those commands only that need it. */
export function wranglerLibrary(log: 'error' | 'info' = 'error'): typeof import('wrangler') {
  // Its source map alone takes 60 MB.
  process.setSourceMapsEnabled(false);
  process.env.WRANGLER_LOG ??= log;
  return require('wrangler');
}

/**
 * Runs wrangler, as `Context.wrangler` describes it.
 *
 * @param args its arguments
 * @param input its standard input; that of this process without one
 */
export async function runWrangler(args: readonly string[], input?: string): Promise<string> {
  // What it prints is read, so it is to say neither less nor more than by itself.
  const child = start(args, [input === undefined ? 'inherit' : 'pipe', 'pipe', 'pipe'], 'log');
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin?.end(input);
  if ((await end(child)) !== 0) throw failed(args, `:\n${plain(err.trim() || out.trim())}`);
  return out;
}

/**
 * Runs wrangler as the terminal's user does, in front, but with nobody to ask: what it asks is agreed to. One who declined
 * its migrations, say, would be told that all went well.
 *
 * @throws Failure where it fails, having said why
 */
export async function showWrangler(args: readonly string[]): Promise<void> {
  if ((await end(start(args, ['ignore', 'inherit', 'inherit'], WRANGLER_LOG))) !== 0) throw failed(args, '.');
}

function start(args: readonly string[], stdio: StdioOptions, log: string | undefined): ChildProcess {
  return spawn(process.execPath, [require.resolve('wrangler/bin/wrangler.js'), ...args], {
    stdio,
    // A deployed script is built for production, whatever this process runs as.
    env: { ...process.env, NODE_ENV: 'production', WRANGLER_LOG: log, WRANGLER_SEND_METRICS: 'false' },
  });
}

function end(child: ChildProcess): Promise<number | null> {
  return new Promise((done, fail) => child.on('error', fail).on('close', done));
}

function failed(args: readonly string[], why: string): Failure {
  return new Failure('wrangler', `wrangler ${args.slice(0, 3).join(' ')} failed${why}`);
}

/** The JSON array that wrangler prints, behind whatever else it says. */
export function printedArray<Entry>(output: string): Entry[] {
  return JSON.parse(output.slice(output.indexOf('[')));
}

/** Text without the codes that colour it on a terminal. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins such a code
  return text.replaceAll(/\u001b\[[0-9;]*m/g, '');
}
