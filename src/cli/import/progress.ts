import { Presets, SingleBar } from 'cli-progress';
import { atExit } from '../at-exit.ts';

/** Tells how far a long work has come: one stage after the other. */
export interface Progress {
  begin(what: string, total: number): void;
  add(steps: number): void;
  end(): void;
}

/** For a program, which is told the end alone. */
export const NO_PROGRESS: Progress = { begin() {}, add() {}, end() {} };

/** On the standard error: a bar where that is a terminal, elsewhere a line every five seconds. */
export function newProgress(): Progress {
  const { isTTY } = process.stderr;
  let stop = () => {};
  let bar: SingleBar | undefined;
  const end = () => {
    stop();
    bar = undefined;
  };
  return {
    begin(what, total) {
      end();
      const started = new SingleBar(
        {
          format: `${what} ${isTTY ? '{bar} ' : ''}{percentage}% {value}/{total}`,
          hideCursor: true,
          noTTYOutput: true,
          notTTYSchedule: 5_000,
        },
        Presets.shades_classic,
      );
      started.start(total, 0);
      // The bar has hidden the cursor.
      stop = atExit(() => started.stop());
      bar = started;
    },
    add: (steps) => bar?.increment(steps),
    end,
  };
}
