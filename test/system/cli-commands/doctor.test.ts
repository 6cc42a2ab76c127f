import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CREATE_LEDGER,
  pendingMigrations,
  withLedgerRow,
} from '../../../src/cli/deploy/migrations.ts';
import type { Env } from '../../../src/env.ts';
import { createClient } from '../../../src/oauth/clients.ts';
import { createAccount } from '../../../src/operator/accounts.ts';
import { setUpDatabase } from '../../../src/operator/databases.ts';
import { examine } from '../../../src/operator/doctor.ts';
import { startDatabases } from '../../support/processes/databases.ts';
import { SHARED } from '../../support/processes/operator.ts';
import { withMethods } from '../../support/worker/intercept.ts';
import { operator, SIGNING_KEYS, useOperator } from '../operator.ts';

useOperator(true);

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
    await db.prepare('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)').run();
    for (const name of (await readdir('migrations')).filter((file) => file.endsWith('.sql'))) {
      await db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name).run();
    }
  });

  test('nothing wrong: exit code 0', async () => {
    expect(await findings(0)).toEqual([]);
    expect((await operator.run(['doctor'])).out).toMatch(/^(ok {5}[^\n]+\n){10}$/);
  });

  test.each<[string, string, string, RegExp, string]>([
    [
      'migrations',
      "DELETE FROM d1_migrations WHERE name = '0005_snapshots.sql'",
      "INSERT INTO d1_migrations (name) VALUES ('0005_snapshots.sql')",
      /^not applied to DB: 0005_snapshots\.sql$/,
      'npm run setup',
    ],
    [
      'migrations',
      "INSERT INTO d1_migrations (name) VALUES ('0099_later.sql')",
      "DELETE FROM d1_migrations WHERE name = '0099_later.sql'",
      /0099_later\.sql/,
      'checkout',
    ],
  ])(
    'a problem with %s: exit code 3, and a remedy',
    async (check, harm, repair, detail, remedy) => {
      await operator.server.db.prepare(harm).run();
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
    },
  );

  test('the size of the database, and that KV responds', async () => {
    const { findings } = await operator.json<Report>(['doctor']);
    const details = Object.fromEntries(findings.map(({ check, detail }) => [check, detail]));
    expect(details.snapshots).toMatch(/^\d+ in KV$/);
    expect(details.databases).toMatch(/^DB \d+\.\d MB$/);
  });

  test.each([
    [{}, 'off'],
    [{ IMAGES: {} }, 'on'],
  ])('whether pictures get smaller versions: no problem either way', async (images, is) => {
    const { db, snapshots: SNAPSHOTS, files: FILES } = operator.server;
    const env = { DB: db, SNAPSHOTS, FILES, ...SHARED, ...images } as unknown as Env;
    const found = (await examine(env)).find(({ check }) => check === 'pictures');
    expect(found).toMatchObject({ ok: true, detail: expect.stringContaining(`binding is ${is}`) });
  });

  test.each([
    ['no key of sessions', { SIGNING_KEYS }, 'session key', 'npm run setup'],
    ['no key that encrypts secrets', { SIGNING_KEYS }, 'sealing key', 'npm run setup'],
    ['invalid keys', { SIGNING_KEYS: 'x' }, 'keys', 'npm run setup'],
  ])('%s: a remedy', async (_, env, check, remedy) => {
    const { db, snapshots } = operator.server;
    const found = await examine({
      DB: db,
      SNAPSHOTS: snapshots,
      FILES: operator.server.files,
      ...env,
    } as unknown as Env);
    expect(found.find((finding) => finding.check === check)).toMatchObject({
      ok: false,
      remedy: expect.stringContaining(remedy),
    });
  });

  // No statement can cause these, so SQLite's response is replaced.
  test.each([
    [
      'references',
      'PRAGMA foreign_key_check',
      `SELECT 'pictures' AS "table", 7 AS rowid, 'properties' AS parent UNION ALL SELECT 'pictures', 8, 'properties'`,
      'DB: row 7 of pictures references a missing row; and 1 more',
    ],
    [
      'database file',
      'PRAGMA quick_check',
      "SELECT 'row 3 missing from index'",
      'DB: row 3 missing from index',
    ],
  ])('a problem with %s: a remedy', async (check, pragma, response, detail) => {
    const { db, snapshots } = operator.server;
    const DB = withMethods(db, {
      prepare: (sql: string) => db.prepare(sql === pragma ? response : sql),
    });
    const found = await examine({
      DB,
      SNAPSHOTS: snapshots,
      FILES: operator.server.files,
      ...SHARED,
    } as unknown as Env);
    const remedy = expect.stringContaining('npx wrangler d1 time-travel restore');
    expect(found.filter(({ ok }) => !ok)).toEqual([{ check, ok: false, detail, remedy }]);
  });
});

describe('doctor with two databases', () => {
  let databases: D1Database[];
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ databases, stop } = await startDatabases(2));
    for (const db of databases) {
      for (const migration of await pendingMigrations('migrations', async () => [])) {
        await db.batch([db.prepare(CREATE_LEDGER), db.prepare(withLedgerRow(migration))]);
      }
    }
    const named = databases.map((db, index) => ({ name: NAMES[index]!, db }));
    await setUpDatabase(named[1]!, named);
    const [, second] = databases as [D1Database, D1Database];
    const accountId = await open(second, 'MOVED');
    await createClient(second, { id: 'crm', accountId, secret: 'secret', scopes: ['units:read'] });
  });
  afterAll(() => stop());

  const NAMES = ['DB', 'DB_2'];
  const open = (db: D1Database, code: string) =>
    createAccount(db, { code, name: code, password: 'generated', isGenerated: true });
  const LISTED = "INSERT INTO directory (account, database) VALUES ('MOVED', 'DB_2')";
  const CLIENT = "INSERT INTO directory_clients (client, account) VALUES ('crm', 'MOVED')";

  const LEAVING =
    "INSERT INTO moves (account_id, code, other, state) VALUES (1, 'COSTA', 'DB_2', 'leaving')";
  const BOTH = 'and in the first database';

  /** A database of which D1 says that it has a size. */
  function ofSize(db: D1Database, bytes: number): D1Database {
    const prepare = (sql: string) =>
      sql === 'SELECT 1' ? { all: async () => ({ meta: { size_after: bytes } }) } : db.prepare(sql);
    return withMethods(db, { prepare });
  }

  test.each<[string, string[], number, { ok: boolean; detail: RegExp; remedy?: RegExp }]>([
    [
      'a directory that leads to the account and its client',
      [LISTED, CLIENT],
      5.9e9,
      { ok: true, detail: /^DB 5900\.0 MB, DB_2 0\.\d MB$/ },
    ],
    [
      'a database that is 60% full',
      [LISTED, CLIENT],
      6e9,
      { ok: false, detail: /: DB will be full at 10 GB$/, remedy: /--databases 3.* account move/ },
    ],
    [
      'an account that the directory lacks',
      [],
      1e9,
      { ok: false, detail: /does not lead to MOVED in DB_2/, remedy: /restored --database DB$/ },
    ],
    [
      'a client that the directory lacks',
      [LISTED],
      1e9,
      { ok: false, detail: /does not lead to MOVED in DB_2/, remedy: /restored --database DB$/ },
    ],
    [
      'an account in both',
      [LISTED, CLIENT, BOTH],
      1e9,
      { ok: false, detail: /MOVED is in DB(_2)? and in DB/, remedy: /restored --database NAME$/ },
    ],
    [
      'a move that was interrupted',
      [LISTED, CLIENT, LEAVING],
      1e9,
      {
        ok: false,
        detail: /move of COSTA to DB_2 is not complete/,
        remedy: /account move COSTA --to DB_2,/,
      },
    ],
  ])('%s', async (_, statements, bytes, expected) => {
    const [first, second] = databases as [D1Database, D1Database];
    for (const table of ['moves', 'directory_clients', 'directory', 'accounts'])
      await first.prepare(`DELETE FROM ${table}`).run();
    for (const statement of statements) {
      if (statement === BOTH) await open(first, 'MOVED');
      else await first.prepare(statement).run();
    }
    const { snapshots } = operator.server;
    const env = {
      DB: ofSize(first, bytes),
      DB_2: second,
      SNAPSHOTS: snapshots,
      FILES: operator.server.files,
      ...SHARED,
    };
    const found = await examine(env as unknown as Env);
    const { ok, detail, remedy = '' } = found.find(({ check }) => check === 'databases')!;
    expect([ok, detail, remedy]).toEqual([
      expected.ok,
      expect.stringMatching(expected.detail),
      expect.stringMatching(expected.remedy ?? /^$/),
    ]);
  });

  test('with only the first one bound, and an account in the second: exit code 3, and how to declare it again', async () => {
    const [first] = databases as [D1Database];
    await first.prepare('DELETE FROM directory').run();
    await first.prepare(LISTED).run();
    const env = {
      DB: first,
      SNAPSHOTS: operator.server.snapshots,
      FILES: operator.server.files,
      ...SHARED,
    } as unknown as Env;
    const found = await examine(env);
    expect(found.find(({ check }) => check === 'databases')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/: DB_2 has accounts, and is not bound$/),
      remedy: expect.stringContaining('npm run deploy -- --databases 2'),
    });
  });

  test('what is wrong with the second one: each problem, with its name', async () => {
    const [DB, second] = databases as [D1Database, D1Database];
    const broken = `SELECT 'pictures' AS "table", 7 AS rowid, 'properties' AS parent`;
    const of = (sql: string) =>
      sql === 'PRAGMA foreign_key_check'
        ? broken
        : sql.replace('PRAGMA quick_check', "SELECT 'bad'");
    const DB_2 = withMethods(second, { prepare: (sql: string) => second.prepare(of(sql)) });
    const env = {
      DB,
      DB_2,
      SNAPSHOTS: operator.server.snapshots,
      FILES: operator.server.files,
      ...SHARED,
    } as unknown as Env;
    const problems = async () =>
      (await examine(env)).filter(({ ok }) => !ok).map(({ detail }) => detail);
    expect(await problems()).toEqual(
      expect.arrayContaining(['DB_2: bad', 'DB_2: row 7 of pictures references a missing row']),
    );
  });
});
