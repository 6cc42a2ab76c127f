import { Presets, SingleBar } from 'cli-progress';
import { atExit } from '../at-exit.ts';
import type { Context } from '../context.ts';

/** Tells how far a long work has come: one stage after the other. */
export interface Progress {
  begin(what: string, total: number): void;
  add(steps: number): void;
  end(): void;
}

/** A bar on a terminal, a line now and then elsewhere. */
export function progressOf({ terminal, err, now }: Pick<Context, 'terminal' | 'err' | 'now'>): Progress {
  return terminal ? new BarProgress() : new LineProgress(err, now);
}

/** For a program, which is told the end alone. */
export const NO_PROGRESS: Progress = { begin() {}, add() {}, end() {} };

class BarProgress implements Progress {
  #bar: SingleBar | undefined;
  #stop = () => {};

  begin(what: string, total: number): void {
    this.end();
    this.#bar = new SingleBar(
      { format: `${what} {bar} {percentage}% {value}/{total}`, hideCursor: true, stream: process.stderr },
      Presets.shades_classic,
    );
    this.#bar.start(total, 0);
    // It has hidden the cursor.
    this.#stop = atExit(() => this.#bar?.stop());
  }

  add(steps: number): void {
    this.#bar?.increment(steps);
  }

  end(): void {
    this.#stop();
    this.#bar = undefined;
  }
}

/** Milliseconds between two lines. */
const LINE_EVERY = 5_000;

class LineProgress implements Progress {
  readonly #err: Context['err'];
  readonly #now: Context['now'];
  #what = '';
  #total = 0;
  #done = 0;
  #last = 0;

  constructor(err: Context['err'], now: Context['now']) {
    this.#err = err;
    this.#now = now;
  }

  begin(what: string, total: number): void {
    this.#what = what;
    this.#total = total;
    this.#done = 0;
    this.#last = this.#now().getTime();
  }

  add(steps: number): void {
    this.#done += steps;
    const now = this.#now().getTime();
    if (now - this.#last < LINE_EVERY) return;
    this.#last = now;
    this.#err(`${this.#what}: ${this.#done} of ${this.#total}\n`);
  }

  end(): void {}
}
