import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Context } from './context.ts';
import { EXIT, Failure } from './failure.ts';

/** A secret of 256 bits, in letters, digits, `-` and `_`. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The option that takes a password from the standard input, where no process list and no shell's history shows it. */
export const PASSWORD_STDIN = {
  type: 'boolean',
  default: false,
  describe: 'Read the password from the first line of the standard input; one is made up without it',
} as const;

/** The password of an account as its operator gives it, or a new one. */
export async function passwordFor(
  fromInput: boolean,
  context: Context,
): Promise<{ readonly password: string; readonly madeUp: boolean }> {
  if (!fromInput) return { password: randomBytes(15).toString('base64url'), madeUp: true };
  const [password = ''] = (await text(context.input)).split(/\r?\n/, 1);
  if (password.trim() === '')
    throw new Failure('usage', 'The standard input has no password in its first line.', EXIT.usage);
  return { password, madeUp: false };
}
