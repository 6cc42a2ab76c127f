import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { createAgency } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { page, signIn, textOf } from './visitor.ts';

const HOST = 'https://www.costa.example.com';
const own = (name: string) => `https://feeds.example.com/pictures/LOOK/${name.repeat(32)}-2560.jpg`;
const at = (name: string) => `${HOST}/${name}.jpg`;

let cookie: string;

beforeAll(async () => {
  const { accountId } = await createAgency(env.DB, 'LOOK', []);
  const small = { url: own('a'), kind: 'photo', width: 720, height: 480 } as const;
  const good = { ...small, url: own('b'), width: 2560, height: 1920 };
  await store(env.DB, accountId, [
    property('P', {
      ref: 'CS-1083',
      pictures: [good, small, own('c'), at('gone'), at('silent'), at('fine')],
    }),
    property('Q', {
      ref: 'CS-1071',
      town: 'Nerja',
      area: 'Capistrano',
      pictures: [at('other'), own('c').replace('feeds', 'old')],
    }),
    property('W', { ref: 'CS-1', status: 'Withdrawn', pictures: [at('x'), at('fine')] }),
  ]);
  cookie = await signIn('LOOK');
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO report_settings (account_id, portals, muted) VALUES (?, '["kyero"]', '[]')`,
    ).bind(accountId),
    ...[
      ['gone', 3, 404],
      ['silent', 5, 0],
      ['fine', 2, 500],
    ].map(([name, failures, status]) =>
      env.DB.prepare(
        `INSERT INTO picture_checks (account_id, address, failures, failing_since, status) VALUES (?, ?, ?, unixepoch('2026-11-12'), ?)`,
      ).bind(accountId, at(String(name)), failures, status),
    ),
  ]);
});

/** What stands at each picture of the page. */
async function shown(language: string): Promise<{ title: string; why: string[]; card: string }> {
  const html = textOf(
    await page('/property/pictures?id=P', cookie, { 'Accept-Language': language }),
  );
  const items = html.split('<li class="card photo').slice(1);
  const why = items.map((item) =>
    [...item.matchAll(/<p class="why (\w+)">(.*?)<\/p>/gs)]
      .map(([, tone, text]) => `${tone}: ${plain(text!)}`)
      .join('; '),
  );
  return { title: plain(/<h1.*?>(.*?)<\/h1>/s.exec(html)![1]!), why, card: plain(html) };
}

const plain = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

test('the photographs: each says whether it is fine, small, another’s or gone; those elsewhere stand in a card', async () => {
  const { title, why, card } = await shown('en');
  expect(title).toBe('6 photographs, 4 need a look');
  expect(why).toEqual([
    '',
    expect.stringMatching(/^info: 720 × 480\. .*1,280 × 960.*Kyero/),
    'warn: The same as in CS-1071, Capistrano.',
    expect.stringMatching(/^bad: Nobody can fetch it: 404 since 12 November( 2026)?\.$/),
    expect.stringMatching(/^bad: Nobody can fetch it: no answer since 12 November( 2026)?\.$/),
    '',
  ]);
  expect(card).toContain('3 pictures are on www.costa.example.com. Nobody can fetch 2 of them.');
  expect(card).toContain('Copy them here');
});

test('the same page in Spanish', async () => {
  const { title, why } = await shown('es');
  expect(title).toBe('6 fotos, 4 por revisar');
  expect(why[2]).toBe('warn: La misma que en CS-1071, Capistrano.');
  expect(why[3]).toMatch(/^bad: Nadie puede leerla: error 404 desde el 12 de noviembre/);
});

test('the report: its findings of the same pictures, and what another property has', async () => {
  const text = textOf(await page('/report.csv', cookie));
  const lines = text.split('\n').filter((line) => /picture_(small|of_another|unavail)/.test(line));
  expect(lines.length).toBe(4);
});
