import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { command } from '../command/command.ts';
import { EXIT, usageFailure } from '../command/failure.ts';
import { ACCOUNT, number } from '../command/options.ts';
import { CHECKS } from './checks.ts';
import { Service, Skipped, type Target } from './service.ts';

/** Time for all checks together, and for a feed to be cached. */
const TIME_LIMIT_MS = 115_000;
const CACHED_WITHIN_MS = 20_000;

export const smoke = command({
  command: 'smoke <origin>',
  describe: 'Verify a service from outside: npm start, or a deployment',
  examples: {
    'https://feeds.example.com --account COSTA':
      'Prompt for the password and the client, or read them from stdin',
    'http://localhost:8787 --account DEMO':
      'Read LINDERO_PASSWORD, LINDERO_CLIENT_ID and LINDERO_CLIENT_SECRET; without a client, updates are skipped',
  },
  options: {
    account: { ...ACCOUNT, describe: 'The account whose feed is read' },
    'first-byte': {
      ...number('Maximum milliseconds to the first byte of a cached feed'),
      default: 2000,
    },
  },
  async run(args, context) {
    const origin = URL.parse(args.origin);
    if (!/^https?:$/.test(origin?.protocol ?? ''))
      throw usageFailure(`Not an http(s) URL: ${args.origin}`);
    if (!(args['first-byte'] > 0)) throw usageFailure('--first-byte must be a number above 0.');
    const secrets = await readSecrets();
    const end = new AbortController();
    setTimeout(() => end.abort('no time left'), TIME_LIMIT_MS).unref();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      // A unit that is being updated is restored before the process ends.
      process.removeAllListeners(signal).once(signal, () => end.abort('interrupted'));
    }
    const limits = { firstByteMs: args['first-byte'], cachedWithinMs: CACHED_WITHIN_MS };
    const target = { origin: origin!, account: args.account, ...secrets, ...limits };
    const lines: Line[] = [];
    for await (const line of runChecks(target, end.signal)) {
      lines.push(line);
      if (!args.json)
        await context.out(`${line.outcome}  ${line.name.padEnd(14)}  ${line.detail}\n`);
    }
    const count = (sought: Line['outcome']): number =>
      lines.filter(({ outcome }) => outcome === sought).length;
    return {
      json: lines,
      text: `\n${count('pass')} passed, ${count('FAIL')} failed, ${count('skip')} skipped\n`,
      exit: count('FAIL') === 0 ? EXIT.ok : EXIT.failed,
    };
  },
});

export interface Line {
  readonly name: string;
  readonly outcome: 'pass' | 'FAIL' | 'skip';
  readonly detail: string;
}

/** If one of these fails, only `secrets` can be checked. */
const REQUIRED = ['service', 'password'];

/**
 * Runs the checks in their order, with a line for each; the signal says when no time is left, and
 * why.
 */
export async function* runChecks(target: Target, signal: AbortSignal): AsyncGenerator<Line> {
  const service = new Service(target, signal);
  let missing: string | undefined;
  for (const [name, check] of CHECKS) {
    let outcome: Line['outcome'] = 'pass';
    let detail = '';
    try {
      signal.throwIfAborted();
      if (missing !== undefined && name !== 'secrets') throw new Skipped(missing);
      detail = await check(service);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      outcome = error instanceof Skipped && !signal.aborted ? 'skip' : 'FAIL';
      detail = signal.aborted ? String(signal.reason) : message || code || String(error);
    }
    yield { name, outcome, detail };
    if (REQUIRED.includes(name) && outcome === 'FAIL') missing = `${name} failed`;
  }
}

/**
 * Reads the secrets: from the environment, else from lines of standard input, which a terminal
 * prompts for without echo.
 */
export async function readSecrets(
  environment: NodeJS.ProcessEnv = process.env,
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
  terminal: NodeJS.WritableStream = process.stderr,
): Promise<Pick<Target, 'password' | 'client'>> {
  let {
    LINDERO_PASSWORD: password,
    LINDERO_CLIENT_ID: id,
    LINDERO_CLIENT_SECRET: secret,
  } = environment;
  if (!password) {
    const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
    using lines = createInterface({
      input,
      ...(input.isTTY ? { output: hidden, terminal: true } : {}),
    });
    const answers = lines[Symbol.asyncIterator]();
    const next = async (prompt: string): Promise<string | undefined> => {
      if (input.isTTY) terminal.write(`\n${prompt} (not shown): `);
      return (await answers.next()).value;
    };
    password = await next('Password of the account');
    id ??= await next('Client id, or nothing to skip updates');
    if (id) secret ??= await next('Client secret');
  }
  if (!password)
    throw usageFailure('No password: set LINDERO_PASSWORD, or write it to standard input.');
  return { password, client: id && secret ? { id, secret } : undefined };
}
