import { nowInSeconds } from '../lib/time/time.ts';
import { runWrangler } from './cloudflare/wrangler.ts';
import type { Context } from './command/command.ts';
import { exitOnSignals, interruptionBy, onOrphaned } from './command/ending.ts';
import { Failure, OutputClosed } from './command/failure.ts';
import { report, run } from './program.ts';
import { findService } from './service/find.ts';

const context: Context = {
  out: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(outputError(error)) : resolve()));
    }),
  err: (text) => process.stderr.write(text),
  input: process.stdin,
  directory: '.',
  now: nowInSeconds,
  service: (args) => findService('.', args),
  wrangler: runWrangler,
};

const args = process.argv.slice(2);

exitOnSignals((signal) =>
  report(new Failure('interrupted', interruptionBy(signal)), args, context),
);
onOrphaned(() => process.kill(process.pid, 'SIGTERM'));

// Errors are passed to the callback of each write.
process.stdout.on('error', () => {});

// An open standard input would keep the process alive.
process.exit(await run(args, context));

function outputError({ code }: NodeJS.ErrnoException): Error {
  if (code === 'EPIPE') return new OutputClosed();
  return new Failure(
    'no_output',
    `Cannot write to standard output: ${code}. Changes that were made remain.`,
  );
}
