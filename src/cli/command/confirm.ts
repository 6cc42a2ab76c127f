import { createInterface } from 'node:readline/promises';
import type { Service } from '../service/client.ts';
import type { Context } from './command.ts';
import { usageFailure } from './failure.ts';

/**
 * Asks before something is destroyed, unless `--yes` was given. Without a terminal nobody can
 * answer.
 *
 * @throws Failure unless the answer is yes
 */
export async function confirm(
  { input }: Pick<Context, 'input'>,
  { yes }: { readonly yes: boolean },
  { origin }: Service,
  question: string,
): Promise<void> {
  if (yes) return;
  const isTerminal = (input as { readonly isTTY?: boolean }).isTTY === true;
  if (!isTerminal) throw usageFailure(`${question} To confirm it, add --yes.`);
  using terminal = createInterface({ input: input as NodeJS.ReadStream, output: process.stderr });
  const answer = await terminal.question(`${origin}\n${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw usageFailure('Nothing was changed.');
}
