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

/** The peak resident memory of a process, in MB. */
export function peakMemory(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`The peak memory of process ${pid} is unknown`);
  return (Number(kilobytes) * 1024) / 1e6;
}
