import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import introduction from '../../../src/openapi/introduction.md?raw';
import { parseDocument } from '../../../src/properties/documents.ts';
import { COMPASS, pointOf } from '../../../src/vocabulary/orientation.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { store } from '../../support/accounts/portfolio.ts';

const [, about = ''] = /## Units and their directions\n(.*?)\n## /s.exec(introduction) ?? [];

test('the documented table of UntStatus: what the database makes of each', async () => {
  const rows = [...about.matchAll(/^\| (\d) \| [\w ]+ \| ([\w ]+) \|$/gm)];
  expect(rows.map(([, status]) => status)).toEqual(['1', '2', '4', '8']);
  const accountId = await openAccount(env.DB, 'STATUSES');
  await store(env.DB, accountId, [
    parseDocument({ kind: 'development', id: 'D', name: 'D' }),
    ...rows.map(([, status]) =>
      parseDocument({
        kind: 'unit',
        development: 'D',
        name: status,
        status: Number(status),
        price: 1,
      }),
    ),
  ]);
  const { results } = await env.DB.prepare(
    'SELECT name, feed_status AS shown FROM units WHERE account_id = ? ORDER BY name',
  )
    .bind(accountId)
    .all<{ name: string; shown: string }>();
  // What is sold is in no feed.
  const shown = results.map((row) => [row.name, row.shown === 'Sold' ? 'not listed' : row.shown]);
  expect(shown).toEqual(rows.map(([, status, meaning]) => [status, meaning]));
});

test('the documented codes of directions: each is a point of the compass', () => {
  const codes = [...about.matchAll(/`([NESWO]{1,2})`/g)].map(([, code]) => code!);
  expect(new Set(codes.map(pointOf))).toEqual(new Set(Object.keys(COMPASS)));
  expect(codes.filter((code) => pointOf(code) !== code)).toEqual(['O', 'NO', 'SO']);
});
