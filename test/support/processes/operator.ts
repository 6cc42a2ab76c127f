import { rmSync } from 'node:fs';
import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from '../../../src/cli/command/ending.ts';
import { generateSigningKey } from '../../../src/oauth/own-keys.ts';
import { findFeedErrors } from '../documents/xsd.ts';
import { type Ran, runIn } from './command-line.ts';
import { type Server, startServer } from './server.ts';

/** An operator who works on the database and the KV namespace of a running Worker. */
export interface Operator {
  readonly server: Server;
  /** The operator's working directory, with the Worker's settings for development. */
  readonly directory: string;
  /** The calls of wrangler that commands have made, each with its standard input. */
  readonly wrangler: { readonly args: readonly string[]; readonly input: string | undefined }[];
  /** What wrangler prints. */
  wranglerPrints: string;
  /** Runs the operator's program in this process. */
  run(args: readonly string[], input?: string | Uint8Array): Promise<Ran>;
  /** What a run with `--json` printed. It must end with this exit code. */
  json<Printed>(
    args: readonly string[],
    input?: string | Uint8Array,
    exit?: number,
  ): Promise<Printed>;
  /** Writes a file and returns its path. */
  file(name: string, content: string | Uint8Array): Promise<string>;
  /** A feed's bytes, as text; of the first format unless the name of another file is given. */
  feed(query: string, file?: string): Promise<string>;
  stop(): Promise<void>;
}

const OPERATOR_KEY = 'operator-key-'.repeat(4);

/** The settings of the Worker of {@link sharedOperator}. */
export const SHARED = {
  SIGNING_KEYS: JSON.stringify({ keys: [await generateSigningKey()] }),
  SESSION_KEY: 'session-key-'.repeat(4),
  SEALING_KEY: 'sealing-key-'.repeat(4),
  LOCAL_ADDRESSES: 'allowed',
  OPERATOR_KEY,
};

let shared: Promise<Operator> | undefined;

/**
 * An operator that the files of a process share, since it takes longer to start than most of them: each has accounts of its
 * own. It ends with the process.
 */
export function sharedOperator(): Promise<Operator> {
  shared ??= startOperator(SHARED, true);
  return shared;
}

/** The time at which commands run. */
const NOW = Date.parse('2026-05-01T09:30:00Z') / 1_000;

/**
 * Starts a Worker with an empty, migrated database, and an operator for it.
 *
 * @param withAssets whether the files of pages are served
 */
export async function startOperator(
  settings: Record<string, string> = {},
  withAssets = false,
): Promise<Operator> {
  const server = await startServer({ OPERATOR_KEY, ...settings }, undefined, undefined, withAssets);
  const directory = await mkdtemp(join(tmpdir(), 'lindero-operator-'));
  // Also if it is not stopped, as Miniflare ends its own process.
  const removeDirectory = atExit(() => rmSync(directory, { recursive: true, force: true }));
  await symlink(join(import.meta.dirname, '../../../migrations'), join(directory, 'migrations'));
  const operator: Operator = {
    server,
    directory,
    wrangler: [],
    wranglerPrints: '',
    run(args, input = '') {
      const context = {
        directory,
        now: () => NOW,
        service: async ({ url = server.url.origin }: { readonly url?: string | undefined }) => ({
          origin: url,
          key: OPERATOR_KEY,
          isLocal: true,
        }),
        wrangler: async (given: readonly string[], text?: string) => {
          operator.wrangler.push({ args: given, input: text });
          return operator.wranglerPrints;
        },
      };
      return runIn(context, args, input);
    },
    async json(args, input, expected = 0) {
      const { exit, out, err } = await operator.run([...args, '--json'], input);
      if (exit !== expected) throw new Error(`${args.join(' ')}: exit ${exit}\n${out}${err}`);
      return JSON.parse(out || err);
    },
    async file(name, content) {
      const path = join(directory, name);
      await writeFile(path, content);
      return path;
    },
    async feed(query, file = 'CreateXMLFeedV3.asp') {
      const response = await fetch(new URL(`/${file}?${query}`, server.url));
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${query}: ${response.status} ${text}`);
      const errors = findFeedErrors(text);
      if (errors.length > 0) throw new Error(`${query}: ${errors.join('; ')}`);
      return text;
    },
    async stop() {
      await server.stop();
      removeDirectory();
    },
  };
  return operator;
}
