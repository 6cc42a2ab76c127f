import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPropertyChanges } from '../../../src/changes/changes.ts';
import { runBatch } from '../../../src/db/statements.ts';
import { parseDocument } from '../../../src/properties/documents.ts';
import { READER_KINDS } from '../../../src/properties/restrictions.ts';
import { selectedNow } from '../../../src/properties/selection/noted.ts';
import { canonicalRules } from '../../../src/properties/selection/rules.ts';
import { type SelectionRules, selectionRules } from '../../../src/properties/selection/schema.ts';
import { listProperties } from '../../../src/properties/store/listings.ts';
import { decidingIn } from '../../../src/readers/deciding.ts';
import { policyIn, policyText } from '../../../src/readers/policy.ts';
import {
  ALL_LISTED,
  type Listing,
  listedIn,
  reasonIn,
  rulesWith,
  whyNotChosen,
  whyNotListed,
} from '../../../src/readers/selection.ts';
import { updateUnits } from '../../../src/units/unit-updates.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { property, purge, SOMEBODY, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { portfolios, rules } from '../../support/accounts/selections.ts';
import { obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';
import { ask } from '../../support/worker/ask.ts';

const db = env.DB;

const rarely = fc.constantFrom(false, false, false, true);

const listings = fc.record({
  category: fc.constantFrom('All', 'SALE', 'RENT'),
  onWebsites: rarely,
  withoutRented: rarely,
  availableOnly: rarely,
  policy: fc.record({
    withhold: fc.constant([]),
    place: fc.constant('exact'),
    kind: fc.constantFrom(null, null, ...READER_KINDS),
    selection: fc.option(rules),
  }),
}) as fc.Arbitrary<Listing>;

const ALL_SELECTED = selectedNow('SELECT id FROM properties WHERE account_id = ?1');

/** What writers take for selected, for a reader with this policy, without the units that are sold. */
async function selectedIn(accountId: number, policy: string): Promise<string[]> {
  const [, found] = await db.batch<{ identifier: string }>([
    db.prepare('UPDATE readers SET policy = ?2 WHERE account_id = ?1').bind(accountId, policy),
    db
      .prepare(
        `SELECT v.identifier FROM (${ALL_SELECTED}) v JOIN properties p ON p.id = v.property_id LEFT JOIN units u ON u.id = p.unit_id
          WHERE p.account_id = ?1 AND coalesce(u.feed_status, p.status) <> 'Sold' ORDER BY p.number`,
      )
      .bind(accountId),
  ]);
  return found!.results.map(({ identifier }) => identifier);
}

interface Found {
  readonly listed: 0 | 1 | null;
  readonly reason: string | null;
}

test('any portfolio and any listing: SQL lists exactly the properties that have no reason, and states the same reasons; writers note the same', async () => {
  const seen = new Set<string>();
  const tried = fc.array(fc.tuple(listings, fc.boolean()), { minLength: 30, maxLength: 30 });
  const samples = fc.sample(fc.tuple(portfolios, tried), {
    seed: env.FUZZ.seed,
    numRuns: Math.ceil(env.FUZZ.cases / 10),
  });
  for (const [index, [documents, tried]] of samples.entries()) {
    const accountId = await openAccount(db, `SELECTS${index}`);
    const coast = await openChannel(db, { accountId, name: 'coast' });
    await openChannel(db, { accountId, name: 'inland' });
    await openReader(accountId, 'reader');
    await store(db, accountId, documents);
    const filter = { order: 'added', forRules: true } as const;
    const rows = await listProperties(db, accountId, filter);
    const whyNot = (listing: Listing, channel: string | null) =>
      rows.map((row) => whyNotListed(decidingIn(row), listing, channel));
    const results = await runBatch<Found[]>(
      db,
      tried.map(([listing, isOfChannel]) => {
        const channel = isOfChannel ? coast : null;
        return sql`
          SELECT ${listedIn(listing, channel)} AS listed, ${reasonIn(listing, channel)} AS reason
            FROM properties p LEFT JOIN units u ON u.id = p.unit_id
           WHERE p.account_id = ${accountId} ORDER BY p.number`;
      }),
    );
    for (const [place, [listing, isOfChannel]] of tried.entries()) {
      const reasons = whyNot(listing, isOfChannel ? 'coast' : null);
      for (const reason of reasons) if (reason !== null) seen.add(reason);
      const found = results[place]!;
      expect([listing, found.map(({ reason }) => reason)]).toEqual([listing, reasons]);
      expect(found.map(({ listed }) => listed === 1)).toEqual(reasons.map((one) => one === null));
      const { selection = null } = listing.policy!;
      if (selection === null || canonicalRules(selection) === null) continue;
      const policy = policyText({ selection });
      const ofRules = whyNot({ ...ALL_LISTED, policy: policyIn(policy) }, null);
      const expected = rows.filter((_, at) => ofRules[at] === null);
      expect([selection, await selectedIn(accountId, policy)]).toEqual([
        selection,
        expected.map(({ identifier }) => identifier),
      ]);
    }
  }
  expect([...seen].toSorted()).toEqual([
    'few photographs',
    'no offer',
    'not available',
    'not in channel',
    'not on websites',
    'other price',
    'other town',
    'other type',
    'rented',
    'restricted',
    'sold',
    'taken out',
    'withdrawn',
    'without features',
  ]);
});

test('any rules: stored in one form for all that select the same, and read back', () => {
  fc.assert(
    fc.property(rules, (given) => {
      const text = policyText({ withhold: ['email'], since: 7, selection: given });
      expect(policyIn(text).selection ?? null).toEqual(canonicalRules(given));
      const reversed = Object.fromEntries(
        Object.entries(given)
          .map(([part, value]) => [
            part,
            Array.isArray(value) ? value.toReversed().concat(value) : value,
          ])
          .toReversed(),
      ) as SelectionRules;
      expect(policyText({ withhold: ['email'], since: 7, selection: reversed })).toBe(text);
      expect(selectionRules.safeParse(canonicalRules(given) ?? {}).success).toBe(true);
    }),
  );
});

test('a property leaves a selection by its price, is deleted, and its identifier is given to another: its follower learns it, and nothing of properties that were never selected', async () => {
  const accountId = await openAccount(db, 'SELECTED-FOLLOWED');
  const selection = { price: { max: 100 } };
  await openReader(accountId, 'cheap', '', false, null, policyText({ selection }));
  const { id: reader } = (await db
    .prepare("SELECT id FROM readers WHERE account_id = ? AND name = 'cheap'")
    .bind(accountId)
    .first<{ id: number }>())!;
  const audience = {
    accountId,
    listing: { ...ALL_LISTED, policy: policyIn(policyText({ selection })) },
    channel: null,
    reader,
  };
  const write = (id: string, price: number, email = 'a@x.example') =>
    store(db, accountId, [property(id, { offers: { sale: { price } }, email })]);
  await store(db, accountId, VOCABULARY);
  await write('IN', 90);
  await write('OUT', 900);
  await store(db, accountId, [
    parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
    parseDocument({ kind: 'unit', development: 'sol', name: 'A', status: 1, price: 80 }),
    property('UNIT', { unit: { development: 'sol', name: 'A' } }),
  ]);
  const start = (await readPropertyChanges(db, audience, null, 10))!;
  const changes = async () => {
    const page = (await readPropertyChanges(db, audience, start.next, 10))!;
    return page.changes.map(({ id, document }) => [id, document?.offers.sale?.price ?? null]);
  };
  expect(start.changes.map(({ id }) => id)).toEqual(['IN', 'UNIT']);
  const priced = (price: number) => {
    const update = { name: 'A', values: { status: 1, price, directions: '[]' } } as const;
    return updateUnits(db, { accountId, development: 'sol' }, [update], SOMEBODY);
  };
  await priced(300);
  expect(await changes()).toEqual([['UNIT', null]]);
  await priced(70);
  expect(await changes()).toEqual([['UNIT', 70]]);
  await purge(db, accountId, ['UNIT']);
  const gone = ['UNIT', null];
  expect(await changes()).toEqual([gone]);
  await write('OUT', 800);
  expect(await changes()).toEqual([gone]);
  await write('IN', 95);
  expect(await changes()).toEqual([gone, ['IN', 95]]);
  await write('IN', 101);
  expect(await changes()).toEqual([gone, ['IN', null]]);
  await purge(db, accountId, ['IN', 'OUT']);
  expect(await changes()).toEqual([gone, ['IN', null]]);
  await write('IN', 500);
  await write('OUT', 500);
  expect(await changes()).toEqual([gone, ['IN', null]]);
  await write('OUT', 50);
  expect(await changes()).toEqual([gone, ['IN', null], ['OUT', 50]]);
});

test('PATCH /v1/readers/<name> with rules: feeds of every format have what they select, with the offers that they select, dated by the change; /v1/changes is a 410', async () => {
  const agency = await openAgency('SELECTED-FEEDS', ['A-1'], ['readers:write']);
  const { accountId } = agency;
  const both = { sale: { price: 300_000 }, long_term: { rent: 1_717 } };
  await store(db, accountId, [
    ...VOCABULARY,
    property('IN', { offers: both, listed_at: '2026-01-02T03:04:05Z' }),
    property('OUT', { offers: { sale: { price: 300_001 } } }),
  ]);
  await db.exec(`UPDATE properties SET changed_at = 1 WHERE account_id = ${accountId}`);
  const key = await openReader(accountId, 'portal', 'FV=3');
  const login = `U=OWNPROPERTIES@SELECTED-FEEDS&P=${key}`;
  const feed = async (path: string) => (await ask(`${path}?${login}`)).text;
  const paths = ['/CreateXMLFeedV3.asp', '/kyero.xml', '/CreateXMLFeedV3.asp'];
  const before = await Promise.all(paths.map(feed));
  expect(before.every((text) => text.includes('R-OUT') && /1717|1970/.test(text))).toBe(true);
  const Authorization = `Basic ${btoa(`OWNPROPERTIES@SELECTED-FEEDS:${key}`)}`;
  const changes = (query = '') => call('GET', `/v1/changes${query}`, undefined, { Authorization });
  const first = (await changes()).body as { next: string };
  const selection = { offers: ['sale'], price: { max: 300_000 }, exclude: ['P1'] };
  const token = await obtainToken(agency);
  const patched = await call('PATCH', '/v1/readers/portal', { selection }, withToken(token));
  expect(patched.body).toMatchObject({ selection });
  for (const query of ['', '&DisplayListingDate=TRUE', '&FV=2']) {
    const { text } = await ask(`/CreateXMLFeedV3.asp?${login}${query}`);
    expect([query, text.match(/R-\w+/g)]).toEqual([query, ['R-IN']]);
    expect(text).not.toMatch(/1717|<last_updated>1970/);
  }
  expect(await feed('/kyero.xml')).not.toMatch(/R-OUT|1717|<date>1970/);
  expect((await changes(`?after=${first.next}`)).status).toBe(410);
  const { body } = await changes();
  expect(body).toMatchObject({
    changes: [{ id: 'IN', property: { offers: { long_term: null } } }],
  });
});

test('PATCH and POST of rules with names that the account does not have: 422 that states the most similar ones, and nothing is stored; those that were there stay', async () => {
  const agency = await openAgency('KNOWN-NAMES', [], ['readers:write', 'readers:read']);
  const { accountId } = agency;
  await store(db, accountId, [...VOCABULARY, property('ONE', { town: 'Vélez-Málaga' })]);
  await openReader(accountId, 'portal', '', false, null, 'selection={"towns":["Atlantis"]}');
  const headers = withToken(await obtainToken(agency));
  const patch = (selection: object) => call('PATCH', '/v1/readers/portal', { selection }, headers);
  const refused = await patch({
    types: ['vila'],
    features: ['Seas', 'Golf'],
    towns: ['Velez Malaga'],
  });
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toMatchObject([
    {
      pointer: '/selection/types',
      code: 'not_in_account_but',
      parameters: { value: 'vila', similar: ['villa'] },
    },
    {
      pointer: '/selection/features',
      code: 'not_in_account_but',
      parameters: { similar: ['Sea'] },
    },
    {
      pointer: '/selection/towns',
      code: 'not_in_account_but',
      parameters: { similar: ['Vélez-Málaga'] },
    },
  ]);
  const created = await call(
    'POST',
    '/v1/readers',
    { name: 'new', selection: { towns: ['Nowhere'] } },
    headers,
  );
  expect([created.status, created.body.errors]).toMatchObject([
    422,
    [{ pointer: '/selection/towns', code: 'not_in_account', parameters: { value: 'Nowhere' } }],
  ]);
  const kept = await patch({ towns: ['Vélez-Málaga', 'Atlantis'], types: ['castle'] });
  expect(kept.body.selection.towns).toEqual(['Atlantis', 'Vélez-Málaga']);
});

test('any properties put into any listing or taken out: exactly those are in it or not, and the others as before', () => {
  const someOf = fc.array(fc.nat(11), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(portfolios, listings, someOf, fc.boolean(), (documents, listing, which, isIn) => {
      const all = documents.flatMap((one) =>
        one.kind === 'property'
          ? [
              {
                ...one,
                photographs: one.pictures.filter((entry) => typeof entry === 'string').length,
              },
            ]
          : [],
      );
      const before = { ...listing, policy: policyIn(policyText(listing.policy!)) };
      const moved = all.filter((_, index) => which.includes(index));
      const policy = { ...before.policy, selection: rulesWith(moved, before, isIn) };
      for (const one of all) {
        const [was, is] = [before, { ...before, policy }].map(
          (rules) => whyNotChosen(one, rules, null) === null,
        );
        expect(is).toBe(moved.includes(one) ? isIn : was);
      }
    }),
    { seed: env.FUZZ.seed, numRuns: env.FUZZ.cases },
  );
});
