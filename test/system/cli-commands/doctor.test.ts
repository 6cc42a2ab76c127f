import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { examine } from '../../../src/cli/doctor.ts';
import { writePortfolio } from '../../../src/db/operator/portfolio/write.ts';
import type { Env } from '../../../src/env.ts';
import { parseDocument } from '../../../src/portfolio/documents.ts';
import { property, VOCABULARY } from '../../support/portfolio.ts';
import { accountId, note, open, operator, SIGNING_KEYS, useOperator } from './operator.ts';

useOperator();

describe('doctor', () => {
  interface Report {
    ok: boolean;
    findings: { check: string; ok: boolean; detail: string; remedy?: string }[];
  }

  async function findings(exit: 0 | 3): Promise<Report['findings']> {
    const { ok, findings } = await operator.json<Report>(['doctor'], '', exit);
    expect(ok).toBe(exit === 0);
    return findings.filter((finding) => !finding.ok);
  }

  beforeAll(async () => {
    const { db } = operator.server;
    await open('KEPT');
    await writePortfolio(db, await accountId('KEPT'), [...VOCABULARY, property('a')]);
    await open('UNITS');
    await writePortfolio(db, await accountId('UNITS'), [
      parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
      parseDocument({ kind: 'unit', development: 'sol', name: 'Ático 1', status: 1, price: 1 }),
    ]);
    await db.prepare('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)').run();
    for (const name of (await readdir('migrations')).filter((file) => file.endsWith('.sql'))) {
      await db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name).run();
    }
  });

  test('all is well: exit code 0', async () => {
    expect(await findings(0)).toEqual([]);
    expect((await operator.run(['doctor'])).out).toMatch(/^(ok {5}[^\n]+\n){9}$/);
  });

  test.each<[string, string, string, RegExp, string]>([
    [
      'migrations',
      "DELETE FROM d1_migrations WHERE name = '0005_snapshots.sql'",
      "INSERT INTO d1_migrations (name) VALUES ('0005_snapshots.sql')",
      /^not applied: 0005_snapshots\.sql$/,
      'npx wrangler d1 migrations apply DB --local',
    ],
    [
      'migrations',
      "INSERT INTO d1_migrations (name) VALUES ('0099_later.sql')",
      "DELETE FROM d1_migrations WHERE name = '0099_later.sql'",
      /0099_later\.sql/,
      'checkout',
    ],
    [
      'segments',
      "DELETE FROM segments WHERE account_id = (SELECT id FROM accounts WHERE code = 'KEPT')",
      "INSERT INTO segments (account_id, segment) SELECT id, 0 FROM accounts WHERE code = 'KEPT'",
      /^KEPT lacks segment 0/,
      'restore',
    ],
    [
      'features',
      // As a copy between databases might leave it, since a trigger refuses to write it.
      `DROP TRIGGER properties_features_updated;
       UPDATE properties SET features = '999' WHERE identifier = 'a'`,
      "UPDATE properties SET features = NULL WHERE identifier = 'a'",
      /^property a of KEPT has feature 999, which the account does not have/,
      'Import',
    ],
    [
      'unit names',
      "UPDATE units SET name = 'A' || char(769) || 'tico 1' WHERE name = 'Ático 1'",
      "UPDATE units SET name = 'Ático 1' WHERE name LIKE 'A%tico 1'",
      /of UNITS, sol, is not in NFC/,
      'NFC',
    ],
    [
      'snapshots',
      `INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, bytes, crc, length, records, cached_at, last_used_at)
       SELECT id, 1, 'lost', 0, 1, 10, 0, 10, 1, unixepoch(), 0 FROM accounts WHERE code = 'KEPT'`,
      "DELETE FROM snapshots WHERE parameters = 'lost'",
      /^KV lacks 1 of \d+ entries that the table lists for KEPT/,
      'snapshot drop --account KEPT',
    ],
  ])('something is wrong with %s: exit code 3, and what to do', async (check, harm, repair, detail, remedy) => {
    for (const statement of harm.split(';\n')) await operator.server.db.prepare(statement).run();
    try {
      expect(await findings(3)).toEqual([
        {
          check,
          ok: false,
          detail: expect.stringMatching(detail),
          remedy: expect.stringContaining(remedy),
        },
      ]);
    } finally {
      await operator.server.db.prepare(repair).run();
    }
  });

  test('entries that KV lists on several pages: all is well', async () => {
    const { db, snapshots } = operator.server;
    const account = await db.prepare("SELECT id FROM accounts WHERE code = 'KEPT'").first<number>('id');
    await note('paged', 1, 3);
    for (const part of [1, 2, 3]) await snapshots.put(`feed1/account${account}/part${part}/s1/paged`, 'x');
    const SNAPSHOTS = new Proxy(snapshots, {
      get: (target, name) =>
        name === 'list'
          ? (options: KVNamespaceListOptions) => target.list({ ...options, limit: 1 })
          : Reflect.get(target, name),
    });
    const found = await examine({ DB: db, SNAPSHOTS, SIGNING_KEYS } as unknown as Env, {
      migrations: join(operator.directory, 'migrations'),
      where: { remote: false, persistTo: 'the-state' },
      secrets: async () => [],
    });
    expect(found.filter(({ ok }) => !ok)).toEqual([]);
    await operator.run(['snapshot', 'drop', '--account', 'KEPT']);
  });

  test('empty parts, which have no entry in KV: all is well', async () => {
    await note('empty', 0, 3);
    expect(await findings(0)).toEqual([]);
    await operator.server.db.prepare("DELETE FROM snapshots WHERE parameters = 'empty'").run();
  });

  test.each([
    ['a store that is not bound', { SNAPSHOTS: undefined, SIGNING_KEYS }, 'bindings', 'Restore the bindings'],
    ['keys that are none', { SIGNING_KEYS: 'x' }, 'keys', 'npm run -s lindero -- key new --force'],
  ])('%s: what to do', async (_, env, check, remedy) => {
    const { db, snapshots } = operator.server;
    const found = await examine({ DB: db, SNAPSHOTS: snapshots, ...env } as unknown as Env, {
      migrations: join(operator.directory, 'migrations'),
      where: { remote: false, persistTo: 'the-state' },
      secrets: async () => [],
    });
    expect(found.find((finding) => finding.check === check)).toMatchObject({
      ok: false,
      remedy: expect.stringContaining(remedy),
    });
  });

  test('what has expired in KV, and in the table is left to the sweep: all is well', async () => {
    const { db } = operator.server;
    await db
      .prepare(
        `INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, bytes, crc, length, records, cached_at, last_used_at)
         SELECT id, 1, 'expired', 0, 1, 10, 0, 10, 1, unixepoch() - 7 * 86400, unixepoch() FROM accounts WHERE code = 'KEPT'`,
      )
      .run();
    try {
      expect(await findings(0)).toEqual([]);
      expect((await operator.run(['snapshot', 'list', '--account', 'KEPT'])).out).not.toContain('expired');
    } finally {
      await db.prepare("DELETE FROM snapshots WHERE parameters = 'expired'").run();
    }
  });

  // The platform lets neither come about by a statement, so what SQLite would say is put in its mouth.
  test.each([
    [
      'references',
      'PRAGMA foreign_key_check',
      `SELECT 'pictures' AS "table", 7 AS rowid, 'properties' AS parent UNION ALL SELECT 'pictures', 8, 'properties'`,
      'row 7 of pictures names a row that properties does not have; and 1 more',
    ],
    ['database file', 'PRAGMA quick_check', "SELECT 'row 3 missing from index'", 'row 3 missing from index'],
  ])('something is wrong with %s: what to do, here and there', async (check, pragma, says, detail) => {
    const { db, snapshots } = operator.server;
    const DB = new Proxy(db, {
      get: (target, name) =>
        name === 'prepare' ? (sql: string) => target.prepare(sql === pragma ? says : sql) : Reflect.get(target, name),
    });
    const remedies = [
      [true, 'npx wrangler d1 time-travel restore'],
      [false, 'Put a copy of the-state in its place'],
    ] as const;
    for (const [remote, remedy] of remedies) {
      const found = await examine({ DB, SNAPSHOTS: snapshots, SIGNING_KEYS } as unknown as Env, {
        migrations: join(operator.directory, 'migrations'),
        where: { remote, persistTo: 'the-state' },
        secrets: async () => ['SIGNING_KEYS'],
      });
      expect(found.filter(({ ok }) => !ok)).toEqual([
        { check, ok: false, detail, remedy: expect.stringContaining(remedy) },
      ]);
    }
  });

  test('keys that are missing on the deployed Worker: exit code 3', async () => {
    operator.wranglerPrints = '[]';
    const { findings } = await operator.json<Report>(['doctor', '--remote'], '', 3);
    expect(findings.filter(({ ok }) => !ok)).toEqual([
      { check: 'keys', ok: false, detail: 'SIGNING_KEYS is not set', remedy: 'npm run -s lindero -- key new --remote' },
    ]);
  });
});
