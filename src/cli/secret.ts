import { randomBytes } from 'node:crypto';
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
  const password = await firstLine(context.input);
  if (password.trim() === '')
    throw new Failure('usage', 'The standard input has no password in its first line.', EXIT.usage);
  if (/\p{Cc}/u.test(password)) {
    throw new Failure('usage', 'The password has a control character, which few programs could send.', EXIT.usage);
  }
  return { password, madeUp: false };
}

async function firstLine(input: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let read = '';
  for await (const chunk of input) {
    read += decoder.decode(chunk, { stream: true });
    if (read.includes('\n')) break;
  }
  return read.split(/\r?\n/, 1)[0] ?? '';
}
