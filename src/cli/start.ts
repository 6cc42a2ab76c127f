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

const USAGE = `npm start -- [options]

Prepares the local state as npm run setup does, and serves the Worker on this machine.

  --port <number>                  Port, 8787 by default; 0 for any free one
  --ip <address>                   Address to listen on, localhost by default
  --local-protocol <http|https>    Protocol, http by default
  --persist-to <directory>         Directory of the local state, .wrangler/state by default
  --inspector-port <number>        Port for debuggers; none by default
  --help                           Show this help

For other options: npm run setup, then npx wrangler dev.`;

exitOnSignals(() => {});
onOrphaned(() => process.kill(process.pid, 'SIGTERM'));
superviseChildren((reason) => {
  console.error(`The server has ended unexpectedly: ${reason}.`);
  process.exit(EXIT.failed);
});

try {
  const options = readOptions(process.argv.slice(2));
  if (options === null) {
    console.log(USAGE);
  } else {
    await setUp('.', () => openLocalPlatform(CONFIG, options.persistTo), console.log);
    console.log(welcome(await serve(options)));
  }
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exit(error.exit);
}

/** @returns `null` if help is requested */
function readOptions(args: string[]): ServeOptions | null {
  const values = parse(args);
  if (values.help) return null;
  const protocol = values['local-protocol'];
  if (protocol !== undefined && !['http', 'https'].includes(protocol))
    throw usage('--local-protocol is http or https.');
  return {
    config: CONFIG,
    persistTo: resolve(values['persist-to'] ?? '.wrangler/state'),
    hostname: values.ip,
    port: readPort('port', values.port),
    secure: protocol === undefined ? undefined : protocol === 'https',
    inspectorPort: readPort('inspector-port', values['inspector-port']),
  };
}

function parse(args: string[]) {
  const type = 'string' as const;
  try {
    return parseArgs({
      args,
      options: {
        port: { type },
        ip: { type },
        'local-protocol': { type },
        'persist-to': { type },
        'inspector-port': { type },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw usage((error as Error).message);
  }
}

function readPort(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw usage(`--${name} must be a number from 0 to 65535.`);
  return Number(value);
}

function usage(problem: string): Failure {
  return new Failure('usage', `${problem}\n\n${USAGE}`, EXIT.usage);
}
