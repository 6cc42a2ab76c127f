import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';

/** The workerd processes that this process or its children have started. Linux only. */
function workerdProcesses(parent = process.pid): number[] {
  return childrenOf(parent).flatMap((pid) => [
    ...(readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('workerd') ? [pid] : []),
    ...workerdProcesses(pid),
  ]);
}

/** The workerd process that listens on a port: the files of a process of tests have several. Linux only (proc(5)). */
export function workerdAt({ port }: URL): number {
  const suffix = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n'),
  );
  const sockets = lines
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = '', , state, , , , , , inode]) =>
      local.endsWith(suffix) && state === LISTENING ? [`socket:[${inode}]`] : [],
    );
  const found = workerdProcesses().find((pid) =>
    readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.includes(linkOf(`/proc/${pid}/fd/${fd}`))),
  );
  if (found === undefined) throw new Error(`No workerd listens on port ${port}`);
  return found;
}

const LISTENING = '0A';

/** Where a link leads; nowhere if it has been closed in the meantime. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
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
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}
