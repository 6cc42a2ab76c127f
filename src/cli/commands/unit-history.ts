import { readUnit, type UnitHistoryEntry } from '../../db/units.ts';
import { isoTime } from '../../lib/iso-time.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { count, table } from '../print.ts';

export const unitHistory = command({
  command: 'history <development> <unit>',
  describe: 'Show who updated a unit, when, from what and to what, newest first; imports are not shown',
  examples: [['unit history sol-azul A-101 --account DEMO', 'The changes of A-101 in the development sol-azul']],
  positionals: {
    development: { type: 'string', demandOption: true, describe: "The development's identifier" },
    unit: { type: 'string', demandOption: true, describe: "The unit's name" },
  },
  options: {
    account: ACCOUNT,
    limit: { type: 'number', default: 100, requiresArg: true, describe: 'Changes to show' },
  },
  async run(args, context) {
    const { development, limit } = args;
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new Failure('usage', '--limit must be a whole number from 1.', EXIT.usage);
    }
    const name = args.unit.normalize('NFC');
    const found = await withEnv(context, args, async (env) =>
      readUnit(env.DB, { accountId: await accountOf(env, args.account, args), development, name }, limit),
    );
    if (found.kind === 'no development') throw new Failure('no_development', `There is no development ${development}.`);
    if (found.kind === 'no unit') throw new Failure('no_unit', `${development} has no unit ${name}.`);
    const { history } = found;
    return {
      json: { development, unit: name, changes: history.map(changeOf) },
      text:
        table(
          ['WHEN', 'CLIENT', 'STATUS', 'PRICE', 'DIRECTIONS'],
          history.map((entry) => [
            isoTime(entry.changed_at),
            entry.client_id,
            fromTo(entry.from_status, entry.to_status),
            fromTo(entry.from_price, entry.to_price),
            fromTo(entry.from_directions, entry.to_directions),
          ]),
        ) + (history.length === limit ? `Showing the last ${count(limit, 'change')}.\n` : ''),
    };
  },
});

function changeOf(entry: UnitHistoryEntry) {
  return {
    changed_at: isoTime(entry.changed_at),
    client_id: entry.client_id,
    from: { status: entry.from_status, price: entry.from_price, directions: JSON.parse(entry.from_directions) },
    to: { status: entry.to_status, price: entry.to_price, directions: JSON.parse(entry.to_directions) },
  };
}

function fromTo(from: string | number, to: string | number): string {
  return from === to ? String(to) : `${from} -> ${to}`;
}
