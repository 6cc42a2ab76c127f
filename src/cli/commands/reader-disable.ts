import { setReaderDisabled } from '../../db/readers.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { noReader, READER } from '../reader.ts';

export const disableReader = toggle('disable', true, 'Disable a reader; its keys are rejected within a second');

export const enableReader = toggle('enable', false, 'Enable a disabled reader');

function toggle(verb: string, disabled: boolean, describe: string) {
  return command({
    command: `${verb} <reader>`,
    describe,
    examples: [
      [`reader ${verb} idealista --account COSTA`, `${verb === 'disable' ? 'Disable' : 'Enable'} the reader idealista`],
    ],
    positionals: { reader: READER },
    options: { account: ACCOUNT },
    async run(args, context) {
      const name = args.reader.toLowerCase();
      await withEnv(context, args, async (env) => {
        const accountId = await accountOf(env, args.account, args);
        if (!(await setReaderDisabled(env.DB, { accountId, name }, disabled))) throw noReader(args);
      });
      return { json: { reader: name, disabled }, text: `Reader ${name} is ${verb}d.\n` };
    },
  });
}
