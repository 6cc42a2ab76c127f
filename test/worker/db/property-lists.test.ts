import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { base, idOf, run, storeAccount } from './revisions/fixture.ts';

const db = env.DB;

beforeEach(storeAccount);

function setFeatures(features: string): Promise<D1Result> {
  return run(`UPDATE properties SET features = '${features}' WHERE id = ${idOf('sale')}`);
}

function insertWith(column: string, value: string): Promise<D1Result> {
  return db
    .prepare(
      `INSERT INTO properties (account_id, sequence_number, identifier, reference, type_id, status, listed_at, town, province, ${column})
       VALUES (${base}, 2, 'new', 'R', ${base}, 'Available', 1, 'T', 'P', ?)`,
    )
    .bind(value)
    .run();
}

describe('the features of a property', () => {
  test.each([
    ['an id that no feature has', '999999'],
    ['the id of a feature of another account', '$other'],
    ['a feature twice', '$base,$base'],
    ['no ids', 'Sea'],
    ['an empty list', ''],
    ['an id left out', '$base,,$base'],
  ])('%s: rejected, inserted or updated', async (_, features) => {
    await run(
      `INSERT INTO accounts (id, code, name, password) VALUES (${base + 90}, 'O${base}', 'O', '$pbkdf2-sha256$i=1$s$k')`,
    );
    await run(`INSERT INTO feature_categories (id, account_id, code) VALUES (${base + 90}, ${base + 90}, 'c')`);
    await run(
      `INSERT INTO features (id, account_id, category_id, code) VALUES (${base + 90}, ${base + 90}, ${base + 90}, 'f')`,
    );
    const given = features.replaceAll('$base', `${base}`).replaceAll('$other', `${base + 90}`);
    await expect(setFeatures(given)).rejects.toThrow();
    await expect(insertWith('features', given)).rejects.toThrow();
  });

  test('200 of them: stored; 201: rejected', async () => {
    const ids = Array.from({ length: 201 }, (_, index) => base * 1_000 + index);
    await db.batch(
      ids.map((id) =>
        db.prepare(
          `INSERT INTO features (id, account_id, category_id, code) VALUES (${id}, ${base}, ${base}, 'n${id}')`,
        ),
      ),
    );
    await setFeatures(ids.slice(0, 200).join(','));
    await expect(setFeatures(ids.join(','))).rejects.toThrow();
  });

  test('a feature that a property has: not deleted, unless its account is', async () => {
    await expect(run(`DELETE FROM features WHERE id = ${base}`)).rejects.toThrow();
    await run(`DELETE FROM features WHERE id = ${base + 1}`);
    await run(`DELETE FROM accounts WHERE id = ${base}`);
    expect(await db.prepare('SELECT 1 FROM properties WHERE account_id = ?').bind(base).first()).toBeNull();
  });
});

describe('the pictures of a property', () => {
  test.each([
    ['none, as a text', ''],
    ['an empty line', 'a\n\nb'],
    ['an empty first line', '\na'],
    ['an empty last line', 'a\n'],
    ['1,001 of them', Array.from({ length: 1_001 }, (_, index) => index).join('\n')],
  ])('%s: rejected', async (_, pictures) => {
    await expect(insertWith('pictures', pictures)).rejects.toThrow('CHECK');
  });

  test('1,000 of 1,024 bytes each: stored', async () => {
    await insertWith('pictures', Array.from({ length: 1_000 }, () => 'x'.repeat(1_024)).join('\n'));
  });
});
