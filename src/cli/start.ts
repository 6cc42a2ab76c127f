/**
 * `npm start`: prepares the local state as `npm run setup` does, and serves the Worker of the project in the current
 * directory until it is interrupted.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitOnSignals, onOrphaned } from './at-exit.ts';
import { superviseChildren } from './children.ts';
import { EXIT, Failure } from './failure.ts';
import { openLocalPlatform } from './local-platform.ts';
import { CONFIG } from './platform.ts';
import { type ServeOptions, serve } from './serve.ts';
import { setUp } from './setup.ts';
import { welcome } from './welcome.ts';
import { serveWithWrangler } from './wrangler-dev.ts';

const USAGE = `npm start -- [options]

Prepares the local state as npm run setup does, and serves the Worker on this machine.

  --port <number>                  Port, 8787 by default; 0 for any free one
  --ip <address>                   Address to listen on, localhost by default
  --local-protocol <http|https>    Protocol, http by default
  --persist-to <directory>         Directory of the local state, .wrangler/state by default
  --inspector-port <number>        Port for debuggers; none by default
  --help                           Show this help

With any other option of wrangler dev, all are passed to wrangler dev itself.`;

exitOnSignals(() => {});
onOrphaned(() => process.kill(process.pid, 'SIGTERM'));

const args = process.argv.slice(2);

const OPTIONS = {
  port: { type: 'string' },
  ip: { type: 'string' },
  'local-protocol': { type: 'string' },
  'persist-to': { type: 'string' },
  'inspector-port': { type: 'string' },
  help: { type: 'boolean' },
} as const;

try {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, strict: false });
  const isForWrangler = positionals.length > 0 || Object.keys(values).some((name) => !(name in OPTIONS));
  if (values.help) console.log(USAGE);
  else if (isForWrangler) await start(persistTo(values['persist-to']), () => serveWithWrangler(args));
  else await startSupervised(readOptions());
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exit(error.exit);
}

async function start(state: string, serveWorker: () => Promise<string>): Promise<void> {
  await setUp('.', () => openLocalPlatform(CONFIG, state), console.log);
  console.log(welcome(await serveWorker()));
}

function startSupervised(options: ServeOptions): Promise<void> {
  superviseChildren((reason) => {
    console.error(`The server has ended unexpectedly: ${reason}.`);
    process.exit(EXIT.failed);
  });
  return start(options.persistTo, () => serve(options));
}

function readOptions(): ServeOptions {
  const values = parse();
  const protocol = values['local-protocol'];
  if (protocol !== undefined && !['http', 'https'].includes(protocol))
    throw usage('--local-protocol is http or https.');
  return {
    config: CONFIG,
    persistTo: persistTo(values['persist-to']),
    hostname: values.ip,
    port: readPort('port', values.port),
    secure: protocol === undefined ? undefined : protocol === 'https',
    inspectorPort: readPort('inspector-port', values['inspector-port']),
  };
}

/** The options, of which each has its value. */
function parse() {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    throw usage((error as Error).message);
  }
}

function persistTo(value: string | boolean | undefined): string {
  return resolve(typeof value === 'string' ? value : '.wrangler/state');
}

function readPort(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw usage(`--${name} must be a number from 0 to 65535.`);
  return Number(value);
}

function usage(problem: string): Failure {
  return new Failure('usage', `${problem}\n\n${USAGE}`, EXIT.usage);
}
