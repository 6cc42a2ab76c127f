import { FORMAT_NAMES } from '../../imports/formats/formats.ts';
import { accountCommand, type Examples, group } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { choice, number, required, text } from '../command/options.ts';
import { list } from '../command/print.ts';
import { deletion, listing, pathOf, request } from '../command/request.ts';
import type { Body } from '../service/client.ts';
import { resultOf } from './import.ts';
import { PROGRESS, withProgress } from './progress.ts';

const SOURCE = '/v1/sources/{source}';

function onLastRun(verb: 'approve' | 'cancel', describe: string, examples: Examples) {
  return accountCommand({
    command: `${verb} <source>` as '<source>',
    describe,
    examples,
    async run(args, { client }) {
      const { last_run: last } = await client.get(pathOf(SOURCE, args));
      if (last === null) throw new Failure('no_run', `Source ${args.source} has not run yet.`);
      const json = await client.post(`/v1/imports/${last.id}/${verb}`);
      return { json, text: `Run ${json.id} of source ${args.source}: ${json.state}.\n` };
    },
  });
}

export const source = group(
  'source',
  'Manage sources: files that the service imports on a schedule',
  [
    request({
      command: 'put <source>',
      describe: 'Create or change a source: a file at a URL that the service imports on a schedule',
      examples: {
        'crm --account COSTA --address https://crm.example/feed.xml --every day':
          'Import a feed every day at 03:00 UTC',
        'crm --account COSTA --address https://crm.example/feed.xml --every week --at "mon 05:30"':
          'Import a feed on Mondays',
      },
      options: {
        address: { ...required('The https address; credentials are hidden'), as: 'url' },
        every: { ...choice(['hour', 'day', 'week'], 'How often'), demandOption: true },
        at: text('HH:MM in UTC; with --every week after a day, as in "mon 03:30"'),
        format: choice(FORMAT_NAMES, 'The format of the file; detected by default'),
        'max-withdrawn': number(
          'Hold a run that would withdraw more than this percentage until it is approved; 20 by default',
        ),
        strict: { type: 'boolean', describe: 'Reject records that are not exactly as specified' },
        channel: text('Put its properties into this channel'),
        'copy-pictures': {
          type: 'boolean',
          describe: 'Copy its pictures, and serve them from the service',
        },
        enabled: {
          type: 'boolean',
          describe: 'Whether it runs on its schedule; it does by default',
        },
      },
      method: 'PUT',
      path: SOURCE,
    }),
    listing({
      describe: "List an account's sources with their last runs",
      examples: { '--account COSTA': 'List the sources of COSTA' },
      path: '/v1/sources',
      columns: ['name', 'url', 'every', 'at', 'next_run_at', 'failures'],
      more: { 'LAST RUN': ({ last_run: last }) => last && `${last.id}: ${last.state}` },
    }),
    request({
      command: 'runs <source>',
      describe: 'List the last runs of a source, newest first',
      examples: { 'crm --account COSTA': 'See when crm was last imported' },
      method: 'GET',
      path: `${SOURCE}/runs`,
      print: ({ imports }) =>
        list<Body>('imports', imports, ['id', 'created_at', 'records', 'state'], {
          ERROR: ({ error }) => error?.detail ?? '',
        }),
    }),
    accountCommand({
      command: 'run <source>',
      describe: 'Import a source now, and show the report',
      examples: { 'crm --account COSTA': 'Import crm now, and see the report' },
      options: { progress: PROGRESS },
      run: (args, { client }) =>
        withProgress(args.progress, async (progress) =>
          resultOf(client, await client.post(`${pathOf(SOURCE, args)}/run`), progress),
        ),
    }),
    onLastRun(
      'approve',
      'Apply the last run of a source, which is held because it would withdraw too much',
      { 'crm --account COSTA': 'Apply the last run of crm' },
    ),
    onLastRun('cancel', 'Cancel the last run of a source', {
      'crm --account COSTA': 'Cancel the last run of crm',
    }),
    deletion('source', SOURCE, 'Delete a source; its properties remain', {
      'crm --account COSTA': 'Stop importing crm',
    }),
  ],
);
