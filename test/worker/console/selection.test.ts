import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { policyIn } from '../../../src/readers/policy.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { fieldsOf, page, send, signIn, textOf } from './visitor.ts';

test('POST /portals/contents with rules: counted first, with the reasons for the rest, and nothing is stored; then saved, stated as a sentence, and in the lists', async () => {
  const { accountId } = await createAgency(env.DB, 'BY-RULES', []);
  const sea = { features: ['Sea'], pictures: ['https://x.example/1.jpg'] };
  const both = { sale: { price: 300_000 }, long_term: { rent: 900 } };
  await store(env.DB, accountId, [
    property('FITS', { ...sea, offers: both }),
    property('CHEAP', { ...sea, offers: { sale: { price: 299_999 } } }),
    property('INLAND', { ...sea, town: 'Ronda', offers: both }),
    property('BARE', { offers: both }),
    property('ADDED', { town: 'Ronda', offers: { sale: { price: 1 } } }),
  ]);
  await openReader(accountId, 'portal', 'FV=3');
  const owner = await signIn('BY-RULES');
  const path = '/portals/contents?name=portal';
  const shown = fieldsOf(await page(path, owner));
  const rules: [string, string][] = [
    ['towns', 'Marbella'],
    ['features', 'Sea'],
    ['price_min', '300.000 €'],
    ['include', ' ADDED \r\n'],
  ];
  const names = rules.map(([name]) => name);
  const typed = [...shown.filter(([name]) => !names.includes(name)), ...rules];
  const stored = async () => {
    const row = await env.DB.prepare('SELECT policy FROM readers WHERE account_id = ?')
      .bind(accountId)
      .first<{ policy: string }>();
    return policyIn(row!.policy).selection ?? null;
  };

  const counted = await send(path, [...typed, ['do', 'count']], owner);
  expect([counted.status, await stored()]).toEqual([200, null]);
  for (const text of [
    'It will get 2 properties',
    'Now it gets 5',
    'Price outside its range: 1',
    'In another town: 1',
    'Without the features it asks for: 1',
  ])
    expect(textOf(counted).replaceAll(/<[^>]*>/g, '')).toContain(text);
  expect(fieldsOf(counted)).toEqual(
    expect.arrayContaining([
      ['price_min', '300.000 €'],
      ['towns', 'Marbella'],
    ]),
  );

  const wrong = typed.map(([name, value]): [string, string] => [
    name,
    name === 'price_min' ? 'dear' : value,
  ]);
  expect((await send(path, wrong, owner)).status).toBe(422);
  expect(await stored()).toBeNull();

  expect((await send(path, typed, owner)).status).toBe(303);
  expect(await stored()).toEqual({
    towns: ['Marbella'],
    features: ['Sea'],
    price: { min: 300_000 },
    include: ['ADDED'],
  });
  const portal = textOf(await page('/portal?name=portal', owner));
  expect(portal).toMatch(/id="sent"[^>]*>2<.*id="left-out"[^>]*>3</s);
  expect(portal).toContain('from €300,000, in Marbella, with Sea, 1 put in by hand');
  const spanish = textOf(await page('/portal?name=portal', owner, { 'Accept-Language': 'es' }));
  expect(spanish).toContain('desde 300.000');
  const list = textOf(await page('/properties?portal=portal', owner));
  const listed = [...list.matchAll(/href="\/property\?id=(\w+)"/g)].map(([, id]) => id);
  expect(listed.toSorted()).toEqual(['ADDED', 'FITS']);
  expect(textOf(await page('/property?id=BARE', owner))).toContain(
    'Without the features it asks for',
  );

  const cleared = fieldsOf(await page(path, owner)).filter(([name]) => !names.includes(name));
  expect((await send(path, cleared, owner)).status).toBe(303);
  expect(await stored()).toBeNull();
});

test('connecting a portal: what it will get is counted at once and with rules, which are saved with it', async () => {
  const { accountId } = await createAgency(env.DB, 'NEW-RULES', []);
  await store(env.DB, accountId, [
    property('ONE', { offers: { sale: { price: 1 } } }),
    property('TWO', { town: 'Ronda', offers: { sale: { price: 1 } } }),
    property('GONE', { status: 'Withdrawn' }),
  ]);
  const owner = await signIn('NEW-RULES');
  const path = '/portals/connect?portal=thinkspain';
  const plain = (response: Awaited<ReturnType<typeof page>>) =>
    textOf(response).replaceAll(/<[^>]*>/g, ' ');
  const shown = await page(path, owner);
  expect(plain(shown)).toMatch(/It will get 2 properties\..*Withdrawn: 1/s);
  expect(plain(shown)).not.toContain('Now it gets');
  const typed: [string, string][] = [...fieldsOf(shown), ['towns', 'Ronda']];
  const counted = await send(path, [...typed, ['do', 'count']], owner);
  expect(plain(counted)).toMatch(/It will get 1 property\..*In another town: 1/s);
  expect(
    await env.DB.prepare('SELECT 1 FROM readers WHERE account_id = ?').bind(accountId).first(),
  ).toBeNull();
  const unknown = await send(path, [...typed, ['towns', 'Rondaa']], owner);
  expect([unknown.status, textOf(unknown)]).toEqual([
    422,
    expect.stringMatching(/id="towns-error">[^<]*Rondaa[^<]*but Ronda/),
  ]);
  expect((await send(path, typed, owner)).status).toBe(303);
  const { policy } = (await env.DB.prepare('SELECT policy FROM readers WHERE account_id = ?')
    .bind(accountId)
    .first<{ policy: string }>())!;
  expect(policyIn(policy).selection).toEqual({ towns: ['Ronda'] });
});
