import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

/**
 * Watches the processes that libraries start from now on, and ends them all at the end of this process: esbuild, whose
 * watch mode wrangler uses, would keep running if it is building at that moment.
 *
 * @param onRuntimeDeath called with the reason if a runtime ends that this process has not ended itself, since requests
 * would then fail
 */
export function superviseChildren(onRuntimeDeath: (reason: string) => void): void {
  const running = new Set<ChildProcess>();
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess };
    running.add(child);
    child.once('exit', (code, signal) => {
      running.delete(child);
      const isRuntime = child.spawnfile.includes('workerd');
      if (isRuntime && !child.killed) onRuntimeDeath(signal ?? `exit code ${code}`);
    });
  });
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });
}
