import { constants } from 'node:os';

/**
 * Has work done once: when it is called for, or else when the process ends before, by a signal too. It must be done at
 * once, since a process that ends waits for nothing.
 *
 * @returns what does it
 */
export function atExit(work: () => void): () => void {
  const once = () => {
    process.off('exit', once);
    work();
  };
  process.on('exit', once);
  return once;
}

/**
 * Ends this process at a signal with the exit code that a shell expects. To be called before wrangler is loaded, which ends
 * it too, but with the exit code of a success.
 *
 * @param tell told before
 */
export function exitOnSignals(tell: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      tell(signal);
      process.exit(128 + constants.signals[signal]);
    });
  }
}
