import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { listStoredProperties } from '../../../src/db/portfolio/listed.ts';
import { readBefore, writePortfolio } from '../../../src/db/portfolio/write.ts';
import {
  documentKey,
  type PortfolioDocument,
  type PropertyDocument,
  parseDocument,
} from '../../../src/portfolio/documents.ts';
import { property } from '../../support/accounts/portfolio.ts';
import { withMethods } from '../../support/worker/intercept.ts';
import { newAccount, storedIn } from './account.ts';

const db = env.DB;
describe('documents that another writer changes between reading and writing', () => {
  test('a property: its times do not go back', async () => {
    const id = await newAccount();
    await writePortfolio(db, id, [property('p')]);
    await db.prepare('UPDATE properties SET sale_updated_at = 1700000000 WHERE account_id = ?').bind(id).run();
    const later = property('p', { town: 'Nerja', sale_updated_at: '2024-01-01T00:00:00Z' });
    const before = await readBefore(db, id, [later]);
    await db.prepare('UPDATE properties SET sale_price = 5 WHERE for_sale').run();
    const { sale_updated_at: shown } = (await storedIn(id, property('p'))) as PropertyDocument;
    await writePortfolio(db, id, [later], { before });
    const after = (await storedIn(id, property('p'))) as PropertyDocument;
    expect([after.town, after.sale_updated_at! > shown!]).toEqual(['Nerja', true]);
  });

  test.each<[string, string, (id: number, first: PropertyDocument) => Promise<unknown>]>([
    ['unit another has got', 'assigned to property first', (id, first) => writePortfolio(db, id, [first])],
    [
      'unit is gone',
      'no unit A of development d',
      (id) => db.prepare('DELETE FROM units WHERE account_id = ?').bind(id).run(),
    ],
    [
      'feature is gone',
      'no feature Golf',
      (id) => db.prepare("DELETE FROM features WHERE account_id = ? AND code = 'Golf'").bind(id).run(),
    ],
  ])('one whose %s after it was read: nothing is written', async (_, problem, change) => {
    const id = await newAccount();
    const inUnit = (identifier: string, features: string[] = []) =>
      property(identifier, { unit: { development: 'd', name: 'A' }, features });
    await writePortfolio(db, id, [
      { kind: 'development', id: 'd', name: 'D' },
      parseDocument({ kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 }),
    ]);
    const late = [property('late'), inUnit('later', ['Sea', 'Golf'])];
    const before = await readBefore(db, id, late);
    await change(id, inUnit('first'));
    await expect(writePortfolio(db, id, late, { before })).rejects.toThrow(problem);
    expect(await storedIn(id, property('late'))).toBeUndefined();
  });

  test('merged with what another writer has stored since it was read: its values are not overwritten', async () => {
    const id = await newAccount();
    await writePortfolio(db, id, [property('p', { beds: 1, notes: 'one' })]);
    const given = property('p', { beds: 2 });
    const before = await readBefore(db, id, [given, property('new')]);
    await writePortfolio(db, id, [property('p', { beds: 1, notes: 'two' }), property('new', { notes: 'two' })]);
    const attempts: unknown[] = [];
    const merge = (document: PortfolioDocument, known: ReadonlyMap<string, PortfolioDocument>) => {
      const { notes } = (known.get(documentKey(document)) ?? { notes: null }) as PropertyDocument;
      attempts.push(notes);
      return { ...(document as PropertyDocument), notes };
    };
    await writePortfolio(db, id, [given, property('new')], { before, merge });
    expect(attempts).toEqual(['one', null, 'two', 'two']);
    expect(await storedIn(id, given)).toMatchObject({ beds: 2, notes: 'two' });
    expect(await storedIn(id, property('new'))).toMatchObject({ notes: 'two' });
  });

  test('a unit whose development came after it was read: it is written', async () => {
    const id = await newAccount();
    const before = await readBefore(db, id, [unitAt(1)]);
    await writePortfolio(db, id, [{ kind: 'development', id: 'd', name: 'D' }]);
    await writePortfolio(db, id, [unitAt(1)], { before });
    expect(await storedIn(id, unitAt(1))).toMatchObject({ price: 1 });
  });

  test('one that is deleted while a page is read: the page ends there, and the list does not', async () => {
    const id = await newAccount();
    await writePortfolio(
      db,
      id,
      ['a', 'b', 'c'].map((name) => property(name)),
    );
    const batch = async (statements: D1PreparedStatement[]) => {
      await db.prepare("DELETE FROM properties WHERE account_id = ? AND identifier = 'b'").bind(id).run();
      return db.batch(statements);
    };
    const page = await listStoredProperties(withMethods(db, { batch }), id, {}, 0, 3);
    expect(page.map(({ property }) => property?.id)).toEqual(['a', 'c', undefined]);
  });

  test('one that the database never accepts: an error', async () => {
    const invalid = { ...property('p'), beds: -1 };
    await expect(writePortfolio(db, await newAccount(), [invalid])).rejects.toThrow('constraint failed');
  });

  const unitAt = (price: number) => parseDocument({ kind: 'unit', development: 'd', name: 'A', status: 1, price });
  const category = (uk: string) => parseDocument({ kind: 'category', code: 'Views', labels: { uk } });

  test.each<[string, PortfolioDocument, PortfolioDocument, PortfolioDocument, string]>([
    [
      'withdrawn property',
      property('p', { status: 'Withdrawn' }),
      property('p', { status: 'Withdrawn', town: 'Nerja' }),
      property('p', { status: 'Withdrawn', beds: 7 }),
      'UPDATE properties SET beds = 7, version = version + 1 WHERE account_id = ?',
    ],
    ['unit', unitAt(1), unitAt(2), unitAt(7), 'UPDATE units SET price = 7 WHERE account_id = ?'],
    [
      'category',
      category('Views'),
      category('View'),
      category('Seen'),
      `UPDATE feature_category_labels SET label = 'Seen'
        WHERE category_id = (SELECT id FROM feature_categories WHERE account_id = ? AND code = 'Views')`,
    ],
  ])('a %s that changes after it was read: read and merged again', async (_, document, other, changed, change) => {
    const id = await newAccount();
    await writePortfolio(db, id, [{ kind: 'development', id: 'd', name: 'D' }, document]);
    const before = await readBefore(db, id, [document]);
    await db.prepare(change).bind(id).run();
    const seen: unknown[] = [];
    const merge = (_: PortfolioDocument, known: ReadonlyMap<string, PortfolioDocument>) => {
      seen.push(known.get(documentKey(document)));
      return seen.length === 1 ? other : undefined;
    };
    await writePortfolio(db, id, [document], { before, merge });
    const times = { sale_updated_at: expect.anything(), rental_updated_at: expect.anything() };
    expect(seen[1]).toEqual(document.kind === 'property' ? { ...changed, ...times } : changed);
  });
});
