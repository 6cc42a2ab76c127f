import { FORMATS, type Format } from '../../import/input/formats.ts';
import { ACCOUNT, type AccountArguments } from '../command/account.ts';
import { command, group } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { Failure } from '../command/failure.ts';
import { table } from '../command/print.ts';
import { type Call, SERVICE, withService } from '../command/service.ts';
import { resultOf } from '../import/in-worker.ts';

const SOURCE = { type: 'string', demandOption: true, describe: "The source's name" } as const;

type Args = AccountArguments & { readonly origin?: string | undefined };

function calling<Result>(context: Context, args: Args, work: (call: Call) => Promise<Result>): Promise<Result> {
  return withService(context, args, ['properties:read', 'properties:write'], work);
}

function pathOf(name: string, operation = ''): string {
  return `/v1/sources/${encodeURIComponent(name.toLowerCase())}${operation}`;
}

function lastRun({ last_run: last }: { readonly last_run: { readonly id: number; readonly state: string } | null }) {
  return last === null ? 'none' : `${last.id}: ${last.state}`;
}

const put = command({
  command: 'put <source>',
  describe: 'Create or change a source: a file at a URL that the service imports on a schedule',
  examples: [
    ['source put crm --account COSTA --url https://crm.example/feed.xml --every day', 'Every day at 3 o’clock, UTC'],
    ['source put crm --account COSTA --url https://crm.example/feed.xml --every week --at "mon 05:30"', 'On Mondays'],
  ],
  positionals: { source: SOURCE },
  options: {
    account: ACCOUNT,
    origin: SERVICE,
    url: {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'The https address; credentials are hidden',
    },
    every: { choices: ['hour', 'day', 'week'] as const, demandOption: true, requiresArg: true, describe: 'How often' },
    at: { type: 'string', requiresArg: true, describe: 'HH:MM in UTC, for a week after a day: "mon 03:30"' },
    format: { choices: Object.keys(FORMATS) as Format[], requiresArg: true, describe: 'Detected by default' },
    'max-withdrawn': {
      type: 'number',
      default: 20,
      requiresArg: true,
      describe: 'Hold a run that would withdraw more than this percentage until it is approved',
    },
    strict: { type: 'boolean', default: false, describe: 'Reject records that are not exactly as specified' },
    channel: { type: 'string', requiresArg: true, describe: 'The channel of its properties' },
    enabled: { type: 'boolean', default: true, describe: 'Whether it runs on its schedule' },
  },
  async run({ url, every, at, format = null, strict, channel = null, enabled, ...args }, context) {
    const settings = { url, every, format, strict, channel, enabled, max_withdrawn: args['max-withdrawn'] };
    const body = { ...settings, ...(at === undefined ? {} : { at }) };
    const { body: source } = await calling(context, args, (call) => call('PUT', pathOf(args.source), body));
    const next = source.next_run_at === null ? 'never' : source.next_run_at;
    return { json: source, text: `source:   ${source.name}\nurl:      ${source.url}\nnext run: ${next}\n` };
  },
});

const list = command({
  command: 'list',
  describe: "List an account's sources with their last runs",
  examples: [['source list --account COSTA', 'The sources of COSTA']],
  options: { account: ACCOUNT, origin: SERVICE },
  async run(args, context) {
    const { body } = await calling(context, args, (call) => call('GET', '/v1/sources?limit=500'));
    return {
      json: body,
      text: table(
        ['SOURCE', 'URL', 'EVERY', 'NEXT RUN', 'FAILURES', 'LAST RUN'],
        body.sources.map((one: Record<string, string> & Parameters<typeof lastRun>[0]) => [
          one.name,
          one.url,
          `${one.every} at ${one.at}`,
          one.next_run_at ?? 'never',
          one.failures,
          lastRun(one),
        ]),
      ),
    };
  },
});

const runs = command({
  command: 'runs <source>',
  describe: 'List the runs of a source, the latest first',
  examples: [['source runs crm --account COSTA', 'When crm was imported']],
  positionals: { source: SOURCE },
  options: { account: ACCOUNT, origin: SERVICE },
  async run(args, context) {
    const { body } = await calling(context, args, (call) => call('GET', pathOf(args.source, '/runs')));
    return {
      json: body,
      text: table(
        ['RUN', 'STARTED', 'RECORDS', 'STATE'],
        body.imports.map((one: Record<string, string> & { readonly error: { readonly detail: string } | null }) => [
          one.id,
          one.created_at,
          one.records ?? 'unknown',
          one.error === null ? one.state : `${one.state}: ${one.error.detail}`,
        ]),
      ),
    };
  },
});

const run = command({
  command: 'run <source>',
  describe: 'Import a source now, and show the report',
  examples: [['source run crm --account COSTA', 'What is in the file of crm']],
  positionals: { source: SOURCE },
  options: { account: ACCOUNT, origin: SERVICE },
  run: (args, context) =>
    calling(context, args, async (call) => resultOf(call, (await call('POST', pathOf(args.source, '/run'))).body.id)),
});

/** A command on the last run of a source. */
function onLastRun(verb: 'approve' | 'cancel', describe: string, done: string) {
  return command({
    command: `${verb} <source>`,
    describe,
    examples: [[`source ${verb} crm --account COSTA`, `${done} the last run of crm`]],
    positionals: { source: SOURCE },
    options: { account: ACCOUNT, origin: SERVICE },
    async run(args, context) {
      const { body } = await calling(context, args, async (call) => {
        const { last_run: last } = (await call('GET', pathOf(args.source))).body;
        if (last === null) throw new Failure('no_run', `Source ${args.source} has not run yet.`);
        return call('POST', `/v1/imports/${last.id}/${verb}`);
      });
      return { json: body, text: `Run ${body.id} of source ${args.source}: ${body.state}.\n` };
    },
  });
}

const remove = command({
  command: 'delete <source>',
  describe: 'Delete a source; its properties remain',
  examples: [['source delete crm --account COSTA', 'Import crm no more']],
  positionals: { source: SOURCE },
  options: { account: ACCOUNT, origin: SERVICE },
  async run(args, context) {
    await calling(context, args, (call) => call('DELETE', pathOf(args.source)));
    const name = args.source.toLowerCase();
    return { json: { source: name, deleted: true }, text: `Deleted source ${name}.\n` };
  },
});

export const source = group('source', 'Manage sources: files that the service imports on a schedule', [
  put,
  list,
  runs,
  run,
  onLastRun('approve', 'Apply the last run of a source although it withdraws more than it may', 'Apply'),
  onLastRun('cancel', 'Cancel the last run of a source', 'Cancel'),
  remove,
]);
