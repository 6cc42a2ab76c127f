import { command } from '../command/command.ts';
import { text } from '../command/options.ts';
import { prepare } from './prepare.ts';

export const setup = command({
  command: 'setup',
  describe: 'Prepare the local state for wrangler dev: add missing secrets and tables',
  examples: {
    '': 'Prepare .dev.vars and the local tables; repeated, it changes nothing',
    '--persist-to /tmp/state':
      'Prepare another local state, for npm start -- --persist-to /tmp/state',
  },
  options: {
    'persist-to': {
      ...text('The directory of the local state, as in wrangler dev'),
      default: '.wrangler/state',
    },
  },
  async run({ json, ...args }, context) {
    const tell = (line: string) => context.err(json ? '' : `${line}\n`);
    const added = await prepare(context.directory, args['persist-to'], tell);
    return {
      json: added,
      text: 'The local state is ready. To serve it: npm start, or npx wrangler dev\n',
    };
  },
});
