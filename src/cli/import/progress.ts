import { Presets, SingleBar } from 'cli-progress';
import { atExit } from '../command/ending.ts';
import { flag } from '../command/options.ts';

/** Reports the progress of a long task, stage by stage. */
export interface Progress {
  begin(what: string, total: number): void;
  add(steps: number): void;
  end(): void;
}

const NO_PROGRESS: Progress = { begin() {}, add() {}, end() {} };

export const PROGRESS = {
  ...flag('Show progress on the standard error', process.stderr.isTTY === true),
  defaultDescription: 'on a terminal',
};

/** Shows the progress of some work; its end comes before the result is printed, because a bar occupies its line. */
export async function withProgress<Result>(
  isShown: boolean,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = isShown ? newProgress() : NO_PROGRESS;
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

/** Progress on the standard error: a bar on a terminal, otherwise a line every five seconds. */
function newProgress(): Progress {
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
