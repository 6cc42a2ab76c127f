import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { policyIn } from '../../../src/readers/policy.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { ask } from '../../support/worker/ask.ts';
import { fieldsOf, page, send, signIn, textOf, withCookies } from './visitor.ts';

let accountId: number;
let cookie: string;
let key: string;

const inNerja = (id: string) => property(id, { town: 'Nerja', offers: { sale: { price: 9 } } });

beforeAll(async () => {
  ({ accountId } = await createAgency(env.DB, 'SWITCHES', []));
  await store(env.DB, accountId, [inNerja('A'), inNerja('B'), property('C')]);
  key = await openReader(accountId, 'nerja', 'FV=3', false, null, 'selection={"towns":["Nerja"]}');
  await openReader(accountId, 'all', 'FV=3');
  await openReader(accountId, 'abroad', 'FV=3', false, null, 'kind=international_portal');
  cookie = await signIn('SWITCHES');
});

/** The switches of a page: the state of each, why, and its position. */
function switchesOn(text: string): Record<string, string> {
  const items = [...text.matchAll(/<li><span class="logo.*?<\/li>/gs)].map(([item]) => item);
  return Object.fromEntries(
    items.map((item) => {
      const [, chip] = /class="chip [a-z]+">(.*?)</.exec(item)!;
      const [, name] = /id="switch-(\w+)"/.exec(item)!;
      const [, why = ''] = /-why">(.*?)</.exec(item)!;
      const [, box = ''] = /<input (class="switch".*?)>/.exec(item)!;
      const position = box.includes(' checked') ? 'on' : 'off';
      return [
        name,
        [chip, why.trim(), position, box.includes(' disabled') ? 'fixed' : ''].join('|'),
      ];
    }),
  );
}

const shown = async (path: string) => switchesOn(textOf(await page(path, cookie)));

async function selectionOf(name: string): Promise<unknown> {
  const { policy } = (await env.DB.prepare(
    'SELECT policy FROM readers WHERE account_id = ? AND name = ?',
  )
    .bind(accountId, name)
    .first<{ policy: string }>())!;
  const { selection = null, since } = policyIn(policy);
  expect(since).toBeUndefined();
  return selection;
}

const changes = async (after = '') => {
  const headers = { Authorization: `Basic ${btoa(`OWNPROPERTIES@SWITCHES:${key}`)}` };
  const { status, text } = await ask(`/v1/changes${after && `?after=${after}`}`, { headers });
  const { next, changes } = JSON.parse(text);
  const kinds = changes?.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`);
  return { status, next, kinds };
};

/** The form of switches on a page, with some of them moved. */
async function moved(path: string, moves: Record<string, boolean>, more: [string, string][] = []) {
  const replaced = [...Object.keys(moves).map((one) => `on:${one}`), ...more.map(([one]) => one)];
  const fields = fieldsOf(await page(path, cookie)).filter(([name]) => !replaced.includes(name));
  const on = Object.entries(moves).flatMap(([portal, isOn]): [string, string][] =>
    isOn ? [[`on:${portal}`, '1']] : [],
  );
  return send(path, [...fields, ...on, ...more], cookie);
}

test('the switches of /property: a portal takes one out, with who and when below; the feed lacks it, a follower of changes is told that it is gone and nothing else, and undo puts it back', async () => {
  const path = '/property?id=A';
  expect(await shown(path)).toEqual({
    all: 'Waiting|Has not fetched its feed yet|on|',
    abroad: 'Waiting|Has not fetched its feed yet|on|',
    nerja: 'Waiting|Has not fetched its feed yet|on|',
  });
  const first = await changes();
  expect(first.kinds).toEqual(
    ['property A', 'property B'].map((one) => expect.stringContaining(one.slice(-1))),
  );
  const sent = await moved(path, { nerja: false }, [['do', 'portals']]);
  expect(sent.status).toBe(303);
  expect(await selectionOf('nerja')).toEqual({ towns: ['Nerja'], exclude: ['A'] });
  expect((await shown(path)).nerja).toMatch(/^Off\|Switched off by .+ on \d+ \w+\.\|off\|$/);
  const feed = async () =>
    (await ask(`/CreateXMLFeedV3.asp?U=OWNPROPERTIES@SWITCHES&P=${key}`)).text;
  expect(await feed()).toMatch(/<id>B</);
  expect(await feed()).not.toMatch(/<id>A</);
  const gone = await changes(first.next);
  expect([gone.status, gone.kinds]).toEqual([200, ['removed A']]);

  const after = await page(path, withCookies(cookie, sent.headers));
  const undone = await send(path, [...fieldsOf(after, '/property'), ['do', 'portals']], cookie);
  expect(undone.status).toBe(303);
  expect(await selectionOf('nerja')).toEqual({ towns: ['Nerja'] });
  expect((await changes(gone.next)).kinds).toEqual([expect.stringMatching(/ A$/)]);
});

test('the switch of a portal whose rules leave a property out: it is put in by itself, and out again without a trace', async () => {
  const path = '/property?id=C';
  expect((await shown(path)).nerja).toBe('Off|In another town|off|');
  await moved(path, { nerja: true }, [['do', 'portals']]);
  expect(await selectionOf('nerja')).toEqual({ towns: ['Nerja'], include: ['C'] });
  expect((await shown(path)).nerja).toMatch(/^Waiting.*on\|$/);
  await moved(path, { nerja: false }, [['do', 'portals']]);
  expect(await selectionOf('nerja')).toEqual({ towns: ['Nerja'] });
});

test('the switches of the editor: what is typed moves those that nobody has moved; Save moves them with the rest; a restriction fixes one', async () => {
  const path = '/property/edit?id=B';
  const check = async (more: [string, string][]) => {
    const fields = fieldsOf(await page(path, cookie));
    const names = more.map(([name]) => name);
    const kept = fields.filter(([name]) => !names.includes(name));
    return switchesOn(textOf(await send(path, [...kept, ...more, ['do', 'check']], cookie)));
  };
  expect((await check([['town', 'Ronda']])).nerja).toBe('Off|In another town|off|');
  expect((await check([['no_portals', '1']])).abroad).toBe(
    'Not permitted|Not for a portal of its kind|on|fixed',
  );
  expect((await check([['status', 'Sold']])).all).toBe('Leaves it out|Sold|on|');
  const sent = await moved(path, { all: false }, [
    ['town', 'Ronda'],
    ['do', 'save'],
  ]);
  expect(sent.status).toBe(303);
  expect(await selectionOf('all')).toEqual({ exclude: ['B'] });
});

test('a new property with a portal switched off: it is saved, and the portal never gets it', async () => {
  const path = '/property/edit';
  const typed: [string, string][] = [
    ['type', 'Villa'],
    ['ref', 'NEW-1'],
    ['town', 'Nerja'],
    ['province', 'Málaga'],
    ['sure', 'all'],
    ['do', 'list'],
  ];
  const names = typed.map(([name]) => name);
  const fields = fieldsOf(await page(path, cookie)).filter(
    ([name]) => !names.includes(name) && name !== 'on:all',
  );
  const sent = await send(path, [...fields, ...typed], cookie);
  expect(sent.headers.get('Location')).toBe('/property?id=NEW-1');
  expect(await selectionOf('all')).toEqual({ exclude: ['B', 'NEW-1'] });
});

test('GET /v1/properties/{id}/deliveries of a property that a reader does not select: not selected', async () => {
  const { listDeliveredStates } = await import('../../../src/readers/api/delivered-state.ts');
  const states = await listDeliveredStates(env.DB, accountId, { identifiers: ['C'] });
  expect(states?.map(({ reader, state }) => [reader, state])).toEqual([
    ['abroad', 'never delivered'],
    ['all', 'never delivered'],
    ['nerja', 'not selected'],
  ]);
});
