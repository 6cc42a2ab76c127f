import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A Node program in a process of its own, on a loopback port. */
export interface RunningProgram {
  /** Its address, without a slash at the end. */
  readonly origin: string;
  readonly pid: number;
  stop(): void;
}

/** Starts `peers/server.ts` on a copy of the database. */
export async function startProgram(database: string, port: number): Promise<RunningProgram> {
  const server = path.join(import.meta.dirname, '../peers/server.ts');
  const child = fork(server, [database, String(port)], { execArgv: process.execArgv });
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => ['exited'])]);
  if (message !== 'listening') throw new Error(`The Node program did not start`);
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => child.kill() };
}
