import { writeReportSettings } from '../../db/reports.ts';
import { isPortal, isRule, loadAccountState } from '../../report/state.ts';
import { PORTALS } from '../../rules/portals.ts';
import { ACCOUNT_CODE, inAccount } from '../command/account.ts';
import { command } from '../command/command.ts';
import { usageFailure } from '../command/failure.ts';

const NOTHING = 'none';

export const accountReport = command({
  command: 'report <code>',
  describe: "Show or change what an account's reports contain",
  examples: [
    ['account report COSTA --portals kyero,idealista', 'Count the rules of these portals from now on'],
    ['account report COSTA --mute few_pictures,no_features', 'Show no findings of these rules, and of no others less'],
    ['account report COSTA --mute none', 'Show all rules again'],
  ],
  positionals: { code: ACCOUNT_CODE },
  options: {
    portals: {
      type: 'string',
      requiresArg: true,
      describe: `The portals that the account uses: ${Object.keys(PORTALS).join(', ')}; or ${NOTHING}`,
    },
    mute: { type: 'string', requiresArg: true, describe: `All rules to hide, by their codes; or ${NOTHING}` },
  },
  async run(args, context) {
    const portals = listOf('portals', args.portals)?.map((name) => {
      if (!isPortal(name)) throw usageFailure(`--portals: there is no portal ${name}.`);
      return name;
    });
    const muted = listOf('mute', args.mute);
    const unknown = muted?.find((code) => !isRule(code));
    if (unknown !== undefined) throw usageFailure(`--mute: there is no rule ${unknown}.`);
    const settings = await inAccount(context, { ...args, account: args.code }, async (env, accountId) => {
      const { settings } = await loadAccountState(env.DB, accountId);
      const changed = { portals: portals ?? settings.portals, muted: muted ?? settings.muted };
      if (portals !== undefined || muted !== undefined) await writeReportSettings(env.DB, accountId, changed);
      return changed;
    });
    const shown = (names: readonly string[]) => names.join(', ') || NOTHING;
    return {
      json: settings,
      text: `Portals: ${shown(settings.portals)}\nMuted rules: ${shown(settings.muted)}\n`,
    };
  },
});

/** The names in an option, each once; `undefined` if it was not given. */
function listOf(option: string, given: string | undefined): string[] | undefined {
  if (given === undefined || given === NOTHING) return given && [];
  const names = given.split(',').map((name) => name.trim());
  if (names.includes('')) throw usageFailure(`--${option}: separate names with single commas.`);
  return [...new Set(names)];
}
