import { nowInSeconds } from '../lib/time/time.ts';
import { CONFIG, serviceOrigin } from './cloudflare/config.ts';
import { runWrangler } from './cloudflare/wrangler.ts';
import type { Context } from './command/command.ts';
import { exitOnSignals, interruptionBy, onOrphaned } from './command/ending.ts';
import { Failure, OutputClosed } from './command/failure.ts';
import { openLocalPlatform, openRemotePlatform } from './platform/platform.ts';
import { report, run } from './program.ts';

const context: Context = {
  out: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(outputError(error)) : resolve()));
    }),
  err: (text) => process.stderr.write(text),
  input: process.stdin,
  directory: '.',
  now: nowInSeconds,
  open: ({ remote, persistTo }) => (remote ? openRemotePlatform(CONFIG) : openLocalPlatform(CONFIG, persistTo)),
  origin: serviceOrigin,
  wrangler: runWrangler,
};

const args = process.argv.slice(2);

exitOnSignals((signal) => report(new Failure('interrupted', interruptionBy(signal)), args, context));
onOrphaned(() => process.kill(process.pid, 'SIGTERM'));

// Errors are passed to the callback of each write.
process.stdout.on('error', () => {});

// A platform that failed to open, or an open standard input, would keep the process alive.
process.exit(await run(args, context));

function outputError({ code }: NodeJS.ErrnoException): Error {
  if (code === 'EPIPE') return new OutputClosed();
  return new Failure('no_output', `Cannot write to standard output: ${code}. Changes that were made remain.`);
}
