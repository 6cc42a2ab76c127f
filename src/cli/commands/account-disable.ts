import { setAccountDisabled } from '../../db/operator/accounts.ts';
import { ACCOUNT_CODE, accountOf, command, withEnv } from '../command.ts';

export const disableAccount = toggle(
  'disable',
  true,
  'Disable an account: its feeds and tokens within a second, unit updates within a minute; its data stay',
);

export const enableAccount = toggle('enable', false, 'Enable a disabled account');

function toggle(verb: string, disabled: boolean, describe: string) {
  return command({
    command: `${verb} <code>`,
    describe,
    examples: [[`account ${verb} COSTA`, `${verb === 'disable' ? 'Disable' : 'Enable'} the account COSTA`]],
    positionals: { code: ACCOUNT_CODE },
    async run(args, context) {
      const code = args.code.toUpperCase();
      await withEnv(context, args, async (env) =>
        setAccountDisabled(env.DB, await accountOf(env, code, args), disabled),
      );
      return { json: { code, disabled }, text: `Account ${code} is ${verb}d.\n` };
    },
  });
}
