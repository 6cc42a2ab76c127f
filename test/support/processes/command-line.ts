import type { Context } from '../../../src/cli/command/command.ts';
import { run } from '../../../src/cli/program.ts';

/** The output of a run of the operator's program, and its exit code. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs the operator's program in this process without a service and without wrangler, for help and for command lines that fail
 * before either is needed.
 *
 * @param input what the program reads from standard input
 */
export function runOffline(args: readonly string[], input = ''): Promise<Ran> {
  return runIn(
    {
      directory: '',
      now: () => 0,
      service: () => Promise.reject(new Error('This command must not call a service')),
      wrangler: () => Promise.reject(new Error('This command must not run wrangler')),
    },
    args,
    input,
  );
}

/** Runs the operator's program in this process. */
export async function runIn(
  context: Omit<Context, 'out' | 'err' | 'input'>,
  args: readonly string[],
  input: string | Uint8Array,
): Promise<Ran> {
  let [out, err] = ['', ''];
  const exit = await run(args, {
    ...context,
    out: async (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    input: bytesOf(input),
  });
  return { exit, out, err };
}

/** A text, or the bytes of a file, as standard input delivers it. */
async function* bytesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  if (content.length > 0)
    yield typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
