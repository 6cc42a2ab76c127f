import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import {
  documentKey,
  type PortfolioDocument,
  type PropertyDocument,
  parseDocument,
} from '../../../src/properties/documents.ts';
import { listStoredProperties } from '../../../src/properties/store/listed.ts';
import { readBefore } from '../../../src/properties/store/write.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { withMethods } from '../../support/worker/intercept.ts';
import { newAccount, storedIn } from './account.ts';

const db = env.DB;
describe('documents that another writer changes between reading and writing', () => {
  test('a property: its times do not go back', async () => {
    const id = await newAccount();
    await store(db, id, [property('p')]);
    const later = property('p', { town: 'Nerja', updated_at: '2024-01-01T00:00:00Z' });
    await db
      .prepare(
        'UPDATE properties SET changed_at = 1700000000, change = change + 1 WHERE account_id = ?',
      )
      .bind(id)
      .run();
    const before = await readBefore(db, id, [later]);
    await db
      .prepare(
        "UPDATE properties SET document = json_set(document, '$.beds', 5) WHERE account_id = ?",
      )
      .bind(id)
      .run();
    const { updated_at: shown } = (await storedIn(id, property('p'))) as PropertyDocument;
    await store(db, id, [later], { before });
    const after = (await storedIn(id, property('p'))) as PropertyDocument;
    expect([after.town, after.updated_at! > shown!]).toEqual(['Nerja', true]);
  });

  test.each<[string, string, (id: number, first: PropertyDocument) => Promise<unknown>]>([
    ['unit another has got', 'assigned to property first', (id, first) => store(db, id, [first])],
    [
      'unit is gone',
      'no unit A of development d',
      (id) => db.prepare('DELETE FROM units WHERE account_id = ?').bind(id).run(),
    ],
  ])('one whose %s after it was read: nothing is written', async (_, problem, change) => {
    const id = await newAccount();
    const inUnit = (identifier: string, features: string[] = []) =>
      property(identifier, { unit: { development: 'd', name: 'A' }, features });
    await store(db, id, [
      { kind: 'development', id: 'd', name: 'D' },
      parseDocument({ kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 }),
    ]);
    const late = [property('late'), inUnit('later', ['Sea', 'Golf'])];
    const before = await readBefore(db, id, late);
    await change(id, inUnit('first'));
    await expect(store(db, id, late, { before })).rejects.toThrow(problem);
    expect(await storedIn(id, property('late'))).toBeUndefined();
  });

  test('merged with what another writer has stored since it was read: its values are not overwritten', async () => {
    const id = await newAccount();
    await store(db, id, [property('p', { beds: 1, notes: 'one' })]);
    const given = property('p', { beds: 2 });
    const before = await readBefore(db, id, [given, property('new')]);
    await store(db, id, [
      property('p', { beds: 1, notes: 'two' }),
      property('new', { notes: 'two' }),
    ]);
    const attempts: unknown[] = [];
    const merge = (document: PortfolioDocument, known: ReadonlyMap<string, PortfolioDocument>) => {
      const { notes } = (known.get(documentKey(document)) ?? { notes: null }) as PropertyDocument;
      attempts.push(notes);
      return { ...(document as PropertyDocument), notes };
    };
    await store(db, id, [given, property('new')], { before, merge });
    expect(attempts).toEqual(['one', null, 'two', 'two']);
    expect(await storedIn(id, given)).toMatchObject({ beds: 2, notes: 'two' });
    expect(await storedIn(id, property('new'))).toMatchObject({ notes: 'two' });
  });

  test('a unit whose development came after it was read: it is written', async () => {
    const id = await newAccount();
    const before = await readBefore(db, id, [unitAt(1)]);
    await store(db, id, [{ kind: 'development', id: 'd', name: 'D' }]);
    await store(db, id, [unitAt(1)], { before });
    expect(await storedIn(id, unitAt(1))).toMatchObject({ price: 1 });
  });

  test('one that is deleted while a page is read: the page ends there, and the list does not', async () => {
    const id = await newAccount();
    await store(
      db,
      id,
      ['a', 'b', 'c'].map((name) => property(name)),
    );
    let statements = 0;
    const prepare = (query: string) => {
      const remove = db
        .prepare("DELETE FROM properties WHERE account_id = ? AND identifier = 'b'")
        .bind(id);
      const isSecond = ++statements === 2;
      const statement = db.prepare(query);
      return withMethods(statement, {
        bind: (...values: unknown[]) => {
          const bound = statement.bind(...values);
          const raw = async (...options: never[]) => {
            if (isSecond) await remove.run();
            return bound.raw(...options);
          };
          return withMethods(bound, { raw });
        },
      });
    };
    const page = await listStoredProperties(withMethods(db, { prepare }), id, {}, 0, 3);
    expect(page.map(({ property }) => property?.id)).toEqual(['a', 'c', undefined]);
  });

  const unitAt = (price: number) =>
    parseDocument({ kind: 'unit', development: 'd', name: 'A', status: 1, price });
  const category = (uk: string) =>
    parseDocument({ kind: 'category', code: 'Views', labels: { uk } });

  test.each<[string, PortfolioDocument, PortfolioDocument, PortfolioDocument, string]>([
    [
      'withdrawn property',
      property('p', { status: 'Withdrawn' }),
      property('p', { status: 'Withdrawn', town: 'Nerja' }),
      property('p', { status: 'Withdrawn', beds: 7 }),
      "UPDATE properties SET document = json_set(document, '$.beds', 7) WHERE account_id = ?",
    ],
    [
      'unit',
      unitAt(1),
      unitAt(2),
      unitAt(7),
      'UPDATE units SET price = 7, version = version + 1 WHERE account_id = ?',
    ],
    [
      'category',
      category('Views'),
      category('View'),
      category('Seen'),
      `UPDATE vocabulary SET document = '{"labels":{"uk":"Seen"}}' WHERE account_id = ? AND code = 'Views'`,
    ],
  ])(
    'a %s that changes after it was read: read and merged again',
    async (_, document, other, changed, change) => {
      const id = await newAccount();
      await store(db, id, [{ kind: 'development', id: 'd', name: 'D' }, document]);
      const before = await readBefore(db, id, [document]);
      await db.prepare(change).bind(id).run();
      const seen: unknown[] = [];
      const merge = (_: PortfolioDocument, known: ReadonlyMap<string, PortfolioDocument>) => {
        seen.push(known.get(documentKey(document)));
        return seen.length === 1 ? other : undefined;
      };
      await store(db, id, [document], { before, merge });
      const expected =
        document.kind === 'property' ? { ...changed, updated_at: expect.any(String) } : changed;
      expect(seen[1]).toEqual(expected);
    },
  );
});
