import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createAccount } from '../../../src/operator/accounts.ts';
import { readStored } from '../../../src/properties/store/read.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { fetchFeed, fetchKyero } from '../../support/documents/feed.ts';

/** Fields that a service of an earlier version did not have. */
const NEWER = [
  'features',
  'beds',
  'bath',
  'emissions',
  'has_pool',
  'area',
  'location',
  'community_fees',
  'prime',
];

/** What feeds and the API have of the same property, whose document lacks these fields. */
async function shownWithout(code: string, fields: readonly string[]) {
  const id = await createAccount(env.DB, { code, name: code, password: 'older' });
  await store(env.DB, id, [...VOCABULARY, property('p')]);
  const paths = ['$.none', ...fields.map((field) => `$.${field}`)]
    .map((path) => `'${path}'`)
    .join(', ');
  const remove = `UPDATE properties SET document = json_remove(document, ${paths}) WHERE account_id = ?`;
  await env.DB.prepare(remove).bind(id).run();
  const login = { U: `OWNPROPERTIES@${code}`, P: 'older' };
  const feeds = [
    await fetchFeed({ ...login, FV: '3' }),
    await fetchFeed(login),
    await fetchKyero(login),
  ];
  const [stored] = (await readStored(env.DB, id, [property('p')])).values();
  return {
    feeds: feeds.map(({ xml }) => xml.replaceAll(/<(date|last_updated)>[^<]+/g, '<$1>')),
    stored: { ...stored, updated_at: null },
  };
}

test('a document that was stored before some fields existed: feeds and the API have their defaults', async () => {
  expect(await shownWithout('OLDER', NEWER)).toEqual(await shownWithout('NEWER', []));
});
