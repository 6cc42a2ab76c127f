import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readListingOrder, type Selection } from '../../../src/db/feed/feed-properties.ts';
import { ALL_STATES, type Position, readPropertyChanges, statesOf } from '../../../src/db/news/changes.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { updateUnits } from '../../../src/db/units/unit-updates.ts';
import { parseDocument } from '../../../src/portfolio/documents.ts';
import { RESTRICTIONS, type ReaderKind } from '../../../src/portfolio/restrictions.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { property, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { openChannel } from '../../support/accounts/readers.ts';
import { Random } from '../../support/random.ts';
import { isKilled, unreliable } from '../../support/worker/unreliable.ts';

const db = env.DB;

/** How many changes are made, and after how many the followers read. */
const CHANGES = 2 * env.FUZZ.cases;
const STRIDE = 7;

const PROPERTIES = 12;
const UNITS = 4;

const EVERYTHING: Omit<Selection, 'languages'> = {
  category: 'All',
  onWebsites: false,
  withoutRented: false,
  availableOnly: false,
};

const ofKind = (kind: ReaderKind) => ({ ...EVERYTHING, policy: { withhold: [], place: 'exact' as const, kind } });

/** A program that follows an account, in pages of any size; some responses are lost and some are read twice. */
class Follower {
  readonly held = new Map<string, string>();
  readonly everSeen = new Set<string>();
  #position: Position | null = null;
  readonly #audience: Parameters<typeof readPropertyChanges>[1];
  readonly selection: Omit<Selection, 'languages'>;
  readonly #random: Random;

  constructor(accountId: number, selection: Omit<Selection, 'languages'>, channel: number | null, random: Random) {
    this.#audience = { accountId, states: statesOf(selection), channel, kind: selection.policy?.kind ?? null };
    this.selection = selection;
    this.#random = random;
  }

  get channel(): number | null {
    return this.#audience.channel;
  }

  async follow(): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      const page = (await readPropertyChanges(db, this.#audience, this.#position, this.#random.between(1, 5)))!;
      const numbers = page.changes.map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      for (const { id, document } of page.changes) {
        if (document === null) {
          expect([...this.everSeen]).toContain(id);
          this.held.delete(id);
        } else {
          this.held.set(id, JSON.stringify([document.status, document.offers, document.town, document.email]));
        }
      }
      hasMore = page.hasMore;
      // The answer is lost: it is requested again.
      if (this.#random.next() < 0.2) hasMore = true;
      else this.#position = page.next;
    }
  }
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
  await writePortfolio(db, accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
    ...units.map((name) => parseDocument({ kind: 'unit', development: 'sol', name, status: 1, price: 100 })),
  ]);
  const followers = [
    new Follower(accountId, EVERYTHING, null, random.fork()),
    new Follower(accountId, { ...EVERYTHING, category: 'RENT' }, null, random.fork()),
    new Follower(accountId, { ...EVERYTHING, onWebsites: true, withoutRented: true }, null, random.fork()),
    new Follower(accountId, { ...EVERYTHING, availableOnly: true, category: 'SALE' }, coast, random.fork()),
    new Follower(accountId, ofKind('international_portal'), null, random.fork()),
    new Follower(accountId, ofKind('partner_agency'), coast, random.fork()),
    new Follower(accountId, ofKind('social_media'), null, random.fork()),
  ];
  const id = () => `P${random.between(1, PROPERTIES)}`;
  const flag = () => random.between(0, 1);
  const where = `WHERE account_id = ${accountId} AND identifier = ?1`;
  const writers: (() => Promise<unknown>)[] = [
    async () => {
      const n = random.between(1, PROPERTIES + UNITS);
      const isUnit = n > PROPERTIES && random.next() < 0.8;
      const unit = isUnit ? { development: 'sol', name: units[n - PROPERTIES - 1]! } : null;
      const sale = random.pick([null, { price: random.between(1, 9) }]);
      const long_term = sale === null || random.next() < 0.3 ? { rent: random.between(1, 9) } : null;
      const given = {
        unit,
        status: random.pick(['Available', 'Under Offer', 'Sold'] as const),
        offers: { sale, long_term },
        restrictions: RESTRICTIONS.filter(() => random.next() < 0.2),
      };
      await writePortfolio(killed, accountId, [
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
            values: { status: random.pick([1, 2, 4, 8]), price: random.between(1, 9), directions: '[]' },
          },
        ],
        'client',
      ),
    () =>
      sql(`UPDATE properties SET status = ?2 ${where}`, id(), random.pick(['Available', 'Sale Agreed', 'Withdrawn'])),
    () => sql(`UPDATE properties SET rented = ?2 ${where}`, id(), flag()),
    () => sql(`UPDATE properties SET on_own_website = ?2 ${where}`, id(), flag()),
    () => sql(`UPDATE properties SET restrictions = ?2 ${where}`, id(), random.pick([null, ...RESTRICTIONS])),
    () => sql(`UPDATE properties SET email = ?2 ${where}`, id(), random.hex(4)),
    () => sql(`UPDATE properties SET town = ?2 ${where}`, id(), random.hex(4)),
    () => sql(`DELETE FROM properties ${where}`, id()),
    () => sql(`UPDATE OR IGNORE properties SET identifier = identifier || 'X' ${where}`, id()),
    () =>
      sql(
        `UPDATE units SET status = ?2, price = ?3 WHERE account_id = ${accountId} AND name = ?1`,
        random.pick(units),
        random.pick([1, 2, 4, 8]),
        random.between(1, 9),
      ),
    () =>
      sql(
        `INSERT OR IGNORE INTO property_channels (account_id, sequence_number, channel_id)
         SELECT account_id, sequence_number, ${coast} FROM properties ${where}`,
        id(),
      ),
    () =>
      sql(
        `DELETE FROM property_channels WHERE channel_id = ${coast} AND sequence_number = (SELECT sequence_number FROM properties ${where})`,
        id(),
      ),
  ];
  for (let change = 1; change <= CHANGES; change++) {
    await random
      .pick(writers)()
      .catch((error) => {
        if (!isKilled(error)) throw error;
      });
    const isRead = change % STRIDE === 0 || change >= CHANGES;
    const identifiers = await identifiersOf(accountId);
    for (const follower of followers) {
      const shown = await listed(accountId, follower, identifiers);
      for (const identifier of shown) follower.everSeen.add(identifier);
      if (!isRead) continue;
      await follower.follow();
      expect([...follower.held.keys()].sort()).toEqual(shown.sort());
    }
  }
  const all = (await readPropertyChanges(db, { accountId, states: ALL_STATES, channel: null, kind: null }, null, 500))!;
  const now = all.changes.map(({ id, document }) => [
    id,
    JSON.stringify([document!.status, document!.offers, document!.town, document!.email]),
  ]);
  expect([...followers[0]!.held].sort()).toEqual(now.sort());
});

test('writes that pass through what a reader sees, before and after which it sees nothing: it learns of no removal', async () => {
  const accountId = await openAccount(db, 'PASSING');
  const coast = await openChannel(db, { accountId, name: 'coast' });
  const unit = { development: 'sol', name: 'A-1' };
  const write = (id: string, given: Parameters<typeof property>[1]) =>
    writePortfolio(db, accountId, [property(id, given)]);
  await writePortfolio(db, accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
    parseDocument({ kind: 'unit', ...unit, status: 4, price: 100 }),
  ]);
  await write('ENTERS', { status: 'Available', channels: [] });
  await write('LEAVES', { status: 'Under Offer', channels: ['coast'] });
  await write('RELEASED', { status: 'Available', channels: ['coast'], unit });
  const audience = { accountId, states: statesOf({ ...EVERYTHING, availableOnly: true }), channel: coast, kind: null };
  const start = (await readPropertyChanges(db, audience, null, 10))!;
  expect(start.changes).toEqual([]);
  await write('ENTERS', { status: 'Under Offer', channels: ['coast'] });
  await write('LEAVES', { status: 'Available', channels: [] });
  await write('RELEASED', { status: 'Under Offer', channels: ['coast'], unit: null });
  expect((await readPropertyChanges(db, audience, start.next, 10))!.changes).toEqual([]);
});

test.each([
  ['of the account', false],
  ['of its channel', true],
])(
  'a reader %s saw a property; another one gets its identifier, unseen by the reader, and is deleted: it learns that its own is gone',
  async (_, isOfChannel) => {
    const accountId = await openAccount(db, isOfChannel ? 'PASSED-1' : 'PASSED-2');
    const coast = await openChannel(db, { accountId, name: 'coast' });
    const write = (given: Parameters<typeof property>[1]) => writePortfolio(db, accountId, [property('P1', given)]);
    await writePortfolio(db, accountId, VOCABULARY);
    await write({ channels: ['coast'] });
    const audience = {
      accountId,
      states: ALL_STATES,
      channel: isOfChannel ? coast : null,
      kind: 'partner_agency' as const,
    };
    const start = (await readPropertyChanges(db, audience, null, 10))!;
    expect(start.changes.map(({ id }) => id)).toEqual(['P1']);
    await sql("UPDATE properties SET identifier = 'P2' WHERE account_id = ?1", accountId);
    await write(isOfChannel ? {} : { restrictions: ['own_website_only'] });
    await sql("DELETE FROM properties WHERE account_id = ?1 AND identifier = 'P1'", accountId);
    const { changes } = (await readPropertyChanges(db, audience, start.next, 10))!;
    expect(changes.map(({ id, document }) => [id, document !== null])).toEqual([
      ['P2', true],
      ['P1', false],
    ]);
  },
);

/** The identifiers of an account's properties, by number. */
async function identifiersOf(accountId: number): Promise<ReadonlyMap<number, string>> {
  const { results } = await db
    .prepare('SELECT identifier, sequence_number AS number FROM properties WHERE account_id = ?1')
    .bind(accountId)
    .all<{ identifier: string; number: number }>();
  return new Map(results.map(({ identifier, number }) => [number, identifier]));
}

/** The identifiers of a feed with the follower's selection. */
async function listed(
  accountId: number,
  { selection, channel }: Follower,
  identifiers: ReadonlyMap<number, string>,
): Promise<string[]> {
  const { numbers } = await readListingOrder(db, accountId, { ...selection, languages: [] }, channel);
  return numbers.map((number) => identifiers.get(number)!);
}
