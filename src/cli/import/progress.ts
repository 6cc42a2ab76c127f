import { Presets, SingleBar } from 'cli-progress';
import { atExit } from '../command/ending.ts';

/** Reports the progress of a long task, stage by stage. */
export interface Progress {
  begin(what: string, total: number): void;
  add(steps: number): void;
  end(): void;
}

/** No progress, for programs, which read only the result. */
export const NO_PROGRESS: Progress = { begin() {}, add() {}, end() {} };

/** Progress on the standard error: a bar on a terminal, otherwise a line every five seconds. */
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
          format: `${what} ${isTTY ? '{bar} ' : ''}{percentage}% {value}/{total}, {eta_formatted} left`,
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
