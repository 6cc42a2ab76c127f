import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { property, VOCABULARY } from '../../support/portfolio.ts';
import { page, signIn, textOf } from './visitor.ts';

let cookie: string;

beforeAll(async () => {
  const id = await createAccount(env.DB, { code: 'REPORTED', name: 'Reported', password: 'demo' });
  await writePortfolio(env.DB, id, [
    ...VOCABULARY,
    property('=1+1', { offers: { sale: { price: 0 } } }),
    property('B', { texts: { uk: { description: 'Call, "now": <b>a</b> house' } } }),
  ]);
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

test('GET /report?rule=…: that rule alone, and the properties concerned', async () => {
  const text = textOf(await page('/report?rule=no_pictures&portal=&severity=', cookie));
  const named = [...text.matchAll(/<th scope="row">(?:<a[^>]*>)?([^<]*)</g)].map(([, name]) => name);
  expect(named).toEqual(['no_pictures', '=1+1', 'B']);
});

test.each(['portal=elsewhere', 'severity=fatal', 'rule=none'])('GET /report?%s: 404', async (query) => {
  expect((await page(`/report?${query}`, cookie)).status).toBe(404);
});

test('GET /report.csv: every finding, with nothing that a spreadsheet would compute', async () => {
  const { status, headers, bytes } = await page('/report.csv', cookie);
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers.get('Content-Disposition')).toBe('attachment; filename="report-REPORTED.csv"');
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  expect(text).toMatch(/^\ufeffproperty,rule,severity,node,value,explanation,fix\r\n/);
  expect(text).toContain("\r\n'=1+1,no_pictures,");
  expect(text).not.toContain('\r\n=');
});

test('GET /report.csv without a session: 401', async () => {
  expect((await page('/report.csv')).status).toBe(401);
});
