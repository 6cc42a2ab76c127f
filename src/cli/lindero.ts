import { availableParallelism } from 'node:os';
import { exitOnSignals, onOrphaned } from './at-exit.ts';
import type { Context } from './context.ts';
import { Failure, OutputClosed } from './failure.ts';
import { openPlatform } from './platform.ts';
import { report, run } from './program.ts';
import { runWrangler } from './wrangler.ts';

/** Maximum number of threads of an import: each takes some 40 MB. */
const THREADS = 2;

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
  startThreads: async () => {
    const { startThread } = await import('../import/sections/thread.ts');
    return Array.from({ length: Math.min(availableParallelism(), THREADS) }, () => startThread());
  },
  open: openPlatform,
  wrangler: runWrangler,
};

const args = process.argv.slice(2);

exitOnSignals((signal) => report(new Failure('interrupted', `Interrupted by ${signal}.`), args, context));
onOrphaned(() => process.kill(process.pid, 'SIGTERM'));

// Errors are passed to the callback of each write.
process.stdout.on('error', () => {});

// A platform that failed to open, or an open standard input, would keep the process alive.
process.exit(await run(args, context));

function outputError({ code }: NodeJS.ErrnoException): Error {
  if (code === 'EPIPE') return new OutputClosed();
  return new Failure('no_output', `Cannot write to the standard output: ${code}. Changes that were made remain.`);
}
