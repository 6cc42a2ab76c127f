import { Presets, SingleBar } from 'cli-progress';
import { atExit } from '../command/ending.ts';
import { flag } from '../command/options.ts';

export interface Progress {
  begin(what: string, total: number): void;
  add(steps: number): void;
}

export const PROGRESS = {
  ...flag('Show progress on standard error'),
  default: process.stderr.isTTY === true,
  defaultDescription: 'on a terminal',
};

/**
 * Shows the progress of some work on standard error: a bar on a terminal, otherwise a line every
 * five seconds. Its end comes before the result is printed, because a bar occupies its line.
 */
export async function withProgress<Result>(
  isShown: boolean,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const bar = '{what} {bar} {percentage}% {value}/{total}, {eta_formatted} left';
  const format = process.stderr.isTTY ? bar : bar.replace('{bar} ', '');
  const options = { format, hideCursor: true, noTTYOutput: true, notTTYSchedule: 5_000 };
  const shown = isShown ? new SingleBar(options, Presets.shades_classic) : null;
  // The bar hides the cursor.
  const stop = atExit(() => shown?.stop());
  try {
    return await work({
      begin(what, total) {
        shown?.stop();
        shown?.start(total, 0, { what });
      },
      add(steps) {
        // Without a step, the bar would take the time that is left for infinite, and print part of
        // that word.
        if (steps > 0) shown?.increment(steps);
      },
    });
  } finally {
    stop();
  }
}
