import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The workerd processes that this process or its children have started. Linux only. */
export function workerdProcesses(parent = process.pid): number[] {
  return childrenOf(parent).flatMap((pid) => [
    ...(readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('workerd') ? [pid] : []),
    ...workerdProcesses(pid),
  ]);
}

/**
 * The peak resident memory of a process while a task ran, in MiB (proc(5), `clear_refs` and `VmHWM`).
 */
export async function peakMemory(pid: number, task: () => Promise<unknown>): Promise<number> {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await task();
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kibibytes) / 1024;
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}
