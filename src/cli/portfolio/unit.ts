import { type DeliveredState, listDeliveredStates } from '../../api/deliveries/delivered-state.ts';
import { findPropertyRevisions, findUnitRevisions } from '../../db/readers/deliveries.ts';
import { readUnit, type UnitValues } from '../../db/units/units.ts';
import { isoTime } from '../../lib/time/time.ts';
import { actorIn, clientIdOf } from '../../portfolio/actor.ts';
import { accountCommand, group } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { integer, number } from '../command/options.ts';
import { count, list } from '../command/print.ts';

function statesShown(subject: object, states: readonly DeliveredState[]) {
  const { json, text } = list('deliveries', states, ['reader', 'feed'], { STATE: stateText });
  return { json: { ...subject, ...json }, text };
}

function stateText({ state, since, delivery, delivered_at }: DeliveredState): string {
  if (state === 'current') return `current since ${since}, ${delivery}`;
  return state === 'outdated' ? `as delivered at ${delivered_at}` : state;
}

function fromTo(from: string | number, to: string | number): string {
  return from === to ? String(to) : `${from} -> ${to}`;
}

export const property = group('property', 'Show which readers have a property', [
  accountCommand({
    command: 'deliveries <property>',
    describe: 'Show which readers have the current state of a property, and since when',
    async run({ property }, { db, accountId, code }) {
      const changed = await findPropertyRevisions(db, accountId, property);
      if (changed !== null) return statesShown({ property }, await listDeliveredStates(db, accountId, changed));
      throw new Failure('no_property', `Property not found in account ${code}: ${property}`);
    },
  }),
]);

export const unit = group('unit', 'Show the history of a unit, and which readers have it', [
  accountCommand({
    command: 'history <development> <unit>',
    describe: 'Show the updates of a unit, newest first: time, client, old and new values',
    options: { limit: number(100, 'Maximum number of updates to show', integer(1)) },
    async run({ development, unit, limit }, { db, accountId, code }) {
      const found = await readUnit(db, { accountId, development, name: unit }, limit);
      if (found.kind === 'no development') {
        throw new Failure('no_development', `Development not found in account ${code}: ${development}`);
      }
      if (found.kind === 'no unit') {
        throw new Failure('no_unit', `Unit not found in development ${development}: ${unit}`);
      }
      const parsed = (values: UnitValues) => ({ ...values, directions: JSON.parse(values.directions) });
      const changes = found.history.map(({ changedAt, actor, from, to }) => {
        return {
          changed_at: isoTime(changedAt),
          client_id: clientIdOf(actorIn(actor)),
          from: parsed(from),
          to: parsed(to),
        };
      });
      const { json, text } = list('changes', changes, ['changed_at', 'client_id'], {
        STATUS: ({ from, to }) => fromTo(from.status, to.status),
        PRICE: ({ from, to }) => fromTo(from.price, to.price),
        DIRECTIONS: ({ from, to }) => fromTo(JSON.stringify(from.directions), JSON.stringify(to.directions)),
      });
      const cut = changes.length === limit ? `Only the last ${count(limit, 'update')} are shown; see --limit.\n` : '';
      return { json: { development, unit, ...json }, text: text + cut };
    },
  }),
  accountCommand({
    command: 'deliveries <development> <unit>',
    describe: 'Show which readers have the current state of a unit, and since when',
    async run({ development, unit: name }, { db, accountId }) {
      const changed = await findUnitRevisions(db, { accountId, development, name });
      if (changed !== null) {
        return statesShown({ development, unit: name }, await listDeliveredStates(db, accountId, changed));
      }
      throw new Failure('no_unit', `No property is the unit ${name} of development ${development}.`);
    },
  }),
]);
