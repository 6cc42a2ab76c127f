import { serviceOrigin } from './cloudflare/origin.ts';
import { runWrangler } from './cloudflare/wrangler.ts';
import type { Context } from './command/context.ts';
import { exitOnSignals, onOrphaned } from './command/ending.ts';
import { Failure, OutputClosed } from './command/failure.ts';
import { interruptible } from './command/interruption.ts';
import { openPlatform } from './platform/open.ts';
import { report, run } from './program.ts';

const { open, failure } = interruptible(openPlatform);

const context: Context = {
  out: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => {
        if (error) reject(outputError(error));
        else resolve();
      });
    }),
  err: (text) => process.stderr.write(text),
  input: process.stdin,
  directory: '.',
  now: () => new Date(),
  open,
  origin: serviceOrigin,
  wrangler: runWrangler,
};

const args = process.argv.slice(2);

exitOnSignals((signal) => report(failure(signal), args, context));
onOrphaned(() => process.kill(process.pid, 'SIGTERM'));

// Errors are passed to the callback of each write.
process.stdout.on('error', () => {});

// A platform that failed to open, or an open standard input, would keep the process alive.
process.exit(await run(args, context));

function outputError({ code }: NodeJS.ErrnoException): Error {
  if (code === 'EPIPE') return new OutputClosed();
  return new Failure('no_output', `Cannot write to the standard output: ${code}. Changes that were made remain.`);
}
