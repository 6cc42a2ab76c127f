import { findPropertyRevisions, findUnitRevisions } from '../../db/deliveries.ts';
import { readUnit, type UnitHistoryEntry } from '../../db/units.ts';
import { type ReaderHolding, readerHoldings } from '../../deliveries/holding.ts';
import { isoTime } from '../../lib/time.ts';
import { ACCOUNT, inAccount } from '../command/account.ts';
import { command, group } from '../command/command.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { count, table } from '../command/print.ts';

/** The positional arguments that name a unit. */
const UNIT = {
  development: { type: 'string', demandOption: true, describe: "The development's id" },
  unit: { type: 'string', demandOption: true, describe: "The unit's name" },
} as const;

const propertyDeliveries = command({
  command: 'deliveries <property>',
  describe: 'Show which readers have the current state of a property, and since when',
  examples: [['property deliveries R4100001 --account DEMO', 'Which readers have the last change of R4100001']],
  positionals: { property: { type: 'string', demandOption: true, describe: "The property's id" } },
  options: { account: ACCOUNT },
  async run(args, context) {
    const { property } = args;
    const deliveries = await inAccount(context, args, async (env, accountId) => {
      const changed = await findPropertyRevisions(env.DB, accountId, property);
      if (changed !== null) return readerHoldings(env.DB, accountId, changed);
      throw new Failure('no_property', `Property not found in account ${args.account.toUpperCase()}: ${property}`);
    });
    return { json: { property, deliveries }, text: holdingsText(deliveries) };
  },
});

const unitDeliveries = command({
  command: 'deliveries <development> <unit>',
  describe: 'Show which readers have the current state of a unit, and since when',
  examples: [['unit deliveries sol-azul A-101 --account DEMO', 'Which readers have the last change of unit A-101']],
  positionals: UNIT,
  options: { account: ACCOUNT },
  async run(args, context) {
    const { development } = args;
    const name = args.unit.normalize('NFC');
    const deliveries = await inAccount(context, args, async (env, accountId) => {
      const changed = await findUnitRevisions(env.DB, { accountId, development, name });
      if (changed !== null) return readerHoldings(env.DB, accountId, changed);
      throw new Failure('no_unit', `No property is the unit ${name} of development ${development}.`);
    });
    return { json: { development, unit: name, deliveries }, text: holdingsText(deliveries) };
  },
});

const unitHistory = command({
  command: 'history <development> <unit>',
  describe: 'Show the updates of a unit, newest first: time, client, old and new values; imports are not included',
  examples: [['unit history sol-azul A-101 --account DEMO', 'The updates of unit A-101 of the development sol-azul']],
  positionals: UNIT,
  options: {
    account: ACCOUNT,
    limit: { type: 'number', default: 100, requiresArg: true, describe: 'Maximum number of updates to show' },
  },
  async run(args, context) {
    const { development, limit } = args;
    if (!Number.isSafeInteger(limit) || limit < 1) throw usageFailure('--limit must be an integer, 1 or more.');
    const name = args.unit.normalize('NFC');
    const found = await inAccount(context, args, (env, accountId) =>
      readUnit(env.DB, { accountId, development, name }, limit),
    );
    if (found.kind === 'no development') {
      const account = args.account.toUpperCase();
      throw new Failure('no_development', `Development not found in account ${account}: ${development}`);
    }
    if (found.kind === 'no unit') throw new Failure('no_unit', `Unit not found in development ${development}: ${name}`);
    const { history } = found;
    const rows = history.map((entry) => [
      ...[isoTime(entry.changedAt), entry.clientId],
      fromTo(entry.fromStatus, entry.toStatus),
      fromTo(entry.fromPrice, entry.toPrice),
      fromTo(entry.fromDirections, entry.toDirections),
    ]);
    const cut = history.length === limit ? `Only the last ${count(limit, 'update')} are shown; see --limit.\n` : '';
    return {
      json: { development, unit: name, changes: history.map(changeOf) },
      text: table(['WHEN', 'CLIENT', 'STATUS', 'PRICE', 'DIRECTIONS'], rows) + cut,
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

/** Which readers have the current state of a property, as a table. */
function holdingsText(holdings: readonly ReaderHolding[]): string {
  if (holdings.length === 0) return 'The account has no readers.\n';
  const rows = holdings.map((holding) => [holding.reader, stateText(holding), holding.feed ?? '']);
  return table(['READER', 'STATE', 'FEED'], rows);
}

function stateText(holding: ReaderHolding): string {
  switch (holding.state) {
    case 'current':
      return `current since ${holding.since}, ${holding.delivery}`;
    case 'outdated':
      return `as delivered at ${holding.delivered_at}`;
    case 'never delivered':
    case 'not in its channel':
      return holding.state;
  }
}

export const property = group('property', 'Properties', [propertyDeliveries]);

export const unit = group('unit', 'Units of new developments', [unitHistory, unitDeliveries]);
