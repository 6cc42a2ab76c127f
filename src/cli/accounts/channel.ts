import { text } from 'node:stream/consumers';
import { accountCommand, type Examples, group } from '../command/command.ts';
import { EXIT, usageFailure } from '../command/failure.ts';
import { flag, texts } from '../command/options.ts';
import { count } from '../command/print.ts';
import { deletion, listing, pathOf, request } from '../command/request.ts';

/** Properties that one request assigns. */
const AT_ONCE = 1_000;

const CHANNEL = '/v1/channels/{channel}';

function assignment(verb: 'add' | 'remove', describe: string, examples: Examples, done: string) {
  return accountCommand({
    command: `${verb} <channel>`,
    describe,
    examples,
    options: {
      property: texts('The ids of properties'),
      stdin: flag('Read ids from standard input, one per line'),
    },
    async run(args, { client, context }) {
      const { property = [], stdin, channel } = args;
      const lines = stdin ? (await text(context.input)).split('\n').map((line) => line.trim()) : [];
      const ids = [...property, ...lines.filter((line) => line !== '')];
      if (ids.length === 0) throw usageFailure('No property is named: use --property or --stdin.');
      let changed = 0;
      const unknown: string[] = [];
      for (let start = 0; start < ids.length; start += AT_ONCE) {
        const properties = ids.slice(start, start + AT_ONCE);
        const result = await client.post(`${pathOf(CHANNEL, args)}/${verb}`, { properties });
        changed += result.changed;
        unknown.push(...result.unknown_properties);
      }
      const missing = unknown.map((property) => `Property not found: ${property}\n`).join('');
      return {
        json: { channel, changed, unknown_properties: unknown },
        text: `${done.replace('…', count(changed, 'property', 'properties'))} channel ${channel}.\n${missing}`,
        exit: unknown.length === 0 ? EXIT.ok : EXIT.warnings,
      };
    },
  });
}

export const channel = group('channel', 'Manage channels: which properties a reader gets', [
  assignment(
    'add',
    'Add properties to a channel, which is created if necessary; feeds show it within a second',
    {
      'idealista --account COSTA --property R1 R2': 'Add two properties',
      'idealista --account COSTA --stdin < ids.txt': 'Add those listed in a file, one id per line',
    },
    'Added … to',
  ),
  assignment(
    'remove',
    'Remove properties from a channel; feeds show it within a second',
    {
      'idealista --account COSTA --property R1 R2': 'Remove two properties',
      'idealista --account COSTA --stdin < ids.txt':
        'Remove those listed in a file, one id per line',
    },
    'Removed … from',
  ),
  listing({
    describe: "List an account's channels and how many properties each has",
    examples: { '--account COSTA': 'List the channels of COSTA' },
    path: '/v1/channels',
    columns: ['name', 'properties'],
  }),
  request({
    command: 'show <channel>',
    describe: 'Print the ids of the properties in a channel, one per line',
    examples: {
      'idealista --account COSTA > ids.txt':
        'Write the ids to a file, which channel add --stdin reads',
    },
    method: 'GET',
    path: CHANNEL,
    print: ({ properties }, { channel }) => ({
      json: { channel, properties },
      text: properties.map((id: string) => `${id}\n`).join(''),
    }),
  }),
  deletion('channel', CHANNEL, 'Delete a channel without readers; its properties remain', {
    'idealista --account COSTA': 'Delete the channel idealista',
  }),
]);
