import { expect, test } from 'vitest';
import demo from '../../../src/demo/demo.ndjson?raw';
import { earlierPortfolio } from '../../../src/demo/life/earlier.ts';
import { EVENTS } from '../../../src/demo/life/events.ts';
import { fetchesOf, timeOf } from '../../../src/demo/life/moments.ts';
import { PEOPLE, PORTALS } from '../../../src/demo/life/people-and-portals.ts';
import { DEMO, documentsOf } from '../../support/accounts/demo.ts';

const [NIGHT, EVENING] = ['2026-03-01T00:00:05Z', '2026-03-01T23:59:00Z'].map(
  (time) => Date.parse(time) / 1_000,
);

test.each([NIGHT!, EVENING!])(
  'events are in order, each at a time of its own, and in the past at %i',
  (now) => {
    const times = EVENTS.map((event) => timeOf(event, now));
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(now);
  },
);

test('who does something is a person of the demo or its client', () => {
  const known = ['', ...PEOPLE.map(({ name }) => name), ...DEMO.clients.map(({ id }) => id)];
  expect(EVENTS.map(({ who }) => who).filter((who) => !known.includes(who))).toEqual([]);
  expect(new Set(EVENTS.map(({ who }) => who))).toEqual(new Set(known));
});

test('before the events: valid, and other values than the file’s exactly where an event changes something', () => {
  const changed = new Set(
    EVENTS.flatMap((event) => {
      if (event.kind === 'facts' || event.kind === 'text') return [event.property];
      if (event.kind === 'unit') return [`${event.development} ${event.unit}`];
      if (event.kind === 'import units')
        return event.units.map(({ development, unit }) => `${development} ${unit}`);
      return event.kind === 'import prices' ? Object.keys(event.prices) : [];
    }),
  );
  const before = documentsOf(earlierPortfolio(demo));
  const differing = documentsOf(demo).flatMap((document, index) => {
    if (JSON.stringify(document) === JSON.stringify(before[index])) return [];
    return document.kind === 'unit'
      ? [`${document.development} ${document.name}`]
      : 'id' in document
        ? [document.id]
        : [];
  });
  expect(new Set(differing)).toEqual(changed);
  expect(differing.length).toBeGreaterThan(20);
});

test.each(PORTALS)('$name: it is connected, and fetches since then as often as usual', (portal) => {
  const connections = EVENTS.filter(
    (event) => event.kind === 'connect' && event.portal === portal.name,
  );
  expect(connections).toHaveLength(1);
  for (const now of [NIGHT!, EVENING!]) {
    const times = fetchesOf(portal, now).map(({ time }) => time);
    expect(times.length).toBeGreaterThan(7);
    expect(times[0]).toBeGreaterThan(timeOf(connections[0]!, now));
    expect(times.at(-1)).toBeLessThan(now - 600);
    const hours = times.slice(1).map((time, index) => Math.round((time - times[index]!) / 3_600));
    expect(new Set(hours)).toEqual(new Set([portal.fetches.everyHours]));
  }
});
