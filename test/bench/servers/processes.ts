import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Information about processes from `/proc` on Linux; none on other platforms. */

/** Clock ticks per second, on every Linux that Node runs on. */
const TICKS = 100;

/** The process ids of this process's own children that run a program of this name. */
export function childrenNamed(name: string): number[] {
  try {
    return readdirSync('/proc/self/task')
      .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '))
      .filter((id) => id !== '' && readFileSync(`/proc/${id}/comm`, 'utf8').trim() === name)
      .map(Number);
  } catch {
    return [];
  }
}

/** The processor time of a process so far, all threads together, in milliseconds. */
export function processorTime(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return ((Number(user) + Number(system)) * 1000) / TICKS;
  } catch {
    return null;
  }
}

/** The peak resident memory of a process so far, in MB; 0 once it has ended. */
function peakMemory(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return (Number(kilobytes ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

/** Runs Node to its end with further environment variables, and returns its peak memory in MB. */
export async function runNode(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let [peak, complaint] = [0, ''];
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const watch = setInterval(() => {
    peak = Math.max(peak, peakMemory(child.pid!));
  }, 20);
  const code = await new Promise<number>((done) =>
    child.on('close', (status) => done(status ?? -1)),
  );
  clearInterval(watch);
  // 3 is success with warnings.
  if (code !== 0 && code !== 3)
    throw new Error(`${args.join(' ')} ended with ${code}: ${complaint}`);
  return peak;
}
