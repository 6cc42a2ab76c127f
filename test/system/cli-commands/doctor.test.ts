import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../../src/cli/command/failure.ts';
import { examine } from '../../../src/cli/operation/doctor.ts';
import { readMigrations } from '../../../src/cli/platform/database.ts';
import { createClient } from '../../../src/db/accounts/clients.ts';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { setUpDatabases } from '../../../src/db/operator/databases.ts';
import { applyMigration } from '../../../src/db/operator/migrations.ts';
import type { Env } from '../../../src/env.ts';
import { startDatabases } from '../../support/processes/databases.ts';
import { SHARED } from '../../support/processes/operator.ts';
import { withMethods } from '../../support/worker/intercept.ts';
import { operator, SIGNING_KEYS, useOperator } from '../operator.ts';

useOperator(true);

/** What is examined together with the bindings. */
const localState = () => ({
  migrations: join(operator.directory, 'migrations'),
  target: { remote: false, persistTo: 'the-state' },
  secrets: async () => [] as string[],
});

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
    expect((await operator.run(['doctor'])).out).toMatch(/^(ok {5}[^\n]+\n){9}$/);
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
  ])('a problem with %s: exit code 3, and a remedy', async (check, harm, repair, detail, remedy) => {
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
  });

  test('the size of the database, and that KV responds', async () => {
    const { findings } = await operator.json<Report>(['doctor']);
    const details = Object.fromEntries(findings.map(({ check, detail }) => [check, detail]));
    expect(details.snapshots).toMatch(/^\d+ entries in KV$/);
    expect(details.databases).toMatch(/^DB \d+\.\d MB$/);
  });

  test.each([
    ['a missing binding', { SNAPSHOTS: undefined, SIGNING_KEYS }, 'bindings', 'wrangler.toml'],
    ['no key of sessions', { SIGNING_KEYS }, 'session key', 'npm run setup'],
    ['no key that encrypts secrets', { SIGNING_KEYS }, 'sealing key', 'npm run setup'],
    ['invalid keys', { SIGNING_KEYS: 'x' }, 'keys', 'key new --force'],
  ])('%s: a remedy', async (_, env, check, remedy) => {
    const { db, snapshots } = operator.server;
    const found = await examine({ DB: db, SNAPSHOTS: snapshots, ...env } as unknown as Env, localState());
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
    ['database file', 'PRAGMA quick_check', "SELECT 'row 3 missing from index'", 'DB: row 3 missing from index'],
  ])(
    'a problem with %s: a remedy, for the local and the deployed database',
    async (check, pragma, response, detail) => {
      const { db, snapshots } = operator.server;
      const DB = withMethods(db, { prepare: (sql: string) => db.prepare(sql === pragma ? response : sql) });
      const remedies = [
        [true, 'npx wrangler d1 time-travel restore'],
        [false, 'Restore the-state'],
      ] as const;
      for (const [remote, remedy] of remedies) {
        const found = await examine({ DB, SNAPSHOTS: snapshots, ...SHARED } as unknown as Env, {
          ...localState(),
          target: { remote, persistTo: 'the-state' },
          secrets: async () => Object.keys(SHARED),
        });
        expect(found.filter(({ ok }) => !ok)).toEqual([
          { check, ok: false, detail, remedy: expect.stringContaining(remedy) },
        ]);
      }
    },
  );

  test('a local database that cannot be used: a remedy', async () => {
    const failure = new Failure('database_unusable', 'Its files are damaged.');
    const DB = { prepare: () => ({ first: () => Promise.reject(failure) }) };
    const [first] = await examine({ DB } as unknown as Env, localState());
    const remedy = expect.stringContaining('Restore the-state from a backup');
    expect(first).toEqual({ check: 'migrations', ok: false, detail: 'Its files are damaged.', remedy });
  });

  test('missing keys of the deployed Worker: exit code 3', async () => {
    operator.wranglerPrints = '[]';
    const calls = operator.wrangler.length;
    const { findings } = await operator.json<Report>(['doctor', '--remote'], '', 3);
    expect(operator.wrangler).toHaveLength(calls + 1);
    expect(findings.filter(({ ok }) => !ok)).toEqual([
      { check: 'keys', ok: false, detail: 'SIGNING_KEYS is not set', remedy: 'Run: npm run deploy' },
      { check: 'session key', ok: false, detail: 'SESSION_KEY is not set', remedy: 'Run: npm run deploy' },
      { check: 'sealing key', ok: false, detail: 'SEALING_KEY is not set', remedy: 'Run: npm run deploy' },
    ]);
  });
});

describe('doctor with two databases', () => {
  let databases: D1Database[];
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ databases, stop } = await startDatabases(2));
    for (const db of databases)
      for (const migration of await readMigrations('migrations')) await applyMigration(db, migration);
    await setUpDatabases(databases.map((db, index) => ({ name: NAMES[index]!, db })));
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

  const LEAVING = "INSERT INTO moves (account_id, code, other, state) VALUES (1, 'COSTA', 'DB_2', 'leaving')";
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
      { ok: false, detail: /: DB will be full at 10 GB$/, remedy: /--databases 3.* account move CODE --to DB_3/ },
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
      { ok: false, detail: /move of COSTA to DB_2 is not complete/, remedy: /account move COSTA --to DB_2,/ },
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
    const env = { DB: ofSize(first, bytes), DB_2: second, SNAPSHOTS: snapshots, ...SHARED };
    const found = await examine(env as unknown as Env, localState());
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
    const env = { DB: first, SNAPSHOTS: operator.server.snapshots, ...SHARED } as unknown as Env;
    const found = await examine(env, localState());
    expect(found.find(({ check }) => check === 'databases')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/: DB_2 is not bound$/),
      remedy: expect.stringContaining('npm run deploy -- --databases 2'),
    });
  });

  test('what is wrong with the second one: each problem, with its name', async () => {
    const [DB, second] = databases as [D1Database, D1Database];
    const broken = `SELECT 'pictures' AS "table", 7 AS rowid, 'properties' AS parent`;
    const of = (sql: string) =>
      sql === 'PRAGMA foreign_key_check' ? broken : sql.replace('PRAGMA quick_check', "SELECT 'bad'");
    const DB_2 = withMethods(second, { prepare: (sql: string) => second.prepare(of(sql)) });
    const env = { DB, DB_2, SNAPSHOTS: operator.server.snapshots, ...SHARED } as unknown as Env;
    const problems = async () => (await examine(env, localState())).filter(({ ok }) => !ok).map(({ detail }) => detail);
    expect(await problems()).toEqual(
      expect.arrayContaining(['DB_2: bad', 'DB_2: row 7 of pictures references a missing row']),
    );
    await second.prepare("DELETE FROM d1_migrations WHERE name = '0005_snapshots.sql'").run();
    expect(await problems()).toEqual(['not applied to DB_2: 0005_snapshots.sql']);
  });
});
