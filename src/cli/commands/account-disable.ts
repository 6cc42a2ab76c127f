import { setAccountDisabled } from '../../db/operator/accounts.ts';
import { accountOf, command, withEnv } from '../command.ts';

export const disableAccount = toggle(
  'disable',
  true,
  'Refuse an account its feeds and tokens at once, and updates within a minute; its data stays',
);

export const enableAccount = toggle('enable', false, 'Serve a disabled account again');

function toggle(verb: string, disabled: boolean, describe: string) {
  return command({
    command: `${verb} <code>`,
    describe,
    examples: [[`account ${verb} COSTA`, describe]],
    positionals: { code: { type: 'string', demandOption: true, describe: "The account's code" } },
    async run(args, context) {
      const code = args.code.toUpperCase();
      await withEnv(context, args, async (env) =>
        setAccountDisabled(env.DB, await accountOf(env, code, args), disabled),
      );
      return { json: { code, disabled }, text: `${code} is ${verb}d.\n` };
    },
  });
}
