import { once } from 'node:events';
import { exitOnSignals } from './at-exit.ts';
import type { Context } from './context.ts';
import { EXIT, Failure } from './failure.ts';
import { openPlatform } from './platform.ts';
import { report, run } from './program.ts';
import { runWrangler } from './wrangler.ts';

const context: Context = {
  out: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  err: (text) => process.stderr.write(text),
  input: process.stdin,
  directory: '.',
  now: () => new Date(),
  open: openPlatform,
  wrangler: runWrangler,
};

const args = process.argv.slice(2);

exitOnSignals((signal) => report(new Failure('interrupted', `Interrupted by ${signal}.`), args, context));

// A reader that has had enough, as head has, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  report(new Failure('no_output', `The standard output cannot be written: ${error.code}`), args, context);
  process.exit(EXIT.failed);
});

process.exitCode = await run(args, context);
