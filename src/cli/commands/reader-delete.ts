import { deleteReader } from '../../db/readers.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { noReader, READER } from '../reader.ts';

export const deleteReaderCommand = command({
  command: 'delete <reader>',
  describe: 'Delete a reader and its keys, which are rejected within a second',
  examples: [['reader delete idealista --account COSTA', 'Delete the reader idealista']],
  positionals: { reader: READER },
  options: { account: ACCOUNT },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      if (!(await deleteReader(env.DB, { accountId, name }))) throw noReader(args);
    });
    return { json: { reader: name, deleted: true }, text: `Deleted reader ${name}.\n` };
  },
});
