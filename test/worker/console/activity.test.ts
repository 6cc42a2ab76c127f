import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Actor } from '../../../src/accounts/actor.ts';
import { SCOPES } from '../../../src/oauth/scopes.ts';
import { parseDocument } from '../../../src/properties/documents.ts';
import { createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { obtainToken, withToken } from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';
import type { CompleteResponse } from '../../support/worker/ask.ts';
import { fieldsOf, follow, page, send, signIn, textOf } from './visitor.ts';

/** The session of somebody whom whoever has this session invites. */
async function invited(
  inviter: string,
  account: string,
  name: string,
  role: string,
): Promise<string> {
  const password = 'correct horse battery';
  const sent = await send('/settings', { do: 'invite', name, role }, inviter);
  const { text } = await follow(sent, inviter);
  const [, link] = /(\/invitation\?[\w&;=-]+)</.exec(text)!;
  await send(link!.replace('&amp;', '&'), { password });
  const { headers } = await send('/sign-in', { account, name, password });
  return headers.get('Set-Cookie')!.split(';')[0]!;
}

/** The changes that a page lists, in words and without their times, by what they changed. */
function changesOn(response: CompleteResponse): string[] {
  const [, list = ''] =
    /id="changes".*?<ol class="timeline[^"]*">(.*?)<\/ol>/s.exec(textOf(response)) ?? [];
  const entries = [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, entry]) =>
    entry!
      .replace(/<time.*?<\/time>/s, '')
      .replace(/<a [^>]*href="\/undo.*?<\/a>/s, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  return entries.sort();
}

function unitPath(name: string): string {
  return `/unit?development=${DEVELOPMENT}&name=${name}`;
}

/** Types values into the form of a page and sends it. */
async function type(
  path: string,
  values: Readonly<Record<string, string>>,
  cookie: string,
): Promise<void> {
  const shown = Object.fromEntries(fieldsOf(await page(path, cookie)));
  expect((await send(path, { ...shown, ...values }, cookie)).status).toBe(303);
}

test('two people and a client change neighbouring properties within one second: the console’s log and the units’ history show who changed which', async () => {
  const agency = await createAgency(env.DB, 'LOGGED', ['A-1', 'A-2', 'A-3'], SCOPES);
  await store(
    env.DB,
    agency.accountId,
    ['N1', 'N2', 'N3'].map((id) => property(id)),
  );
  const ana = await invited(await signIn('LOGGED'), 'LOGGED', 'Ana', 'owner');
  const edu = await invited(ana, 'LOGGED', 'Edu', 'editor');
  const token = withToken(await obtainToken(agency));
  const units = `/v1/developments/${DEVELOPMENT}/units`;
  const changed = async (method: string, path: string, body: object) =>
    expect((await call(method, path, body, token)).status).toBe(200);
  await Promise.all([
    type('/property/edit?id=N1', { price: '260,000' }, ana),
    type('/property/edit?id=N2', { price: '270,000' }, edu),
    changed('PATCH', '/v1/properties/N3', { offers: { sale: { price: 280_000 } } }),
    type(unitPath('A-1'), { price: '110,000', reviewed: '1' }, edu),
    changed('POST', `${units}/update-by-name`, {
      UntName: 'A-2',
      UntStatus: 1,
      UntPrice: 120_000,
      UntDirections: [],
    }),
    type(unitPath('A-3'), { price: '130,000', reviewed: '1' }, ana),
  ]);
  // All in the same second, however long they took.
  await env.DB.batch([
    env.DB.prepare('UPDATE property_history SET changed_at = unixepoch()'),
    env.DB.prepare('UPDATE unit_history SET changed_at = unixepoch()'),
    env.DB.prepare('UPDATE activity SET happened_at = unixepoch()'),
  ]);
  expect(changesOn(await page('/', ana))).toEqual([
    'Las Lomas A-1 €100,000 → €110,000 by Edu',
    'Las Lomas A-2 €100,000 → €120,000 by client-LOGGED',
    'Las Lomas A-3 €100,000 → €130,000 by Ana',
    'R-N1, Marbella €250,000 → €260,000 by Ana',
    'R-N2, Marbella €250,000 → €270,000 by Edu',
    'R-N3, Marbella €250,000 → €280,000 by client-LOGGED',
  ]);
  for (const [path, change] of [
    ['/property?id=N2', '€250,000 → €270,000 by Edu'],
    [unitPath('A-2'), '€100,000 → €120,000 by client-LOGGED'],
    [unitPath('A-3'), '€100,000 → €130,000 by Ana'],
  ] as const) {
    expect([path, changesOn(await page(path, ana))]).toEqual([path, [change]]);
  }
  const clientsOf = async (name: string) => {
    const { body } = await call('GET', `${units}/${name}`, undefined, token);
    return body.changes.map((change: { client_id: string }) => change.client_id);
  };
  const clients = await Promise.all(['A-1', 'A-2', 'A-3'].map(clientsOf));
  expect(clients).toEqual([['console:Edu'], ['client-LOGGED'], ['console:Ana']]);
});

test('a property that changed several times: what each change has made of it, and nothing of its texts and pictures', async () => {
  const { accountId } = await createAgency(env.DB, 'SEVERAL', []);
  const actors: readonly Actor[] = [
    { kind: 'source', name: 'web' },
    { kind: 'operator' },
    { kind: 'account' },
    { kind: 'client', name: 'crm:2' },
  ];
  await store(env.DB, accountId, [property('N')]);
  for (const [index, actor] of actors.entries()) {
    const sale = { price: 300_000 + index };
    await store(env.DB, accountId, [property('N', { offers: { sale } })], { actor });
    const pictures = [`https://pictures.example/${index}.jpg`];
    await store(env.DB, accountId, [property('N', { offers: { sale }, pictures })], { actor });
  }
  const rented = {
    status: 'Under Offer',
    offers: { short_term: { low: 700, high: 900 } },
  } as const;
  await store(env.DB, accountId, [property('N', rented)], {
    actor: { kind: 'person', name: 'Ana' },
  });
  const owner = await signIn('SEVERAL');
  expect(changesOn(await page('/property?id=N', owner))).toEqual(
    [
      '€250,000 → €300,000 by web',
      '€300,000 → €300,001 by lindero',
      '€300,001 → €300,002',
      '€300,002 → €300,003 by crm:2',
      '€300,003 → Price on request by Ana',
      'Available → Under offer by Ana',
      'Price on request → €700 a week by Ana',
      'Price on request → €900 a week by Ana',
    ].sort(),
  );
});

test('a unit that an import changes: its history names the source', async () => {
  const { accountId } = await createAgency(env.DB, 'IMPORTED', ['A-1']);
  const unit = parseDocument({
    kind: 'unit',
    development: DEVELOPMENT,
    name: 'A-1',
    status: 2,
    price: 90_000,
  });
  await store(env.DB, accountId, [unit], { actor: { kind: 'source', name: 'web' } });
  const change = 'Available, €100,000 → On hold, €90,000 by web';
  expect(changesOn(await page(unitPath('A-1'), await signIn('IMPORTED')))).toEqual([change]);
});

test('GET /settings/log: a price and a switch with their values before and after; of a person, of a day, of nobody', async () => {
  const { accountId } = await createAgency(env.DB, 'DETAILS', []);
  await store(env.DB, accountId, [property('P', { offers: { sale: { price: 345_000 } } })]);
  await openReader(accountId, 'kyero', 'FV=3');
  const agency = await signIn('DETAILS');
  await type('/property/edit?id=P', { price: '330000' }, agency);
  const owner = await invited(agency, 'DETAILS', 'Ana', 'owner');
  const path = '/property?id=P';
  const shown = fieldsOf(await page(path, owner)).filter(([name]) => name !== 'on:kyero');
  await send(path, [...shown, ['do', 'portals']], owner);
  const log = async (query: string) => {
    const text = textOf(await page(`/settings/log${query}`, owner));
    const [, list = ''] = /<ol class="timeline[^"]*">(.*?)<\/ol>/s.exec(text) ?? [];
    return list
      .replaceAll(/<time.*?<\/time>|<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  };
  expect(await log('')).toMatch(
    /^Ana changed property P kyero: on → off .*Price: 345,000 → 330,000$/,
  );
  expect(await log('?who=Ana')).not.toContain('330,000');
  expect(await log('?who=')).toMatch(/agency’s password.*330,000/);
  const today = new Date().toISOString().slice(0, 10);
  expect(await log(`?day=${today}`)).toContain('330,000');
  expect(await log('?day=2020-01-01')).toBe('');
  expect(await log('?day=x&who=Nobody')).toBe('');
});

test('GET /settings/log: settings and changes of several listings with their values before and after, in Spanish as well', async () => {
  const { accountId } = await createAgency(env.DB, 'BEFORE', []);
  const sold = (id: string) => property(id, { offers: { sale: { price: 100_000 } } });
  await store(env.DB, accountId, ['ONE', 'TWO', 'SIX', 'TEN', 'LOT', 'END'].map(sold));
  const cookie = await signIn('BEFORE');
  const review = '/properties/change?all=1&kind=price&by=set&amount=110000';
  await send(review, fieldsOf(await page(review, cookie)), cookie);
  await send('/settings/client', { id: 'before', scope: 'units:read' }, cookie);
  const scopes = { do: 'scopes', scope: 'feeds:read' };
  await send('/settings/client?id=before', scopes, cookie);
  await send('/settings/format?name=idealista', { ContactPhone: '600000001' }, cookie);
  await send('/report', { portal: 'kyero', muted: 'price_missing' }, cookie);
  const log = async (language: string) =>
    textOf(await page('/settings/log', cookie, { 'Accept-Language': language }))
      .replaceAll(/<time.*?<\/time>|<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  const english = await log('en');
  expect(english).toMatch(/TWO : €100,000 → €110,000 and one more ONE : €100,000 → €110,000/);
  expect(english).toContain('Permissions: Read units → Read the report');
  expect(english).toMatch(/telephone[^:]*: — → 600000001/i);
  expect(english).toMatch(/Portals in the report: — → Kyero/);
  const spanish = await log('es');
  expect(spanish).toContain('Permisos: Leer unidades → Leer el informe');
  expect(spanish).toMatch(/Hoy .*Portales del informe: — → Kyero/);
});
