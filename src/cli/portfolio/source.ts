import { FORMATS, type Format } from '../../imports/input/formats.ts';
import { accountCommand, group } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { choice, flag, number, required, text } from '../command/options.ts';
import { list } from '../command/print.ts';
import { resultOf } from './import.ts';
import { PROGRESS, withProgress } from './progress.ts';

const at = (source: string) => `/v1/sources/${encodeURIComponent(source)}`;

// biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
type Body = any;

function onLastRun(verb: 'approve' | 'cancel', describe: string) {
  return accountCommand({
    command: `${verb} <source>` as '<source>',
    describe,
    async run({ source: name }, { client }) {
      const { last_run: last } = await client.get(at(name));
      if (last === null) throw new Failure('no_run', `Source ${name} has not run yet.`);
      const json = await client.post(`/v1/imports/${last.id}/${verb}`);
      return { json, text: `Run ${json.id} of source ${name}: ${json.state}.\n` };
    },
  });
}

export const source = group(
  'source',
  'Manage sources: files that the service imports on a schedule',
  [
    accountCommand({
      command: 'put <source>',
      describe: 'Create or change a source: a file at a URL that the service imports on a schedule',
      options: {
        address: required('The https address; credentials are hidden'),
        every: { ...choice(['hour', 'day', 'week'], 'How often'), demandOption: true },
        at: text('HH:MM in UTC; with --every week after a day, as in "mon 03:30"'),
        format: choice(
          Object.keys(FORMATS) as Format[],
          'The format of the file; detected by default',
        ),
        'max-withdrawn': number(
          20,
          'Hold a run that would withdraw more than this percentage until it is approved',
        ),
        strict: flag('Reject records that are not exactly as specified'),
        channel: text('Put its properties into this channel'),
        enabled: flag('Whether it runs on its schedule', true),
      },
      async run(
        {
          source,
          address: url,
          every,
          at: time,
          format = null,
          strict,
          channel = null,
          enabled,
          ...args
        },
        { client },
      ) {
        const settings = {
          url,
          every,
          format,
          strict,
          channel,
          enabled,
          max_withdrawn: args['max-withdrawn'],
        };
        return {
          json: await client.put(at(source), {
            ...settings,
            ...(time !== undefined && { at: time }),
          }),
        };
      },
    }),
    accountCommand({
      command: 'list',
      describe: "List an account's sources with their last runs",
      run: async (_, { client }) =>
        list<Body>(
          'sources',
          await client.list('/v1/sources'),
          ['name', 'url', 'every', 'at', 'next_run_at', 'failures'],
          {
            'LAST RUN': ({ last_run: last }) => last && `${last.id}: ${last.state}`,
          },
        ),
    }),
    accountCommand({
      command: 'runs <source>',
      describe: 'List the runs of a source, newest first',
      run: async ({ source }, { client }) =>
        list<Body>(
          'imports',
          (await client.get(`${at(source)}/runs`)).imports,
          ['id', 'created_at', 'records', 'state'],
          {
            ERROR: ({ error }) => error?.detail ?? '',
          },
        ),
    }),
    accountCommand({
      command: 'run <source>',
      describe: 'Import a source now, and show the report',
      options: { progress: PROGRESS },
      run: ({ source, progress }, { client }) =>
        withProgress(progress, async (shown) =>
          resultOf(client, await client.post(`${at(source)}/run`), shown),
        ),
    }),
    onLastRun(
      'approve',
      'Apply the last run of a source, which is held because it would withdraw too much',
    ),
    onLastRun('cancel', 'Cancel the last run of a source'),
    accountCommand({
      command: 'delete <source>',
      describe: 'Delete a source; its properties remain',
      async run({ source }, { client }) {
        await client.delete(at(source));
        return { json: { source, deleted: true } };
      },
    }),
  ],
);
