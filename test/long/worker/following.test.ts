import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Audience, type Position, readPropertyChanges } from '../../../src/changes/changes.ts';
import { statementsOf, type Write } from '../../../src/db/json-rows.ts';
import { readListingOrder } from '../../../src/feed/build/feed-properties.ts';
import { parseDocument } from '../../../src/properties/documents.ts';
import { mayGet, RESTRICTIONS, type ReaderKind } from '../../../src/properties/restrictions.ts';
import { noteProperties, noteUnits, selectedNow } from '../../../src/properties/selection/noted.ts';
import type { SelectionRules } from '../../../src/properties/selection/schema.ts';
import { policyText } from '../../../src/readers/policy.ts';
import { ALL_LISTED, type Listing } from '../../../src/readers/selection.ts';
import { updateUnits } from '../../../src/units/unit-updates.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { property, SOMEBODY, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { rules } from '../../support/accounts/selections.ts';
import { Random } from '../../support/random.ts';
import { isKilled, unreliable } from '../../support/worker/unreliable.ts';

const db = env.DB;

/** How many changes are made, and after how many the followers read. */
const CHANGES = 2 * env.FUZZ.cases;
const STRIDE = 7;

const PROPERTIES = 12;
const UNITS = 4;

const ofKind = (kind: ReaderKind) => ({
  ...ALL_LISTED,
  policy: { withhold: [], place: 'exact' as const, kind },
});

/** A program that follows an account, in pages of any size; some responses are lost and some are read twice. */
class Follower {
  readonly held = new Map<string, string>();
  /** The properties that have been listed in its channel, of which it may be told that they are gone. */
  readonly known = new Set<string>();
  readonly audience: Audience;
  #position: Position | null = null;
  readonly #random: Random;

  constructor(
    accountId: number,
    listing: Listing,
    channel: number | null,
    random: Random,
    reader?: number,
  ) {
    this.audience = { accountId, listing, channel, reader };
    this.#random = random;
  }

  async follow(): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      const page = (await readPropertyChanges(
        db,
        this.audience,
        this.#position,
        this.#random.between(1, 5),
      ))!;
      const numbers = page.changes.map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      for (const { id, document } of page.changes) {
        if (document === null) {
          expect([...this.known]).toContain(id);
          this.held.delete(id);
        } else {
          this.held.set(
            id,
            JSON.stringify([document.status, document.offers, document.town, document.email]),
          );
        }
      }
      hasMore = page.hasMore;
      // The answer is lost: it is requested again.
      if (this.#random.next() < 0.2) hasMore = true;
      else this.#position = page.next;
    }
  }
}

/** A reader with rules, as triggers find it: one that may have a channel. */
async function withRules(
  accountId: number,
  selection: SelectionRules,
  channel: number | null,
  random: Random,
): Promise<Follower> {
  const name = `r${random.hex(4)}`;
  const kind = random.pick([null, 'partner_agency'] as const);
  await openReader(accountId, name, '', false, channel, policyText({ kind, selection }));
  const { id } = (await db
    .prepare('SELECT id FROM readers WHERE account_id = ? AND name = ?')
    .bind(accountId, name)
    .first<{ id: number }>())!;
  const policy = { withhold: [], place: 'exact' as const, kind, selection };
  return new Follower(accountId, { ...ALL_LISTED, policy }, channel, random, id);
}

const ALL_SELECTED = selectedNow('SELECT id FROM properties WHERE account_id = ?1');

/** The identifiers of what the rules of a reader select now, whatever their restrictions. */
async function selectedBy(accountId: number, reader: number): Promise<ReadonlySet<string>> {
  const { results } = await db
    .prepare(`SELECT identifier FROM (${ALL_SELECTED}) WHERE reader_id = ?2`)
    .bind(accountId, reader)
    .all<{ identifier: string }>();
  return new Set(results.map(({ identifier }) => identifier));
}

async function sql(text: string, ...values: unknown[]): Promise<void> {
  await db
    .prepare(text)
    .bind(...values)
    .run();
}

test(`${CHANGES} random changes by every kind of writer, some killed between two statements: followers hold what their feeds show, and never learn of others`, async () => {
  const random = new Random(env.FUZZ.seed);
  const accountId = await openAccount(db, 'FOLLOWED');
  const killed = unreliable(db, random.fork(), 0.2);
  const coast = await openChannel(db, { accountId, name: 'coast' });
  const units = Array.from({ length: UNITS }, (_, n) => `A-${n}`);
  await store(db, accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
    ...units.map((name) =>
      parseDocument({ kind: 'unit', development: 'sol', name, status: 1, price: 100 }),
    ),
  ]);
  const followers = [
    new Follower(accountId, ALL_LISTED, null, random.fork()),
    new Follower(accountId, { ...ALL_LISTED, category: 'RENT' }, null, random.fork()),
    new Follower(
      accountId,
      { ...ALL_LISTED, onWebsites: true, withoutRented: true },
      null,
      random.fork(),
    ),
    new Follower(
      accountId,
      { ...ALL_LISTED, availableOnly: true, category: 'SALE' },
      coast,
      random.fork(),
    ),
    new Follower(accountId, ofKind('international_portal'), null, random.fork()),
    new Follower(accountId, ofKind('partner_agency'), coast, random.fork()),
    new Follower(accountId, ofKind('social_media'), null, random.fork()),
  ];
  const selections = [
    { price: { max: 4 } },
    { towns: ['Marbella'], price: { min: 3 }, exclude: ['P4'], include: ['P5'] },
    ...fc.sample(rules, { numRuns: 4, seed: env.FUZZ.seed }),
  ];
  for (const [index, selection] of selections.entries()) {
    const channel = index % 3 === 2 ? coast : null;
    followers.push(await withRules(accountId, selection, channel, random.fork()));
  }
  const id = () => `P${random.between(1, PROPERTIES)}`;
  const flag = () => random.next() < 0.5;
  const where = `WHERE account_id = ${accountId} AND identifier = ?1`;
  const noting = (note: Write, text: string, ...values: unknown[]) =>
    db.batch([...statementsOf(db, accountId, [note]), db.prepare(text).bind(...values)]);
  const write = (id: string, text: string, ...values: unknown[]) =>
    noting(noteProperties([id]), `${text} ${where}`, id, ...values);
  const set = (field: string, value: unknown) =>
    write(
      id(),
      `UPDATE properties SET document = json_set(document, '$.${field}', json(?2))`,
      JSON.stringify(value),
    );
  const setUnit = (name: string) =>
    noting(
      noteUnits([{ development: 'sol', name }]),
      `UPDATE units SET status = ?2, price = ?3 WHERE account_id = ${accountId} AND name = ?1`,
      name,
      random.pick([1, 2, 4, 8]),
      random.between(1, 9),
    );
  const writers: (() => Promise<unknown>)[] = [
    async () => {
      const n = random.between(1, PROPERTIES + UNITS);
      const isUnit = n > PROPERTIES && random.next() < 0.8;
      const unit = isUnit ? { development: 'sol', name: units[n - PROPERTIES - 1]! } : null;
      const sale = random.pick([null, { price: random.between(1, 9) }]);
      const long_term =
        sale === null || random.next() < 0.3 ? { rent: random.between(1, 9) } : null;
      const given = {
        unit,
        status: random.pick(['Available', 'Under Offer', 'Sold'] as const),
        offers: { sale, long_term },
        restrictions: RESTRICTIONS.filter(() => random.next() < 0.2),
      };
      await store(killed, accountId, [
        property(`P${n}`, {
          ...given,
          email: `${random.hex(2)}@x.example`,
          texts: random.next() < 0.5 ? { uk: { description: random.hex(1) } } : {},
          channels: random.pick([null, ['coast'], []]),
        }),
      ]);
    },
    () =>
      updateUnits(
        killed,
        { accountId, development: 'sol' },
        [
          {
            name: random.pick(units),
            values: {
              status: random.pick([1, 2, 4, 8]),
              price: random.between(1, 9),
              directions: '[]',
            },
          },
        ],
        SOMEBODY,
      ),
    () => set('status', random.pick(['Available', 'Sale Agreed', 'Withdrawn'])),
    () => set('rented', flag()),
    () => set('on_own_website', flag()),
    () => set('restrictions', random.pick([[], ...RESTRICTIONS.map((one) => [one])])),
    () => set('email', random.hex(4)),
    () => set('town', random.pick([random.hex(4), 'Marbella', 'Nerja'])),
    () => set('channels', random.pick([['coast'], ['coast', 'inland'], []])),
    () => write(id(), 'DELETE FROM properties'),
    () => setUnit(random.pick(units)),
  ];
  for (let change = 1; change <= CHANGES; change++) {
    await random
      .pick(writers)()
      .catch((error) => {
        if (!isKilled(error)) throw error;
      });
    const isRead = change % STRIDE === 0 || change >= CHANGES;
    const properties = await propertiesOf(accountId);
    for (const follower of followers) {
      const isOfChannel = follower.audience.channel !== null;
      const { reader } = follower.audience;
      const selected = reader === undefined ? null : await selectedBy(accountId, reader);
      for (const { identifier, isListed, channels, restrictions } of properties.values()) {
        const mayGo = mayGet(follower.audience.listing.policy?.kind ?? null, restrictions);
        const isSelected = selected?.has(identifier) ?? true;
        if (isListed && mayGo && isSelected && (!isOfChannel || channels.includes('coast')))
          follower.known.add(identifier);
      }
      const shown = await listed(follower.audience, properties);
      if (!isRead) continue;
      await follower.follow();
      expect([...follower.held.keys()].sort()).toEqual(shown.sort());
    }
  }
  const all = (await readPropertyChanges(
    db,
    { accountId, listing: ALL_LISTED, channel: null },
    null,
    500,
  ))!;
  const now = all.changes.map(({ id, document }) => [
    id,
    JSON.stringify([document!.status, document!.offers, document!.town, document!.email]),
  ]);
  expect([...followers[0]!.held].sort()).toEqual(now.sort());
});

test('properties that were never listed in the channel of a reader: it learns nothing of their changes and removals', async () => {
  const accountId = await openAccount(db, 'UNKNOWN');
  const coast = await openChannel(db, { accountId, name: 'coast' });
  const audience = { accountId, listing: ALL_LISTED, channel: coast };
  await store(db, accountId, VOCABULARY);
  const start = (await readPropertyChanges(db, audience, null, 10))!;
  for (const town of ['Nerja', 'Ronda']) {
    await store(db, accountId, [
      property('OUTSIDE', { town, channels: ['inland'] }),
      property('DRAFT', { town, channels: ['coast'], status: 'Withdrawn' }),
    ]);
    expect((await readPropertyChanges(db, audience, start.next, 10))!.changes).toEqual([]);
  }
  await sql('DELETE FROM properties WHERE account_id = ?1', accountId);
  expect((await readPropertyChanges(db, audience, start.next, 10))!.changes).toEqual([]);
});

test.each([
  ['of the account', false],
  ['of its channel', true],
])(
  'a reader %s saw a property, which is deleted; another one gets its identifier, unseen by the reader, and is deleted: it learns once that its own is gone',
  async (_, isOfChannel) => {
    const accountId = await openAccount(db, isOfChannel ? 'PASSED-1' : 'PASSED-2');
    const coast = await openChannel(db, { accountId, name: 'coast' });
    const write = (given: Parameters<typeof property>[1]) =>
      store(db, accountId, [property('P1', given)]);
    const removed = () =>
      sql("DELETE FROM properties WHERE account_id = ?1 AND identifier = 'P1'", accountId);
    await store(db, accountId, VOCABULARY);
    await write({ channels: ['coast'] });
    const audience = {
      accountId,
      listing: ofKind('partner_agency'),
      channel: isOfChannel ? coast : null,
    };
    const start = (await readPropertyChanges(db, audience, null, 10))!;
    expect(start.changes.map(({ id }) => id)).toEqual(['P1']);
    for (const step of [
      removed,
      () => write(isOfChannel ? {} : { restrictions: ['own_website_only'] }),
      removed,
    ]) {
      await step();
      const { changes } = (await readPropertyChanges(db, audience, start.next, 10))!;
      expect(changes.map(({ id, document }) => [id, document])).toEqual([['P1', null]]);
    }
  },
);

interface Found {
  readonly identifier: string;
  readonly isListed: boolean;
  readonly channels: readonly string[];
  readonly restrictions: readonly string[];
}

/** An account's properties by number. */
async function propertiesOf(accountId: number): Promise<ReadonlyMap<number, Found>> {
  const { results } = await db
    .prepare(
      'SELECT number, identifier, listed, channels, restrictions FROM properties WHERE account_id = ?1',
    )
    .bind(accountId)
    .all<{
      number: number;
      identifier: string;
      listed: 0 | 1;
      channels: string;
      restrictions: string;
    }>();
  return new Map(
    results.map(({ number, identifier, listed, channels, restrictions }) => [
      number,
      {
        identifier,
        isListed: listed === 1,
        channels: JSON.parse(channels),
        restrictions: JSON.parse(restrictions),
      },
    ]),
  );
}

/** The identifiers of a feed with the follower's selection. */
async function listed(
  { accountId, listing, channel }: Audience,
  properties: ReadonlyMap<number, Found>,
): Promise<string[]> {
  const { numbers } = await readListingOrder(db, accountId, { ...listing, languages: [] }, channel);
  return numbers.map((number) => properties.get(number)!.identifier);
}
