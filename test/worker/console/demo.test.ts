import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { findAccountId } from '../../../src/accounts/accounts.ts';
import { isOf, PLACES } from '../../../src/console/frame/places.ts';
import { ROUTES } from '../../../src/console/route.tsx';
import demo from '../../../src/demo/demo.ndjson?raw';
import { beginning } from '../../../src/demo/life/moments.ts';
import { PEOPLE } from '../../../src/demo/life/people-and-portals.ts';
import type { Env } from '../../../src/env.ts';
import { nowInSeconds } from '../../../src/lib/time/time.ts';
import { writeEvents } from '../../../src/operator/demo/life.ts';
import {
  documentKey,
  type PortfolioDocument,
  parseDocument,
} from '../../../src/properties/documents.ts';
import { documentsOf, seedDemoWithEvents } from '../../support/accounts/demo.ts';
import { obtainToken } from '../../support/accounts/units.ts';
import { ask } from '../../support/worker/ask.ts';
import { page, send, signIn, textOf } from './visitor.ts';

const NOW = nowInSeconds();

let cookie: string;

beforeAll(async () => {
  await seedDemoWithEvents(env, NOW);
  cookie = await signIn('DEMO', 'demo');
});

/** The rows of several queries, each about the account of parameter 1. */
async function rowsOf(...queries: string[]): Promise<Record<string, unknown>[][]> {
  const id = await findAccountId(env.DB, 'DEMO');
  const results = await env.DB.batch(queries.map((query) => env.DB.prepare(query).bind(id)));
  return results.map((result) => result.results as Record<string, unknown>[]);
}

/** What has happened and when, apart from ids and numbers. */
const HAPPENED = [
  'SELECT happened_at, person, action, subject FROM activity WHERE account_id = ? ORDER BY happened_at, action',
  'SELECT state, created_at, ended_at, records FROM imports WHERE account_id = ? ORDER BY created_at',
  'SELECT identifier, changed_at, document FROM properties WHERE account_id = ? ORDER BY identifier',
  `SELECT p.identifier, h.changed_at, h.actor, h.document FROM property_history h JOIN properties p ON p.id = h.property_id
    WHERE h.account_id = ? ORDER BY h.changed_at, p.identifier`,
  `SELECT u.name, h.changed_at, h.actor, h.to_status, h.to_price FROM units u JOIN unit_history h ON h.unit_id = u.id
    WHERE u.account_id = ? ORDER BY h.changed_at, u.name`,
  `SELECT r.name, d.last_seen_at, d.delivered_at, d.confirmed_at, d.status, d.days FROM readers r
     JOIN deliveries d ON d.reader_id = r.id WHERE r.account_id = ? ORDER BY r.name`,
];

describe('each page has something of the last fourteen days', () => {
  test.each([
    ['/', 'the overdue portal', /ThinkSPAIN last fetched your feed on/],
    ['/', 'changes of two people and a client', /by Tom Baker.*by demo-client.*by Ana Ruiz/s],
    [
      '/portals',
      'portals that come as usual, and one that does not',
      />Kyero<.*As usual.*>ThinkSPAIN<.*Overdue/s,
    ],
    ['/portal?name=thinkspain', 'since when', /ThinkSPAIN is overdue: it last fetched its feed on/],
    ['/portal?name=a-place-in-the-sun', 'its channel', /sea-views/],
    ['/property?id=R4100183', 'who changed it', /€905,000 → <b>€880,000<\/b>.*by Ana Ruiz/s],
    [
      '/property?id=R4100183',
      'who has that state, and has confirmed it',
      /Got this state [^<]*, and has confirmed it/,
    ],
    ['/properties?order=changed', 'the last change first', /CS-1033.*CS-1027.*CS-1052/s],
    [
      '/units?development=sol-azul',
      'what the client changed',
      /Reserved → <b>Sold<\/b>.*by demo-client/s,
    ],
    ['/report', 'the rules of its portals', /<input(?=[^>]*value="kyero")(?=[^>]*checked)/],
    ['/settings', 'its people', /Ana Ruiz/],
    ['/settings/log', 'what its people did', /connected Kyero.*invited Ana Ruiz/s],
  ])('GET %s: %s', async (path, _, found) => {
    expect(
      textOf(await page(path, cookie)).replaceAll(/<span class="muted">|<\/?strong>/g, ''),
    ).toMatch(found);
  });

  test('GET /imports: two, and one of them has rejected records and interpreted values', async () => {
    const links = textOf(await page('/imports', cookie)).match(/\/import\?id=\d+/g);
    const [last, first, ...others] = await Promise.all(
      [...new Set(links)].map(async (path) => textOf(await page(path, cookie))),
    );
    expect(last).toMatch(/Line 19.*121\.000 €/s);
    expect(first).toContain('The import is complete');
    expect(first).not.toMatch(/Rejected records|Interpreted values/);
    expect(others).toEqual([]);
  });

  test('signing in as one of its people: the home page', async () => {
    for (const { name, password } of PEOPLE) {
      const { status, headers } = await send('/sign-in', { account: 'DEMO', name, password });
      expect(status).toBe(303);
      const session = headers.get('Set-Cookie')!.split(';')[0]!;
      expect(textOf(await page('/', session))).toContain(name);
    }
  });
});

/** The paths that somebody reaches from the home page by links, each requested once: all of them exist. */
async function reachedBy(session: string): Promise<string[]> {
  const reached = new Set<string>();
  const toVisit = ['/'];
  for (let path = toVisit.pop(); path !== undefined; path = toVisit.pop()) {
    const { pathname } = new URL(path, 'https://feeds.example');
    if (reached.has(pathname)) continue;
    reached.add(pathname);
    const shown = await page(path, session);
    expect([path, shown.status]).toEqual([path, 200]);
    if (!(pathname in ROUTES)) continue;
    for (const [, href] of shown.text.matchAll(/ href="(\/[^"#]*)/g))
      toVisit.push(href!.replaceAll('&amp;', '&'));
  }
  return [...reached];
}

test('every page is reached by links from the home page, which lead nowhere else: one that is not lacks a link, or a line of ROUTES', async () => {
  const { name, password } = PEOPLE[0]!;
  const { headers } = await send('/sign-in', { account: 'DEMO', name, password });
  const person = headers.get('Set-Cookie')!.split(';')[0]!;
  const reached = [...(await reachedBy(cookie)), ...(await reachedBy(person))].filter(
    (path) => path in ROUTES,
  );
  // Forms lead to what is shown once, to where files are sent, and to what is changed together.
  const others = ['/shown-once', '/property/pictures/upload', '/properties/change'];
  // Links that somebody may have kept lead to what has taken its place.
  others.push('/settings/password');
  // Nobody at the demo agency has changed what a portal gets.
  others.push('/portal/undo');
  expect([...new Set([...reached, ...others])].toSorted()).toEqual(Object.keys(ROUTES).toSorted());
});

test('every page belongs to an entry of the navigation: one that does not needs a path below that of another page, or its own in PLACES', () => {
  const lost = Object.keys(ROUTES).filter((path) => !PLACES.some((place) => isOf(place, path)));
  expect(lost).toEqual(['/shown-once', '/report.csv']);
});

test('GET /health: the overdue portal, and no other', async () => {
  const token = await obtainToken({ clientId: 'demo-client', secret: 'demo-secret' });
  const { text } = await ask('/health', { headers: { Authorization: `Bearer ${token}` } });
  const { overdue_readers: overdue } = JSON.parse(text) as { overdue_readers: { name: string }[] };
  expect(overdue.map(({ name }) => name)).toEqual(['thinkspain']);
});

test('times: none is in the future, and changes with later numbers are not earlier', async () => {
  const [changes, times] = await rowsOf(
    `SELECT change, changed_at AS at FROM properties WHERE account_id = ?1 UNION
     SELECT change, changed_at FROM units WHERE account_id = ?1 ORDER BY change`,
    `SELECT max(t) AS latest FROM (
       SELECT max(changed_at) AS t FROM property_history WHERE account_id = ?1 UNION
       SELECT max(changed_at) FROM unit_history WHERE account_id = ?1 UNION
       SELECT max(happened_at) FROM activity WHERE account_id = ?1 UNION
       SELECT max(ended_at) FROM imports WHERE account_id = ?1 UNION
       SELECT max(last_seen_at) FROM deliveries)`,
  );
  const [imported, later] = [0, 1].map((part) =>
    changes!.filter(({ at }) => Number(Number(at) > beginning(NOW)) === part),
  );
  expect(later!.length).toBeGreaterThan(30);
  expect(later!.map(({ at }) => at)).toEqual(later!.map(({ at }) => at).toSorted());
  expect(Math.max(...imported!.map(({ change }) => Number(change)))).toBeLessThan(
    Number(later![0]!.change),
  );
  expect(times![0]!.latest).toBeLessThan(NOW);
});

test('the state afterwards: what the file says, except for a channel and the times of changes', async () => {
  const { text } = await ask('/v1/export?account=DEMO', {
    headers: { Authorization: `Bearer ${env.OPERATOR_KEY}` },
  });
  const exported = text.trimEnd().split('\n').slice(1, -1);
  const undated = (documents: readonly PortfolioDocument[]) =>
    new Map(
      documents.map((one) => [
        documentKey(one),
        one.kind === 'property'
          ? { ...one, source_changed_at: null, updated_at: null, channels: null }
          : one,
      ]),
    );
  const stored = undated(exported.map((line) => parseDocument(JSON.parse(line))));
  expect(stored).toEqual(undated(documentsOf(demo, beginning(NOW))));
});

test('written again: nothing changes, not even a number', async () => {
  const numbers = 'SELECT changes, segments, developments FROM accounts WHERE id = ?';
  const before = await rowsOf(numbers, ...HAPPENED);
  expect(await writeEvents(env)).toBe(0);
  expect(await rowsOf(numbers, ...HAPPENED)).toEqual(before);
});

/** The Worker's bindings with a database that no longer responds after a number of batches. */
function interrupted(batches: number): Env {
  let left = batches;
  const DB = new Proxy(env.DB, {
    get(target, name) {
      if (name === 'batch' && left-- <= 0) throw new Error('npm start was killed');
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...env, DB } as Env;
}

test('interrupted again and again, and continued each time: the same as at once', async () => {
  const whole = await rowsOf(...HAPPENED);
  await env.DB.exec("DELETE FROM accounts WHERE code = 'DEMO'");
  let interruptions = 0;
  for (let batches = 3; ; batches += 3) {
    const first = batches === 3;
    const bindings = interrupted(batches);
    const writing = first ? seedDemoWithEvents(env, NOW, bindings) : writeEvents(bindings);
    if (
      await writing.then(
        () => true,
        () => false,
      )
    )
      break;
    interruptions++;
  }
  expect(interruptions).toBeGreaterThan(3);
  expect(await rowsOf(...HAPPENED)).toEqual(whole);
});
