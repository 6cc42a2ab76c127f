import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A copy of this project with settings, configuration and state of its own, to run its scripts in. */
export class Project {
  readonly directory = mkdtempSync(join(tmpdir(), 'lindero-project-'));
  readonly #running = new Set<Running>();

  constructor() {
    for (const name of ['src', 'migrations', 'node_modules', 'package.json', 'tsconfig.json']) {
      symlinkSync(resolve(name), join(this.directory, name));
    }
    copyFileSync('wrangler.toml', join(this.directory, 'wrangler.toml'));
    writeFileSync(join(this.directory, '.dev.vars'), '# mine\nMINE=1');
  }

  /** Starts a command in the project's directory. */
  run(...command: [string, ...string[]]): Running {
    const running = new Running(this.directory, command);
    this.#running.add(running);
    return running;
  }

  /** Ends all started processes, and removes the directory. */
  async remove(): Promise<void> {
    for (const running of this.#running) running.kill();
    await Promise.all([...this.#running].map(({ exit }) => exit));
    rmSync(this.directory, { recursive: true, maxRetries: 5 });
  }
}

/** A command that was started, in a process group of its own. */
export class Running {
  /** What it has written, to both streams. */
  output = '';
  /** Its exit code; `null` if a signal ended it. */
  readonly exit: Promise<number | null>;
  readonly #process: ChildProcess;
  #ended = false;

  constructor(directory: string, [program, ...args]: [string, ...string[]]) {
    this.#process = spawn(program, args, {
      cwd: directory,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, WRANGLER_LOG: undefined, WRANGLER_SEND_METRICS: 'false' },
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on('data', (data) => {
        this.output += data;
      });
    }
    this.exit = new Promise((done) => {
      this.#process.on('close', (code) => {
        this.#ended = true;
        done(code);
      });
    });
  }

  /** Waits until the output matches, and returns the match. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      if (this.#ended) throw new Error(`Ended without ${pattern}:\n${this.output}`);
      await setTimeout(10);
    }
  }

  /** The running processes that it has started, itself among them. */
  processes(): RunningProcess[] {
    const running = runningProcesses();
    const found = running.filter(({ pid }) => pid === this.#process.pid);
    for (const { pid } of found) found.push(...running.filter(({ parent }) => parent === pid));
    return found;
  }

  /** Ends only the started process, as a supervisor does. */
  terminate(): void {
    this.#process.kill('SIGTERM');
  }

  /** Interrupts all its processes, as a terminal does. */
  interrupt(): void {
    process.kill(-this.#process.pid!, 'SIGINT');
  }

  kill(): void {
    if (!this.#ended) process.kill(-this.#process.pid!, 'SIGKILL');
  }
}

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Resident memory in MB. */
  readonly memory: number;
  readonly command: string;
}

/** All processes of this machine that have not ended. */
export function runningProcesses(): RunningProcess[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,stat=,args='], {
    encoding: 'utf8',
  });
  return [...table.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+([^Z\s]\S*)\s+(.*)$/gm)].map(
    ([, pid, parent, kilobytes, , command]) => ({
      pid: Number(pid),
      parent: Number(parent),
      memory: Number(kilobytes) / 1_024,
      command: command!,
    }),
  );
}
