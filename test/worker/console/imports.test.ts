import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { findImport } from '../../../src/imports/runs/imports.ts';
import { sweepOldImports } from '../../../src/imports/runs/manage.ts';
import { continueImport } from '../../../src/imports/runs/run.ts';
import { findSource } from '../../../src/imports/runs/sources.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import type { CompleteResponse } from '../../support/worker/ask.ts';
import { fieldsOf, follow, page, send, signIn, signInViewer, textOf } from './visitor.ts';

const URL_WITH_SECRET = 'https://crm.example.com/feed.xml?key=secret';
const SOURCE = {
  do: 'save',
  name: 'crm',
  url: URL_WITH_SECRET,
  every: 'day',
  day: 'mon',
  time: '03:30',
};
const DAILY = { ...SOURCE, maxWithdrawn: '20', enabled: '1' };

let accountId: number;
let neighbour: string;
let cookie: string;
let bindings: Env;

beforeAll(async () => {
  await createAgency(env.DB, 'NEXTDOOR', []);
  neighbour = await signIn('NEXTDOOR');
});

let agencies = 0;

beforeEach(async () => {
  const code = `IMPORTS${++agencies}`;
  ({ accountId } = await createAgency(env.DB, code, ['A-1', 'A-2']));
  cookie = await signIn(code);
  ({ env: bindings } = withTasks());
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const submit = (path: string, fields: Record<string, string> | FormData) =>
  send(path, fields, cookie, undefined, bindings);
const run = async (): Promise<unknown> => (await continueImport(bindings, accountId)) && run();
const feedOf = (nodes: Record<string, string>, ...ids: string[]) =>
  kyeroFeed(ids.map((id) => kyeroRecord(id, nodes)));

function upload(content: string, ...ticked: readonly ('replace' | 'dryRun')[]): FormData {
  const form = new FormData();
  for (const box of ticked) form.append(box, '1');
  form.append('file', new File([content], 'feed.xml'));
  return form;
}

function locationOf({ status, headers }: CompleteResponse): string {
  expect(status).toBe(303);
  return headers.get('Location')!;
}

function count(table: string): Promise<number | null> {
  return env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`)
    .bind(accountId)
    .first<number>('n');
}

describe('a file', () => {
  test('GET /imports: its field is the last of its form, since what follows it is not read', async () => {
    const [form] = /<form [^>]*enctype.*?<\/form>/s.exec(textOf(await page('/imports', cookie)))!;
    const names = [...form.matchAll(/<input [^>]*name="([^"]*)"/g)].map(([, name]) => name);
    expect(names).toEqual(['replace', 'dryRun', 'file']);
  });

  test('uploaded: its import with progress, then its report; what the file says is escaped', async () => {
    const file = feedOf({ type: '&lt;i&gt;Kiosk', beds: '2 + 1', newnode: 'x' }, 'N1', 'N2');
    const location = locationOf(await submit('/imports', upload(file)));
    const waiting = textOf(await page(location, cookie));
    expect(waiting).toMatch(/<h1>The file is being checked<\/h1>.*<progress[^>]* data-refresh/s);
    await run();
    const report = textOf(await page(location, cookie));
    expect(report).toMatch(
      /<h1>The import is complete<\/h1>.*id="created" href="\/properties\?order=changed">2</s,
    );
    expect(report).toContain('&lt;i&gt;Kiosk');
    expect(report).not.toContain('<i>Kiosk');
    expect(report).toMatch(/>Bedrooms<.*first number used/s);
    expect(report).toMatch(/Not imported.*newnode/s);
    expect(textOf(await page('/imports', cookie))).toMatch(
      /<h1>The last import went well<.*Imported/s,
    );
  });

  test('with a rejected record and values read in another way: the report says why in Spanish as well', async () => {
    const records = [
      kyeroRecord('N1', { beds: '2 + 1', currency: 'XX' }),
      kyeroRecord('N1', { ref: 'other' }),
    ];
    const location = locationOf(await submit('/imports', upload(kyeroFeed(records))));
    await run();
    const spanish = textOf(await page(location, cookie, { 'Accept-Language': 'es' }));
    expect(spanish).toContain(
      'Identificador: repite el identificador de otro registro distinto, el de la línea 4',
    );
    expect(spanish).toMatch(
      /el primer número, sin el resto.*«XX» como «sin dato».*ilegible, como si no estuviera/s,
    );
  });

  test('only tried: what would be new, change and be withdrawn, with a price that is very different; then imported as it was sent', async () => {
    const listed = ['N1', 'N2'].map((id) => kyeroRecord(id, { price: '300000' }));
    await submit('/imports', upload(kyeroFeed(listed)));
    await run();
    const records = [
      kyeroRecord('N1', { price: '30000', beds: '2 + 1' }),
      kyeroRecord('N2', { price: '310000', town: 'Ronda' }),
      kyeroRecord('N3', { price: '200000' }),
    ];
    const tried = locationOf(
      await submit('/imports', upload(kyeroFeed(records), 'replace', 'dryRun')),
    );
    await run();
    const report = textOf(await page(tried, cookie));
    expect(report).toMatch(
      /<h1>This is what would change<.*id="withdrawn" href="#list-withdrawn">2</s,
    );
    expect(report).toMatch(/<h2>New listings<.*<b>R-N3<\/b>/s);
    expect(report).toMatch(/href="\/property\?id=N1".*300,000 → 30,000 .*Very different/s);
    expect(report).toMatch(/href="\/property\?id=N2".*Town.*300,000 → 310,000 (?!<span)/s);
    expect(report).toMatch(/2 \+ 1.*first number.*<a href="\/property\?id=N1"><b>R-N1<\/b><\/a>/s);
    expect(report).toMatch(/<h2>Listings that would be withdrawn<.*href="\/property\?id=P1"/s);
    expect(textOf(await page('/imports', cookie))).toMatch(
      /<h1>A file is ready.*Not imported yet/s,
    );
    expect(await count('properties')).toBe(4);
    expect(locationOf(await submit(tried, { do: 'import' }))).toBe(tried);
    await run();
    expect(textOf(await page(tried, cookie))).toContain('<h1>Nothing was changed yet</h1>');
    await submit(tried, { do: 'approve' });
    await run();
    expect(textOf(await page(tried, cookie))).toMatch(
      /<h1>The import is complete<.*id="withdrawn"[^>]*>2</s,
    );
    expect(await count('properties')).toBe(5);
  });

  test('only tried a week ago: it is no longer here, and cannot be imported', async () => {
    const tried = locationOf(await submit('/imports', upload(feedOf({}, 'N1'), 'dryRun')));
    await run();
    const files = async () =>
      (await env.FILES.list({ prefix: `imports/${accountId}/` })).objects.map(({ key }) =>
        key.split('/').at(-1),
      );
    await sweepOldImports(bindings);
    expect(await files()).toEqual(['file', 'report.json']);
    await env.DB.prepare('UPDATE imports SET ended_at = ended_at - 8 * 86400 WHERE account_id = ?')
      .bind(accountId)
      .run();
    await sweepOldImports(bindings);
    expect(await files()).toEqual(['report.json']);
    expect(textOf(await page(tried, cookie))).not.toContain('value="import"');
    expect((await submit(tried, { do: 'import' })).status).toBe(409);
  });

  test('that would withdraw too much: nothing is changed until somebody approves it, once', async () => {
    const location = locationOf(await submit('/imports', upload(feedOf({}, 'N1'), 'replace')));
    await run();
    const held = textOf(await page(location, cookie));
    expect(held).toMatch(
      /<h1>Nothing was changed yet<.*2 of 2 listed properties.*value="approve"/s,
    );
    expect(held).toMatch(
      /<h2>Listings that are not in the file<.*>2<.*<a href="\/property\?id=P1"><b>R-P1<\/b><\/a>.*Marbella/s,
    );
    const spanish = textOf(await page(location, cookie, { 'Accept-Language': 'es' }));
    expect(spanish).toContain(
      '2 de los 2 inmuebles publicados no están en el archivo, más del 20 %.',
    );
    expect(textOf(await page('/', cookie))).toMatch(
      /is waiting for your decision.*href="\/import\?id=/s,
    );
    expect(await count('properties')).toBe(2);
    expect((await submit(location, { do: 'approve' })).status).toBe(303);
    expect((await submit(location, { do: 'approve' })).status).toBe(409);
    await run();
    expect(textOf(await page(location, cookie))).toMatch(
      /id="withdrawn"[^>]*>2<.*href="\/property\?id=P1"/s,
    );
  });

  test('that would withdraw too much, cancelled: the page says that nothing was imported', async () => {
    const location = locationOf(await submit('/imports', upload(feedOf({}, 'N1'), 'replace')));
    await run();
    expect((await submit(location, { do: 'cancel' })).status).toBe(303);
    expect(textOf(await page(location, cookie))).toMatch(
      /<h1>The import was cancelled<.*Nothing was imported: everything is as it was/s,
    );
    expect(await count('properties')).toBe(2);
  });

  test('with a rejected record of a listing: its report names the listing by reference and town, with a link', async () => {
    const file = feedOf({ town: '<i/>'.repeat(2), price: 'x' }, 'P1').replace(
      /<property>/,
      `${kyeroRecord('P1', { ref: 'other' })}<property>`,
    );
    const location = locationOf(await submit('/imports', upload(file)));
    await run();
    expect(textOf(await page(location, cookie))).toMatch(
      /<h2>Rejected records<.*<a href="\/property\?id=P1"><b>[^<]+<\/b><\/a> <span class="muted">Marbella, Line/s,
    );
  });

  test('undone as a whole from its page, for a month: what somebody has changed since is shown, and stays', async () => {
    await submit('/imports', upload(feedOf({ price: '100000' }, 'N1', 'N2')));
    await run();
    const location = locationOf(
      await submit('/imports', upload(feedOf({ price: '200000' }, 'N1', 'N2', 'NEW'))),
    );
    await run();
    const prices = async () => {
      const rows = await env.DB.prepare(
        "SELECT identifier, status, sale_price FROM properties WHERE account_id = ? AND identifier LIKE 'N%'",
      )
        .bind(accountId)
        .raw<[string, string, number]>();
      return Object.fromEntries(rows.map(([id, ...values]) => [id, values]));
    };
    const changed = [
      ['kind', 'price'],
      ['by', 'set'],
      ['amount', '250000'],
      ['id', 'N2'],
    ];
    const review = `/properties/change?${new URLSearchParams(changed)}`;
    await send(review, fieldsOf(await page(review, cookie)), cookie);
    const [link = ''] = /\/undo\?batch=[^"]*/.exec(textOf(await page(location, cookie)))!;
    expect(textOf(await page(link, cookie))).toMatch(/200,000.*100,000.*changed since.*250,000/s);
    expect((await send(link, { do: 'save' }, cookie)).status).toBe(303);
    expect(await prices()).toEqual({
      N1: ['Available', 100_000],
      N2: ['Available', 250_000],
      NEW: ['Withdrawn', 200_000],
    });
    const month = 31 * 86_400;
    await env.DB.batch(
      [
        `UPDATE imports SET ended_at = ended_at - ${month} WHERE account_id = ?`,
        `UPDATE property_history SET changed_at = changed_at - ${month} WHERE account_id = ?`,
        "UPDATE properties SET document = json_set(document, '$.status', 'Available') WHERE account_id = ?",
      ].map((statement) => env.DB.prepare(statement).bind(accountId)),
    );
    expect(textOf(await page(location, cookie))).not.toContain('/undo');
    expect(textOf(await page(link, cookie))).toContain('Nothing is left to undo');
  });

  test('cancelled, damaged or missing: nothing is changed, and the page says why', async () => {
    const location = locationOf(await submit('/imports', upload(feedOf({}, 'N1'))));
    expect((await submit(location, { do: 'cancel' })).status).toBe(303);
    const damaged = locationOf(await submit('/imports', upload(feedOf({}, 'N1').slice(0, -20))));
    await run();
    expect(textOf(await page(location, cookie))).toContain('<h1>The import was cancelled</h1>');
    expect(textOf(await page(damaged, cookie))).toMatch(
      /<h1>Nothing was changed<.*damaged, incomplete/s,
    );
    expect(textOf(await page('/', cookie))).toContain('An import failed');
    const empty = new FormData();
    empty.append('file', new File([], ''));
    expect((await submit('/imports', empty)).status).toBe(422);
    expect((await submit('/imports', { file: 'x' })).status).toBe(415);
    expect(await count('imports')).toBe(2);
    expect(await count('properties')).toBe(2);
  });
});

describe('a file at an address', () => {
  const give = (url: string, more: Record<string, string> = {}) =>
    submit('/imports/once', { url, format: '', ...more });

  test('read once: fetched, imported, and in the log without its password; no address is kept to be read again', async () => {
    vi.stubGlobal('fetch', async () => new Response(feedOf({}, 'N1', 'N2')));
    const location = locationOf(await give(URL_WITH_SECRET));
    await run();
    expect(textOf(await page(location, cookie))).toMatch(
      /The import is complete.*From: https:\/\/crm\.example\.com\/feed\.xml\?key=\*\*\*.*id="created"[^>]*>2</s,
    );
    expect(textOf(await page('/imports', cookie))).toContain('"From">https://crm.example.com/');
    const log = textOf(await page('/settings/log', cookie));
    expect(log).toContain('started the import of https://crm.example.com/feed.xml?key=***');
    expect(log).not.toContain('secret');
    expect(await count('sources')).toBe(0);
  });

  test('only tried: the report says what would change, and nothing does until it is imported', async () => {
    vi.stubGlobal('fetch', async () => new Response(feedOf({}, 'N1', 'N2')));
    const [form] = /<form method="post" class.*?<\/form>/s.exec(
      textOf(await page('/imports/once', cookie)),
    )!;
    expect(form).toMatch(/name="dryRun" value="1"[^>]* checked/);
    const tried = locationOf(await give(URL_WITH_SECRET, { format: 'kyero', dryRun: '1' }));
    await run();
    const report = textOf(await page(tried, cookie));
    expect(report).toMatch(
      /<h1>This is what would change<.*value="import".*id="created" href="#list-created">2</s,
    );
    expect(await count('properties')).toBe(2);
    expect(locationOf(await submit(tried, { do: 'import' }))).toBe(tried);
    vi.stubGlobal('fetch', async () => new Response(feedOf({}, 'OTHER')));
    await run();
    expect(textOf(await page(tried, cookie))).toMatch(
      /<h1>The import is complete<.*id="created" href="\/properties\?order=changed">2</s,
    );
    expect(await count('properties')).toBe(4);
    expect((await submit(tried, { do: 'import' })).status).toBe(409);
  });

  test('in another format than it is said to have: nothing is imported, and the page says why', async () => {
    vi.stubGlobal('fetch', async () => new Response(feedOf({}, 'N1')));
    const location = locationOf(await give(URL_WITH_SECRET, { format: 'ndjson' }));
    await run();
    expect(textOf(await page(location, cookie))).toContain('<h1>Nothing was changed</h1>');
    expect(await count('properties')).toBe(2);
  });

  test('with records without an id: told before anything is changed that references stand for it; the listing can be deleted for good', async () => {
    const nameless = kyeroRecord('N1', { ref: 'REF-9' }).replace(/<id>.*?<\/id>/, '');
    vi.stubGlobal('fetch', async () => new Response(kyeroFeed([nameless])));
    const tried = locationOf(await give(URL_WITH_SECRET, { dryRun: '1' }));
    await run();
    expect(textOf(await page(tried, cookie))).toContain('1 record has no id');
    locationOf(await submit(tried, { do: 'import' }));
    await run();
    const path = '/property/edit?id=REF-9';
    expect((await submit(path, { do: 'delete' })).status, 'without a confirmation').toBe(422);
    expect(await count('properties')).toBe(3);
    const deleted = await submit(path, { do: 'delete', sure: '1' });
    expect(textOf(await follow(deleted, cookie))).toContain('REF-9 was deleted');
    expect((await page(path, cookie)).status).toBe(404);
  });

  test('of a server that cannot be reached: its import says so once', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('refused')));
    const location = locationOf(await give(URL_WITH_SECRET));
    await run();
    expect(
      textOf(await page(location, cookie)).match(/The server cannot be reached/g),
    ).toHaveLength(1);
  });

  test.each(['http://127.0.0.1/feed.xml', 'feed.xml', ''])(
    '%j: 422 with what was typed, and nothing is imported',
    async (url) => {
      const response = await give(url);
      expect(response.status).toBe(422);
      expect(textOf(response)).toMatch(new RegExp(`value="${url}".*id="url-error"`, 's'));
      expect(await count('imports')).toBe(0);
    },
  );
});

test('unknown names: a meaning that is not known is refused; the next import of the same file uses what was saved', async () => {
  const file = feedOf({ type: 'Casa Mata', features: '<feature>Zona chill</feature>' }, 'N1');
  // As a server that answers that its file has not changed.
  vi.stubGlobal('fetch', async (_: URL, { headers }: RequestInit) =>
    new Headers(headers).has('If-None-Match')
      ? new Response(null, { status: 304 })
      : new Response(file, { headers: { ETag: '"1"' } }),
  );
  const location = locationOf(await submit('/imports/source', DAILY));
  await run();
  expect(textOf(await page(location, cookie))).toMatch(
    /Casa Mata.*list="types".*Zona chill.*list="features"/s,
  );
  const names = {
    do: 'names',
    'types:Casa Mata': 'Detached Villa',
    'features:Zona chill': 'Communal',
  };
  const refused = await submit(location, names);
  expect(refused.status).toBe(422);
  expect(textOf(refused)).toMatch(
    /value="Detached Villa".*value="Communal".*Choose one from the list/s,
  );
  expect(
    (await submit(location, { ...names, 'features:Zona chill': 'Piscina - Comunitaria' })).status,
  ).toBe(303);
  expect(textOf(await page(location, cookie))).toMatch(
    /name="types:Casa Mata" list="types" value="House - Detached Villa".*list="features" value="Pool - Communal"/s,
  );
  locationOf(await submit('/imports/source?name=crm', { do: 'run' }));
  await run();
  const stored = await env.DB.prepare(
    "SELECT type, document ->> '$.features' AS features FROM properties WHERE account_id = ? AND identifier = 'N1'",
  )
    .bind(accountId)
    .first();
  expect(stored).toEqual({ type: 'villa', features: '["Pool: Communal"]' });
  const without = await submit(location, { do: 'names', 'types:Casa Mata': '' });
  expect(textOf(await follow(without, cookie))).toMatch(
    /list="types" value="".*list="features" value="Pool - Communal"/s,
  );
});

describe('an address', () => {
  test('added: read at once, and shown without its password; changed, read again, deleted', async () => {
    vi.stubGlobal('fetch', async () => new Response(feedOf({}, 'N1')));
    const location = locationOf(await submit('/imports/source', DAILY));
    await run();
    expect(textOf(await page(location, cookie))).toMatch(/The import is complete.*crm/s);
    // An address of the same name would take its place.
    expect(
      (await submit('/imports/source', { ...DAILY, url: 'https://other.example.com/' })).status,
    ).toBe(422);
    await env.DB.prepare(
      "UPDATE sources SET format = 'kyero', channel = 'coast' WHERE account_id = ?",
    )
      .bind(accountId)
      .run();
    const path = '/imports/source?name=crm';
    const shown = textOf(await page(path, cookie));
    expect(shown).toContain('value="https://crm.example.com/feed.xml?key=***"');
    expect(shown).not.toContain('secret');
    const kept = {
      ...DAILY,
      url: `${URL_WITH_SECRET.split('=')[0]}=***`,
      every: 'week',
      day: 'fri',
      enabled: '',
    };
    expect(locationOf(await submit(path, kept))).toBe('/imports');
    expect(await findSource(env.DB, { accountId, name: 'crm' })).toMatchObject({
      format: 'kyero',
      channel: 'coast',
      timeZone: 'Europe/Madrid',
    });
    expect(textOf(await page('/imports', cookie))).toMatch(/Every Friday at 03:30<.*Off/s);
    const again = locationOf(await submit(path, { do: 'run' }));
    const busy = await submit(path, { do: 'run' });
    expect(busy.status).toBe(409);
    expect(textOf(busy)).toContain('value="https://crm.example.com/feed.xml?key=***"');
    await run();
    expect(textOf(await page(again, cookie))).toContain('The import is complete');
    expect((await submit(path, { do: 'delete' })).status).toBe(422);
    expect(locationOf(await submit(path, { do: 'delete', sure: '1' }))).toBe('/imports');
    expect(await count('sources')).toBe(0);
    expect(await count('properties')).toBe(3);
    expect(textOf(await page('/settings/log', cookie))).toMatch(/deleted the address crm/);
  });

  test('whose file has no listings any more: it waits for a decision, in Spanish as well', async () => {
    let file = feedOf({}, 'N1');
    vi.stubGlobal('fetch', async () => new Response(file));
    await submit('/imports/source', { ...DAILY, maxWithdrawn: '100' });
    await run();
    file = feedOf({});
    const location = locationOf(await submit('/imports/source?name=crm', { do: 'run' }));
    await run();
    const spanish = textOf(await page(location, cookie, { 'Accept-Language': 'es' }));
    expect(spanish).toMatch(
      /1 de los 1 inmuebles publicados no están en el archivo, que no tiene ninguno.*approve/s,
    );
  });

  test.each([
    ['url', 'http://127.0.0.1/feed.xml', 'public https address'],
    ['url', 'not a URL', 'public https address'],
    [
      'url',
      'https://crm.example.com/feed.xml?key=***',
      'Replace \\*\\*\\* with the password or key',
    ],
    ['name', 'Not a name', '1 to 40 lower-case letters'],
    ['time', '25:00', 'a time such as 03:30'],
    ['maxWithdrawn', '101', 'a number from 0 to 100'],
  ])(
    'with the %s %j: 422 with the reason at the field, and what was typed',
    async (name, value, reason) => {
      const response = await submit('/imports/source', { ...DAILY, [name]: value });
      expect(response.status).toBe(422);
      expect(textOf(response)).toMatch(new RegExp(`${reason}`));
      expect(textOf(response)).toContain(`value="${value}"`);
      expect(await count('sources')).toBe(0);
    },
  );
});

describe('every form', () => {
  /** A held import, a source, and the forms of their pages. */
  async function forms(): Promise<[string, Record<string, string> | FormData][]> {
    vi.stubGlobal('fetch', async () => new Response(feedOf({}, 'N1')));
    const location = locationOf(await submit('/imports', upload(feedOf({}, 'N1'), 'replace')));
    await run();
    await submit('/imports/source', { ...DAILY, enabled: '' });
    return [
      ['/imports', upload(feedOf({}, 'N2'))],
      ['/imports/source', { ...DAILY, name: 'other' }],
      ['/imports/source?name=crm', { do: 'delete', sure: '1' }],
      ['/imports/source?name=crm', { do: 'run' }],
      [location, { do: 'approve' }],
      [location, { do: 'cancel' }],
      [location, { do: 'names', 'types:Kiosk': 'Villa' }],
    ];
  }

  async function state() {
    const names = env.DB.prepare('SELECT import_names FROM accounts WHERE id = ?')
      .bind(accountId)
      .first();
    const id = await env.DB.prepare('SELECT min(id) AS id FROM imports WHERE account_id = ?')
      .bind(accountId)
      .first<number>('id');
    return [
      await count('imports'),
      await count('sources'),
      await names,
      (await findImport(env.DB, accountId, id!))?.state,
    ];
  }

  test('from another site: 403; of another account: 404; by a viewer: 403; nothing happens', async () => {
    const all = await forms();
    const before = await state();
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' };
    const viewer = await signInViewer(accountId, `IMPORTS${agencies}`);
    for (const [path, fields] of all) {
      const answers = [
        await send(path, fields, cookie, elsewhere, bindings),
        await send(path, fields, viewer, undefined, bindings),
        ...(path.includes('?') ? [await send(path, fields, neighbour, undefined, bindings)] : []),
      ];
      const expected = path.includes('?') ? [403, 403, 404] : [403, 403];
      expect([path, answers.map(({ status }) => status)]).toEqual([path, expected]);
    }
    expect(await state()).toEqual(before);
    const [location] = all.at(-1)!;
    expect((await page(location, neighbour)).status).toBe(404);
    expect(textOf(await page(location, viewer))).not.toContain('value="approve"');
    expect(textOf(await page('/imports', viewer))).not.toContain('type="file"');
    expect((await page('/imports/source?name=crm', viewer)).status).toBe(403);
  });
});
