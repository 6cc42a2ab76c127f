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
 * Ends this process at a signal, as one that has no handlers ends, but with its work at exit done. To be called before
 * wrangler is loaded, which ends it too, but with the exit code of a success.
 *
 * @param tell told before
 */
export function exitOnSignals(tell: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      tell(signal);
      // An exit alone would wait for a thread that reads from a pipe whose writer stalls.
      process.on('exit', () => {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      });
      process.exit();
    });
  }
}

/**
 * Has work done once npm, which started this process, is gone: npm hands a signal on to the shell between them, which dies
 * of it and tells nobody.
 */
export function onOrphaned(work: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const { ppid } = process;
  const watch = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(watch);
    work();
  }, 500).unref();
}
