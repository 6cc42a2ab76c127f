import { isPortal, isRule, loadAccountState } from '../../api/report/state.ts';
import { writeReportSettings } from '../../db/accounts/reports.ts';
import { PORTALS, type Portal } from '../../rules/portals.ts';
import { accountCommand } from '../command/account.ts';
import { usageFailure } from '../command/failure.ts';
import { text } from '../command/options.ts';
import { fields } from '../command/print.ts';

const NOTHING = 'none';

export const accountReport = accountCommand({
  command: 'report <code>',
  describe: "Show or change what an account's reports contain",
  options: {
    portals: text(`The portals that the account uses: ${Object.keys(PORTALS).join(', ')}; or ${NOTHING}`),
    mute: text(`All rules to hide, by their codes; or ${NOTHING}`),
  },
  async run(args, { db, accountId }) {
    const portals = listOf('portal', '--portals', args.portals, (name): name is Portal => isPortal(name));
    const muted = listOf('rule', '--mute', args.mute, (name): name is string => isRule(name));
    const { settings: before } = await loadAccountState(db, accountId);
    const settings = { portals: portals ?? before.portals, muted: muted ?? before.muted };
    if (portals !== undefined || muted !== undefined) await writeReportSettings(db, accountId, settings);
    const shown = (names: readonly string[]) => names.join(', ') || NOTHING;
    return { json: settings, text: fields({ Portals: shown(settings.portals), 'Muted rules': shown(settings.muted) }) };
  },
});

/** The names in an option, each once; `undefined` if it was not given. */
function listOf<Name extends string>(
  noun: string,
  option: string,
  given: string | undefined,
  isKnown: (name: string) => name is Name,
): Name[] | undefined {
  if (given === undefined) return undefined;
  const names = given === NOTHING ? [] : [...new Set(given.split(',').map((name) => name.trim()))];
  return names.map((name) => {
    if (!isKnown(name)) throw usageFailure(`${option}: there is no ${noun} "${name}". Separate names with commas.`);
    return name;
  });
}
