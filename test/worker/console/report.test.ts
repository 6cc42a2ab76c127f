import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../src/operator/accounts.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { page, send, signIn, textOf } from './visitor.ts';

let cookie: string;
let accountId: number;

beforeAll(async () => {
  const id = await createAccount(env.DB, { code: 'REPORTED', name: 'Reported', password: 'demo' });
  await store(env.DB, id, [
    ...VOCABULARY,
    property('=1+1', { offers: { sale: { price: 0 } } }),
    property('B', {
      ref: 'REF-B',
      ...{ province: '+Costa', country: 'Spain', postcode: '-1,"x"' },
      texts: { uk: { description: 'Call, "now": <b>a</b> house' } },
    }),
  ]);
  accountId = id;
  cookie = await signIn('REPORTED');
});

test('GET /report: the rules with findings, each with what to do', async () => {
  const text = textOf(await page('/report', cookie));
  expect(/id="checked">(\d+)</.exec(text)?.[1]).toBe('2');
  expect(text).toContain('rule=no_pictures');
});

test('GET /report in Spanish: what to do is in Spanish as well', async () => {
  const text = textOf(await page('/report', cookie, { 'Accept-Language': 'es' }));
  expect(text).toContain('Añada fotos, al menos una del interior.');
  expect(text).not.toContain('Add pictures');
});

test('GET /report?rule=…: that rule alone, and the affected properties', async () => {
  const text = textOf(await page('/report?rule=no_pictures&portal=&severity=', cookie));
  expect(text).toContain('<h1>Add pictures, at least one of the inside.</h1>');
  const named = [...text.matchAll(/href="\/property\?id=([^"&]*)/g)].map(([, id]) =>
    decodeURIComponent(id!),
  );
  expect([...new Set(named)]).toEqual(['=1+1', 'B']);
  expect(text).toContain('href="/property/edit?id=B&amp;node=images"');
  expect(text).toContain('<a href="/property?id=B"><b>REF-B</b></a><span class="muted">B</span>');
});

test.each(['portal=elsewhere', 'severity=fatal', 'rule=none'])(
  'GET /report?%s: 404',
  async (query) => {
    expect((await page(`/report?${query}`, cookie)).status).toBe(404);
  },
);

test('GET /report.csv: every finding, with nothing that a spreadsheet would compute', async () => {
  const { status, headers, bytes } = await page('/report.csv', cookie);
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers.get('Content-Disposition')).toBe('attachment; filename="report-REPORTED.csv"');
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  expect(text).toMatch(/^\ufeffproperty,rule,severity,node,value,explanation,fix\r\n/);
  expect(text).toContain("\r\n'=1+1,no_pictures,");
  expect(text).not.toContain('\r\n=');
  for (const value of ["'+Costa", `"'-1,""x"""`]) expect(text).toContain(`,${value},`);
});

test('GET /report.csv without a session: 401', async () => {
  expect((await page('/report.csv')).status).toBe(401);
});

test('POST /report: 303, and the report counts the rules of these portals, and hides those', async () => {
  const rules = async () =>
    [...textOf(await page('/report', cookie)).matchAll(/rule=([a-z0-9_]+)"/g)].map(
      ([, code]) => code,
    );
  expect(await rules()).toContain('no_pictures');
  expect(await rules()).not.toContain('baths_outside_trovit');
  const fields: [string, string][] = [
    ['portal', 'trovit'],
    ['portal', 'zillow'],
    ['muted', 'no_pictures'],
  ];
  const { status, headers } = await send('/report', fields, cookie);
  expect([status, headers.get('Location')]).toEqual([303, '/report']);
  expect(await rules()).toContain('baths_outside_trovit');
  expect(await rules()).not.toContain('no_pictures');
  const text = textOf(await page('/report', cookie));
  expect(text).toMatch(/value="trovit" checked/);
  expect(text).toMatch(/value="no_pictures" checked/);
  await send('/report', {}, cookie);
  expect(await rules()).toContain('no_pictures');
});

test('POST /report to hide a rule of one portal: 303 to the same list without it, and the portals and other hidden rules stay', async () => {
  await send('/report', { portal: 'trovit', muted: 'few_pictures' }, cookie);
  const path = '/report?portal=kyero';
  const shown = textOf(await page(path, cookie));
  expect(shown).toMatch(/<form method="post">.*value="no_pictures".*value="hide"/s);
  const { status, headers } = await send(path, { do: 'hide', rule: 'no_pictures' }, cookie);
  expect([status, headers.get('Location')]).toEqual([303, path]);
  expect(textOf(await page(path, cookie))).not.toContain('value="no_pictures"');
  const all = textOf(await page('/report', cookie));
  const ticked = [...all.matchAll(/value="([a-z_]+)" checked/g)].map(([, value]) => value);
  expect(ticked).toEqual(['trovit', 'no_pictures', 'few_pictures']);
  await send('/report', {}, cookie);
});

test('POST /report from another site: 403; with a reader key: 404', async () => {
  expect((await send('/report', {}, cookie, { Origin: 'https://other.example' })).status).toBe(403);
  const asReader = await signIn('REPORTED', await openReader(accountId, 'portal'));
  expect((await page('/report', asReader)).status).toBe(200);
  expect((await send('/report', { muted: 'no_pictures' }, asReader)).status).toBe(404);
});
