import { spawn } from 'node:child_process';
import { migrate } from './bundle.ts';
import { peakMemory } from './processes.ts';

/** Runs the operator's program of a checkout as `npm run lindero` does, and returns its peak memory in MB. */
export function runOperator(root: string, args: readonly string[], accepted?: readonly number[]): Promise<number> {
  return runNode(['src/cli/lindero.ts', ...args], root, accepted);
}

/** Creates a state folder with the tables of a checkout and one account without properties. */
export async function createState(root: string, state: string, account: string): Promise<void> {
  await migrate(root, state);
  await runOperator(root, ['account', 'create', account, '--persist-to', state]);
}

/**
 * Runs Node to its end, and returns its peak memory in MB.
 *
 * @param accepted the exit codes that are not an error
 */
export async function runNode(
  args: readonly string[],
  cwd: string,
  accepted: readonly number[] = [0],
): Promise<number> {
  const child = spawn(process.execPath, [...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let [peak, complaint] = [0, ''];
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const watch = setInterval(() => {
    peak = Math.max(peak, peakSoFar(child.pid!));
  }, 20);
  const code = await new Promise<number>((done) => child.on('close', (status) => done(status ?? -1)));
  clearInterval(watch);
  if (!accepted.includes(code)) throw new Error(`${args.join(' ')} ended with ${code}: ${complaint}`);
  return peak;
}

/** The last value before the process ends is its peak. */
function peakSoFar(pid: number): number {
  try {
    return peakMemory(pid);
  } catch {
    return 0;
  }
}
