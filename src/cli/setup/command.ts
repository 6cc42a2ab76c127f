import { command } from '../command/command.ts';
import { usageFailure } from '../command/failure.ts';
import { setUp } from './setup.ts';

export const setup = command({
  command: 'setup',
  describe: 'Prepare the local state for wrangler dev: add missing signing keys, tables and demo accounts',
  async run(args, context) {
    if (args.remote) throw usageFailure('setup prepares the local state only. To deploy: npm run deploy');
    const added = await setUp(
      context.directory,
      context.now(),
      () => context.open(args),
      (line) => {
        if (!args.json) context.err(`${line}\n`);
      },
    );
    return { json: added, text: 'The local state is ready. To serve it: npm start, or npx wrangler dev\n' };
  },
});
