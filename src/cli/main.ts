import { exitOnSignals, onOrphaned } from './at-exit.ts';
import type { Context } from './context.ts';
import { Failure, ReaderGone } from './failure.ts';
import { openPlatform } from './platform.ts';
import { report, run } from './program.ts';
import { runWrangler } from './wrangler.ts';

const context: Context = {
  out: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => {
        if (error) reject(notWritten(error));
        else resolve();
      });
    }),
  err: (text) => process.stderr.write(text),
  input: process.stdin,
  directory: '.',
  now: () => new Date(),
  open: openPlatform,
  wrangler: runWrangler,
};

const args = process.argv.slice(2);

exitOnSignals((signal) => report(new Failure('interrupted', `Interrupted by ${signal}.`), args, context));
onOrphaned(() => process.kill(process.pid, 'SIGTERM'));

// Whoever writes is told.
process.stdout.on('error', () => {});

// At once: a platform that failed to open, or an input that nobody ends, would keep the process alive.
process.exit(await run(args, context));

function notWritten({ code }: NodeJS.ErrnoException): Error {
  if (code === 'EPIPE') return new ReaderGone();
  return new Failure(
    'no_output',
    `The standard output cannot be written: ${code}. What has been changed stays changed.`,
  );
}
