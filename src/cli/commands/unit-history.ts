import { readUnit, type UnitHistoryEntry } from '../../db/units.ts';
import { isoTime } from '../../lib/iso-time.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { Failure, usageFailure } from '../failure.ts';
import { count, table } from '../print.ts';

export const unitHistory = command({
  command: 'history <development> <unit>',
  describe: 'Show the updates of a unit, newest first: time, client, old and new values; imports are not included',
  examples: [['unit history sol-azul A-101 --account DEMO', 'The updates of unit A-101 of the development sol-azul']],
  positionals: {
    development: { type: 'string', demandOption: true, describe: "The development's id" },
    unit: { type: 'string', demandOption: true, describe: "The unit's name" },
  },
  options: {
    account: ACCOUNT,
    limit: { type: 'number', default: 100, requiresArg: true, describe: 'How many updates to show' },
  },
  async run(args, context) {
    const { development, limit } = args;
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw usageFailure('--limit must be an integer, 1 or more.');
    }
    const name = args.unit.normalize('NFC');
    const found = await withEnv(context, args, async (env) =>
      readUnit(env.DB, { accountId: await accountOf(env, args.account, args), development, name }, limit),
    );
    if (found.kind === 'no development')
      throw new Failure(
        'no_development',
        `Development not found in account ${args.account.toUpperCase()}: ${development}`,
      );
    if (found.kind === 'no unit') throw new Failure('no_unit', `Unit not found in development ${development}: ${name}`);
    const { history } = found;
    return {
      json: { development, unit: name, changes: history.map(changeOf) },
      text:
        table(
          ['WHEN', 'CLIENT', 'STATUS', 'PRICE', 'DIRECTIONS'],
          history.map((entry) => [
            isoTime(entry.changedAt),
            entry.clientId,
            fromTo(entry.fromStatus, entry.toStatus),
            fromTo(entry.fromPrice, entry.toPrice),
            fromTo(entry.fromDirections, entry.toDirections),
          ]),
        ) + (history.length === limit ? `Only the last ${count(limit, 'update')} are shown; see --limit.\n` : ''),
    };
  },
});

function changeOf(entry: UnitHistoryEntry) {
  return {
    changed_at: isoTime(entry.changedAt),
    client_id: entry.clientId,
    from: { status: entry.fromStatus, price: entry.fromPrice, directions: JSON.parse(entry.fromDirections) },
    to: { status: entry.toStatus, price: entry.toPrice, directions: JSON.parse(entry.toDirections) },
  };
}

function fromTo(from: string | number, to: string | number): string {
  return from === to ? String(to) : `${from} -> ${to}`;
}
