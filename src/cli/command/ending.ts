/**
 * Runs a cleanup once: when the returned function is called, or else when this process ends, even
 * by a signal. It must be synchronous, since an ending process waits for nothing.
 */
export function atExit(cleanUp: () => void): () => void {
  const once = () => {
    process.off('exit', once);
    cleanUp();
  };
  process.on('exit', once);
  return once;
}

const NOTHING = 'Nothing was changed.';

/** What this process has changed that a signal does not undo, as a sentence. */
let changes = NOTHING;

/** Call it before this process changes anything, and again when more is known. */
export function noteChange(sentence?: string): void {
  changes = sentence ?? (changes === NOTHING ? 'Changes made before that remain.' : changes);
}

export function interruptionBy(signal: NodeJS.Signals): string {
  return `Interrupted by ${signal}. ${changes}`;
}

/**
 * Ends this process at a signal as if it had no handler, but runs the cleanups of {@link atExit}.
 * Call it before Miniflare is loaded, which ends the process too, but with the exit code 0.
 *
 * @param onSignal called before
 */
export function exitOnSignals(onSignal: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      onSignal(signal);
      // `process.exit` alone would wait for a thread that reads from a pipe whose writer stalls.
      process.on('exit', () => {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      });
      process.exit();
    });
  }
}

/**
 * Calls back when npm, which started this process, has ended. npm forwards a signal to the shell
 * between them, which ends without forwarding it.
 */
export function onOrphaned(callback: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const { ppid } = process;
  const watch = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(watch);
    callback();
  }, 500).unref();
}
