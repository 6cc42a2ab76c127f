import type { DeliveredState } from '../../readers/api/delivered-state.ts';
import { group } from '../command/command.ts';
import { list } from '../command/print.ts';
import { request } from '../command/request.ts';

function statesShown(subject: object, states: readonly DeliveredState[]) {
  const { json, text } = list('deliveries', states, ['reader', 'feed'], { STATE: stateText });
  return { json: { ...subject, ...json }, text };
}

function stateText({ state, since, delivery, delivered_at }: DeliveredState): string {
  if (state === 'current') return `current since ${since}, ${delivery}`;
  return state === 'outdated' ? `as delivered at ${delivered_at}` : state;
}

/** What a unit was or is, in a change of its history. */
interface Values {
  readonly UntStatus: number;
  readonly UntPrice: number;
  readonly UntDirections: readonly unknown[];
}

interface Change {
  readonly changed_at: string;
  readonly client_id: string;
  readonly from: Values;
  readonly to: Values;
}

function shown({ UntStatus: status, UntPrice: price, UntDirections: directions }: Values) {
  return { status, price, directions };
}

function fromTo(from: string | number, to: string | number): string {
  return from === to ? String(to) : `${from} -> ${to}`;
}

const UNIT = '/v1/developments/{development}/units/{unit}';

export const property = group('property', 'Show which readers have a property', [
  request({
    command: 'deliveries <property>',
    describe: 'Show which readers have the current state of a property, and since when',
    examples: { 'R4100001 --account DEMO': 'See which readers have the last change of R4100001' },
    method: 'GET',
    path: '/v1/properties/{property}/deliveries',
    print: ({ deliveries }, { property }) => statesShown({ property }, deliveries),
  }),
]);

export const unit = group('unit', 'Show the history of a unit, and which readers have it', [
  request({
    command: 'history <development> <unit>',
    describe: 'Show the last changes of a unit, newest first: time, client, old and new values',
    examples: {
      'sol-azul A-101 --account DEMO':
        'List the last changes of unit A-101 of the development sol-azul',
    },
    method: 'GET',
    path: UNIT,
    print(found, { development, unit }) {
      const changes = (found.changes as Change[]).map(({ from, to, ...change }) => ({
        ...change,
        from: shown(from),
        to: shown(to),
      }));
      const { json, text } = list('changes', changes, ['changed_at', 'client_id'], {
        STATUS: ({ from, to }) => fromTo(from.status, to.status),
        PRICE: ({ from, to }) => fromTo(from.price, to.price),
        DIRECTIONS: ({ from, to }) =>
          fromTo(JSON.stringify(from.directions), JSON.stringify(to.directions)),
      });
      return { json: { development, unit, ...json }, text };
    },
  }),
  request({
    command: 'deliveries <development> <unit>',
    describe: 'Show which readers have the current state of a unit, and since when',
    examples: {
      'sol-azul A-101 --account DEMO': 'See which readers have the last change of unit A-101',
    },
    method: 'GET',
    path: UNIT,
    print: ({ deliveries }, { development, unit }) =>
      statesShown({ development, unit }, deliveries),
  }),
]);
