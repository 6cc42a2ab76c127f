import { Presets, SingleBar } from 'cli-progress';
import { atExit } from '../command/ending.ts';
import { flag } from '../command/options.ts';

export interface Progress {
  begin(what: string, total: number): void;
  add(steps: number): void;
}

export const PROGRESS = {
  ...flag('Show progress on the standard error', process.stderr.isTTY === true),
  defaultDescription: 'on a terminal',
};

/**
 * Shows the progress of some work on the standard error: a bar on a terminal, otherwise a line every five seconds. Its end
 * comes before the result is printed, because a bar occupies its line.
 */
export async function withProgress<Result>(
  isShown: boolean,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const { isTTY } = process.stderr;
  let [bar, stop]: [SingleBar | undefined, () => void] = [undefined, () => {}];
  const progress: Progress = {
    begin(what, total) {
      if (!isShown) return;
      stop();
      const format = `${what} ${isTTY ? '{bar} ' : ''}{percentage}% {value}/{total}, {eta_formatted} left`;
      const options = { format, hideCursor: true, noTTYOutput: true, notTTYSchedule: 5_000 };
      const started = new SingleBar(options, Presets.shades_classic);
      started.start(total, 0);
      bar = started;
      // The bar has hidden the cursor.
      stop = atExit(() => started.stop());
    },
    add: (steps) => bar?.increment(steps),
  };
  try {
    return await work(progress);
  } finally {
    stop();
  }
}
