import { FORMATS, type Format } from '../../import/input/formats.ts';
import { group } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { choice, flag, number, required, text } from '../command/options.ts';
import { list } from '../command/print.ts';
import { serviceCommands } from '../command/service.ts';
import { resultOf } from './import.ts';

const { define, remove } = serviceCommands('source', ['properties:read', 'properties:write']);

function onLastRun(verb: 'approve' | 'cancel', describe: string) {
  return define({
    command: `${verb} <source>` as '<source>',
    describe,
    async run({ source: name }, { call, path }) {
      const { last_run: last } = (await call('GET', path)).body;
      if (last === null) throw new Failure('no_run', `Source ${name} has not run yet.`);
      const { body } = await call('POST', `/v1/imports/${last.id}/${verb}`);
      return { json: body, text: `Run ${body.id} of source ${name}: ${body.state}.\n` };
    },
  });
}

export const source = group('source', 'Manage sources: files that the service imports on a schedule', [
  define({
    command: 'put <source>',
    describe: 'Create or change a source: a file at a URL that the service imports on a schedule',
    options: {
      url: required('The https address; credentials are hidden'),
      every: { ...choice(['hour', 'day', 'week'], 'How often'), demandOption: true },
      at: text('HH:MM in UTC; with --every week after a day, as in "mon 03:30"'),
      format: choice(Object.keys(FORMATS) as Format[], 'The format of the file; detected by default'),
      'max-withdrawn': number(20, 'Hold a run that would withdraw more than this percentage until it is approved'),
      strict: flag('Reject records that are not exactly as specified'),
      channel: text('Put its properties into this channel'),
      enabled: flag('Whether it runs on its schedule', true),
    },
    async run({ url, every, at, format = null, strict, channel = null, enabled, ...args }, { call, path }) {
      const settings = { url, every, at, format, strict, channel, enabled, max_withdrawn: args['max-withdrawn'] };
      return { json: (await call('PUT', path, settings)).body };
    },
  }),
  define({
    command: 'list',
    describe: "List an account's sources with their last runs",
    run: async (_, { list: read }) =>
      list('sources', await read(), ['name', 'url', 'every', 'at', 'next_run_at', 'failures'], {
        'LAST RUN': ({ last_run: last }) => last && `${last.id}: ${last.state}`,
      }),
  }),
  define({
    command: 'runs <source>',
    describe: 'List the runs of a source, newest first',
    run: async (_, { call, path }) =>
      // biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
      list<any>('imports', (await call('GET', `${path}/runs`)).body.imports, ['id', 'created_at', 'records', 'state'], {
        ERROR: ({ error }) => error?.detail ?? '',
      }),
  }),
  define({
    command: 'run <source>',
    describe: 'Import a source now, and show the report',
    run: async (_, { call, path }) => resultOf(call, (await call('POST', `${path}/run`)).body.id),
  }),
  onLastRun('approve', 'Apply the last run of a source, which is held because it would withdraw too much'),
  onLastRun('cancel', 'Cancel the last run of a source'),
  remove('Delete a source; its properties remain'),
]);
