import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { EXIT, Failure } from '../command/failure.ts';

/** The parsed command line. */
export interface SmokeOptions {
  readonly origin: URL;
  readonly account: string;
  readonly json: boolean;
  readonly firstByteMs: number;
}

export const USAGE = `npm run smoke -- <origin> --account <code>

Verify a service from outside: npm start, or a deployment

  <origin>              Where it is served, as https://lindero.example.workers.dev
  --account <code>      The account whose feed is read
  --first-byte <ms>     Limit for the first byte of a cached feed (2000)
  --json                Print one JSON document instead of lines

The account's password is read from LINDERO_PASSWORD or the first line of the standard input, or prompted for. The client
that updates a unit, and restores it, is read from LINDERO_CLIENT_ID and LINDERO_CLIENT_SECRET or the second and third line,
or prompted for; without a client, its checks are skipped.

Exit codes: 0 nothing failed; 1 something failed; 2 invalid command line.
`;

/** @throws Failure `usage`; `undefined` if only help is requested */
export function parseOptions(args: readonly string[]): SmokeOptions | undefined {
  const { values, positionals } = parse(args);
  if (values.help === true) return undefined;
  const [origin, ...more] = positionals;
  if (origin === undefined || more.length > 0 || !values.account) throw usage('Expected an origin and --account.');
  const url = parseUrl(origin);
  const firstByteMs = Number(values['first-byte'] ?? 2000);
  if (!(firstByteMs > 0)) throw usage('--first-byte must be a number of milliseconds.');
  return { origin: url, account: values.account.toUpperCase(), json: values.json === true, firstByteMs };
}

function parseUrl(text: string): URL {
  try {
    const url = new URL(text);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // Falls through to the message.
  }
  throw usage(`Not an http(s) URL: ${text}`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        account: { type: 'string' },
        'first-byte': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw usage((error as Error).message);
  }
}

function usage(message: string): Failure {
  return new Failure('usage', `${message}\n\n${USAGE}`, EXIT.usage);
}

export interface Secrets {
  readonly password: string;
  readonly client: { readonly id: string; readonly secret: string } | undefined;
}

/**
 * Reads the secrets: from the environment, else from lines of the standard input, which a terminal prompts for without
 * echo.
 *
 * @throws Failure `usage` if there is no password
 */
export async function readSecrets(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
  terminal: NodeJS.WritableStream = process.stderr,
): Promise<Secrets> {
  const { LINDERO_PASSWORD, LINDERO_CLIENT_ID, LINDERO_CLIENT_SECRET } = environment;
  if (LINDERO_PASSWORD) return secretsOf(LINDERO_PASSWORD, LINDERO_CLIENT_ID, LINDERO_CLIENT_SECRET);
  const asks = input.isTTY === true;
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, ...(asks ? { output: hidden, terminal: true } : {}) });
  const answers = lines[Symbol.asyncIterator]();
  const next = async (prompt: string): Promise<string | undefined> => {
    if (asks) terminal.write(prompt);
    const { value } = await answers.next();
    if (asks) terminal.write('\n');
    return value;
  };
  try {
    const password = await next('Password of the account (not shown): ');
    const id = LINDERO_CLIENT_ID ?? (await next('Client id, or nothing to skip updates (not shown): '));
    const secret = LINDERO_CLIENT_SECRET ?? (id ? await next('Client secret (not shown): ') : undefined);
    return secretsOf(password, id, secret);
  } finally {
    lines.close();
  }
}

function secretsOf(password: string | undefined, id: string | undefined, secret: string | undefined): Secrets {
  if (!password) throw usage('No password: set LINDERO_PASSWORD, or write it to the standard input.');
  return { password, client: id && secret ? { id, secret } : undefined };
}
