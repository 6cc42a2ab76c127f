import { command } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { setUp } from '../setup.ts';

export const setup = command({
  command: 'setup',
  describe: 'Prepare the local state for wrangler dev: settings, tables and demo accounts, where they are missing',
  examples: [['setup', 'Prepare .wrangler/state; done again, it changes nothing']],
  async run(args, context) {
    if (args.remote) throw new Failure('usage', 'setup is for the local state. To deploy: npm run deploy', EXIT.usage);
    const added = await setUp(
      context.directory,
      () => context.open(args),
      (line) => {
        if (!args.json) context.err(`${line}\n`);
      },
    );
    return { json: added, text: 'The local state is ready. To serve it: npx wrangler dev, or npm start\n' };
  },
});
