import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examine } from '../../src/cli/doctor.ts';
import { writePortfolio } from '../../src/db/portfolio.ts';
import { updateUnit } from '../../src/db/units.ts';
import type { Env } from '../../src/env.ts';
import { newSigningKey } from '../../src/oauth/keys.ts';
import { parseDocument } from '../../src/portfolio/documents.ts';
import { type Operator, startOperator } from '../support/operator.ts';
import { property, VOCABULARY } from '../support/portfolio.ts';
import { findErrors, findFeedErrors } from '../support/validator.ts';

let operator: Operator;
let SIGNING_KEYS: string;

beforeAll(async () => {
  SIGNING_KEYS = JSON.stringify({ keys: [await newSigningKey()] });
  operator = await startOperator({ SIGNING_KEYS });
});

afterAll(() => operator.stop());

async function open(code: string): Promise<string> {
  const { password } = await operator.json<{ password: string }>(['account', 'create', code]);
  return password;
}

async function accountId(code: string): Promise<number> {
  return (await operator.server.db.prepare('SELECT id FROM accounts WHERE code = ?').bind(code).first<number>('id'))!;
}

/** Notes snapshots of the account KEPT that KV has not. */
async function note(parameters: string, bytes: number, times: number): Promise<void> {
  await operator.server.db
    .prepare(
      `INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, bytes, crc, length, kept_at, used_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
       SELECT a.id, 1, ?1, i, 1, ?2, 0, ?2, unixepoch(), unixepoch() FROM n JOIN accounts a ON a.code = 'KEPT'`,
    )
    .bind(parameters, bytes, times)
    .run();
}

function feedStatus(code: string, password: string): Promise<number> {
  const url = new URL(`/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=${password}`, operator.server.url);
  return fetch(url).then(async (answer) => {
    const document = await answer.text();
    expect(answer.status === 200 ? findFeedErrors(document) : findErrors(document, 'error.xsd')).toEqual([]);
    return answer.status;
  });
}

/** Longer than an isolate takes what it knows of an account for true. */
const aMoment = () => new Promise((done) => setTimeout(done, 1_100));

async function tokenStatus(id: string, secret: string): Promise<number> {
  const answer = await fetch(new URL('/oauth/token', operator.server.url), {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe('account', () => {
  test('create: the feed is served with the password that is shown', async () => {
    const { exit, out } = await operator.run(['account', 'create', 'first', '--name', 'First & Co']);
    const [, password] = /not shown again: (\S+)\n$/.exec(out) ?? [];
    expect(exit).toBe(0);
    expect(await feedStatus('FIRST', password!)).toBe(200);
    expect(await feedStatus('FIRST', 'other')).toBe(401);
  });

  test('create --password-stdin: takes the first line, and does not show it', async () => {
    const { exit, out } = await operator.run(['account', 'create', 'own', '--password-stdin'], 'sécret\r\nmore');
    expect([exit, out]).toEqual([0, 'Opened OWN.\n']);
    expect(await feedStatus('OWN', encodeURIComponent('sécret'))).toBe(200);
  });

  test.each([
    ['a code in use', ['first'], '', 1, 'There is an account FIRST already.'],
    ['a code with a space', ['a b'], '', 2, 'a b is no code'],
    ['a code that is too long', ['x'.repeat(41)], '', 2, 'is no code'],
    ['an empty name', ['x', '--name', ''], '', 2, 'The name must have'],
    ['a name that is too long', ['x', '--name', 'x'.repeat(201)], '', 2, 'The name must have'],
    ['no password on the standard input', ['x', '--password-stdin'], '\nnext line', 2, 'has no password'],
    ['a blank password', ['x', '--password-stdin'], '  \n', 2, 'has no password'],
    ['a control character in the password', ['x', '--password-stdin'], 'a\0\n', 2, 'has a control character'],
    ['no code', [], '', 2, 'Not enough non-option arguments'],
    ['an option that it does not have', ['x', '--nam', 'x'], '', 2, 'Unknown argument: nam'],
  ])('create with %s: fails', async (_, args, input, exit, message) => {
    const ran = await operator.run(['account', 'create', ...args], input);
    expect(ran.err).toContain(message);
    expect([ran.exit, ran.out]).toEqual([exit, '']);
    expect(await operator.server.db.prepare("SELECT 1 FROM accounts WHERE code = 'X'").first()).toBeNull();
  });

  test('password: the one before is refused within a second', async () => {
    const before = await open('PASSES');
    expect(await feedStatus('PASSES', before)).toBe(200);
    const { password } = await operator.json<{ password: string }>(['account', 'password', 'passes']);
    await aMoment();
    expect(await feedStatus('PASSES', before)).toBe(401);
    expect(await feedStatus('PASSES', password)).toBe(200);
  });

  test('disable and enable: the feed is refused within a second, and served again', async () => {
    const password = await open('SHUT');
    expect((await operator.run(['account', 'disable', 'shut'])).out).toBe('SHUT is disabled.\n');
    expect(await feedStatus('SHUT', password)).toBe(401);
    expect((await operator.run(['account', 'enable', 'shut'])).exit).toBe(0);
    await aMoment();
    expect(await feedStatus('SHUT', password)).toBe(200);
  });

  test('list: every account with what it has', async () => {
    await open('LISTED');
    const id = await accountId('LISTED');
    await writePortfolio(operator.server.db, id, [
      ...VOCABULARY,
      property('a'),
      property('b', { status: 'Withdrawn' }),
    ]);
    await operator.run(['account', 'disable', 'listed']);
    const { accounts } = await operator.json<{ accounts: object[] }>(['account', 'list']);
    expect(accounts).toContainEqual({
      id,
      code: 'LISTED',
      name: 'LISTED',
      disabled: true,
      on_market: 1,
      properties: 2,
    });
    expect((await operator.run(['account', 'list'])).out).toMatch(/^LISTED +LISTED +1 +2 +disabled$/m);
  });

  test.each(['password', 'disable', 'enable'])('%s of an account that is not there: exit code 1', async (verb) => {
    const { exit, err } = await operator.run(['account', verb, 'nobody', '--json']);
    expect(JSON.parse(err).error).toEqual({
      code: 'no_account',
      message: 'There is no account NOBODY. See: account list',
    });
    expect(exit).toBe(1);
  });

  test('a deployed account that is not there: exit code 1, and where to look', async () => {
    const { exit, err } = await operator.run(['snapshot', 'list', '--account', 'nobody', '--remote']);
    expect([exit, err]).toEqual([1, 'There is no account NOBODY. See: account list --remote\n']);
  });
});

describe('client', () => {
  beforeAll(async () => {
    await open('CLIENTS');
    await open('OTHERS');
  });

  interface Made {
    client_id: string;
    client_secret: string;
    scopes: string[];
  }

  test('create: its secret obtains a token', async () => {
    const made = await operator.json<Made>(['client', 'create', '--account', 'clients']);
    expect(made.scopes).toEqual(['units:write', 'units:read']);
    expect(await tokenStatus(made.client_id, made.client_secret)).toBe(200);
    const stored = await operator.server.db
      .prepare('SELECT secret FROM clients WHERE id = ?')
      .bind(made.client_id)
      .first<string>('secret');
    expect(stored).not.toContain(made.client_secret);
  });

  test('rotate: the secret before is refused', async () => {
    const before = await operator.json<Made>(['client', 'create', '--account', 'clients', '--id', 'turns']);
    const after = await operator.json<Made>(['client', 'rotate', 'turns', '--account', 'clients']);
    expect(await tokenStatus('turns', before.client_secret)).toBe(401);
    expect(await tokenStatus('turns', after.client_secret)).toBe(200);
  });

  test('disable and enable: no token, and a token again', async () => {
    const made = await operator.json<Made>(['client', 'create', '--account', 'clients', '--id', 'shut']);
    await operator.run(['client', 'disable', 'shut', '--account', 'clients']);
    expect(await tokenStatus('shut', made.client_secret)).toBe(401);
    await operator.run(['client', 'enable', 'shut', '--account', 'clients']);
    expect(await tokenStatus('shut', made.client_secret)).toBe(200);
  });

  test('list: the clients of that account alone', async () => {
    await operator.run(['client', 'create', '--account', 'others', '--id', 'reader', '--scope', 'units:read']);
    const { clients } = await operator.json<{ clients: object[] }>(['client', 'list', '--account', 'others']);
    expect(clients).toEqual([
      { client_id: 'reader', scopes: ['units:read'], disabled: false, created_at: expect.stringMatching(/^20.*Z$/) },
    ]);
    expect((await operator.run(['client', 'list', '--account', 'others'])).out).toMatch(
      /^reader +units:read +.*enabled$/m,
    );
  });

  test.each([
    [
      'create with an identifier in use',
      ['create', '--account', 'others', '--id', 'turns'],
      1,
      'There is a client turns',
    ],
    ['create with a colon', ['create', '--account', 'others', '--id', 'a:b'], 2, 'no colon'],
    ['create with an unknown scope', ['create', '--account', 'others', '--scope', 'all'], 2, 'Invalid values'],
    ['create without an account', ['create'], 2, 'Missing required argument: account'],
    ['create for an account that is not there', ['create', '--account', 'nobody'], 1, 'no account NOBODY'],
    ["rotate of another account's", ['rotate', 'turns', '--account', 'others'], 1, 'OTHERS has no client turns'],
    ["disable of another account's", ['disable', 'turns', '--account', 'others'], 1, 'OTHERS has no client turns'],
  ])('%s: fails', async (_, args, exit, message) => {
    const ran = await operator.run(['client', ...args]);
    expect(ran.err).toContain(message);
    expect([ran.exit, ran.out]).toEqual([exit, '']);
  });
});

describe('unit history', () => {
  test('shows the changes, newest first, and who made them', async () => {
    await open('UNITS');
    const id = await accountId('UNITS');
    const { db } = operator.server;
    await writePortfolio(db, id, [
      parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
      parseDocument({ kind: 'unit', development: 'sol', name: 'Ático 1', status: 1, price: 100 }),
    ]);
    const address = { accountId: id, development: 'sol', name: 'Ático 1' };
    await updateUnit(db, address, { status: 2, price: 100, directions: '[]' }, 'crm', undefined);
    await updateUnit(db, address, { status: 2, price: 90.5, directions: '["N"]' }, 'web', undefined);
    const args = ['unit', 'history', 'sol', 'A\u0301tico 1', '--account', 'units'];
    const { changes } = await operator.json<{ changes: object[] }>(args);
    expect(changes).toEqual([
      {
        changed_at: expect.stringMatching(/^20.*Z$/),
        client_id: 'web',
        from: { status: 2, price: 100, directions: [] },
        to: { status: 2, price: 90.5, directions: ['N'] },
      },
      {
        changed_at: expect.stringMatching(/^20.*Z$/),
        client_id: 'crm',
        from: { status: 1, price: 100, directions: [] },
        to: { status: 2, price: 100, directions: [] },
      },
    ]);
    expect((await operator.run([...args, '--limit', '1'])).out).toMatch(
      /web +2 +100 -> 90.5 +\[\] -> \["N"\]\nShowing/,
    );
  });

  test.each([
    ['a development that is not there', ['luna', 'A'], 1, 'There is no development luna.'],
    ['a unit that is not there', ['sol', 'B'], 1, 'sol has no unit B.'],
    ['--limit of 0', ['sol', 'B', '--limit', '0'], 2, '--limit must be a whole number from 1.'],
  ])('of %s: fails', async (_, args, exit, message) => {
    const ran = await operator.run(['unit', 'history', ...args, '--account', 'units']);
    expect([ran.exit, ran.err]).toEqual([exit, `${message}\n`]);
  });
});

describe('snapshot', () => {
  let password: string;

  beforeAll(async () => {
    password = await open('KEPT');
    await writePortfolio(operator.server.db, await accountId('KEPT'), [...VOCABULARY, property('a')]);
  });

  async function keep(): Promise<void> {
    const feed = `U=OWNPROPERTIES@KEPT&P=${password}`;
    for (const query of [feed, `${feed}&FV=3`]) await operator.feed(query);
    await expect.poll(async () => (await list()).length).toBe(2);
  }

  async function list(): Promise<{ name: string; bytes: number }[]> {
    return (
      await operator.json<{ snapshots: { name: string; bytes: number }[] }>(['snapshot', 'list', '--account', 'kept'])
    ).snapshots;
  }

  test('list: names in KV with their sizes', async () => {
    await keep();
    for (const { name, bytes } of await list()) {
      expect((await operator.server.snapshots.get(name, 'arrayBuffer'))?.byteLength).toBe(bytes);
    }
    expect((await operator.run(['snapshot', 'list', '--account', 'kept'])).out).toContain((await list())[0]!.name);
  });

  test('drop: table and KV are empty, and the feed is as it was', async () => {
    await keep();
    const before = await operator.feed(`U=OWNPROPERTIES@KEPT&P=${password}&FV=3`);
    const names = (await list()).map(({ name }) => name);
    expect((await operator.run(['snapshot', 'drop', '--account', 'kept'])).out).toBe('2 snapshots dropped.\n');
    expect(await list()).toEqual([]);
    for (const name of names) expect(await operator.server.snapshots.get(name)).toBeNull();
    await aMoment();
    expect(await operator.feed(`U=OWNPROPERTIES@KEPT&P=${password}&FV=3`)).toBe(before);
  });

  test('drop of more than are dropped in one step: all of them', async () => {
    await operator.run(['snapshot', 'drop', '--account', 'kept']);
    await note('many', 10, 250);
    expect((await operator.run(['snapshot', 'drop', '--account', 'kept'])).out).toBe('250 snapshots dropped.\n');
    expect(await list()).toEqual([]);
  });
});

describe('key', () => {
  const settings = () => readFile(join(operator.directory, '.dev.vars'), 'utf8');
  const localKeys = async () => JSON.parse(/^SIGNING_KEYS='(.*)'$/m.exec(await settings())![1]!).keys;

  test('rotate before there is a key: exit code 1', async () => {
    const { exit, err } = await operator.run(['key', 'rotate']);
    expect([exit, err]).toEqual([1, '.dev.vars has no SIGNING_KEYS. Make them: key new\n']);
  });

  test('new: a private key beside the other settings, for its owner alone', async () => {
    await writeFile(join(operator.directory, '.dev.vars'), 'DEMO=true');
    const { kid } = await operator.json<{ kid: string }>(['key', 'new']);
    expect(await localKeys()).toEqual([expect.objectContaining({ kid, kty: 'EC', d: expect.any(String) })]);
    expect(await settings()).toMatch(/^DEMO=true\n/);
    expect((await stat(join(operator.directory, '.dev.vars'))).mode & 0o777).toBe(0o600);
  });

  test('new where there is a key: exit code 1, and it stays; with --force another', async () => {
    const before = await settings();
    expect((await operator.run(['key', 'new'])).exit).toBe(1);
    expect(await settings()).toBe(before);
    expect((await operator.run(['key', 'new', '--force'])).exit).toBe(0);
    expect(await settings()).not.toBe(before);
  });

  test('rotate: a new key signs, and the public half of the one before verifies', async () => {
    const [before] = await localKeys();
    const { kid, verify } = await operator.json<{ kid: string; verify: string[] }>(['key', 'rotate']);
    const { d: _, ...half } = before;
    expect(verify).toEqual([before.kid]);
    expect(await localKeys()).toEqual([expect.objectContaining({ kid, d: expect.any(String) }), half]);
    await operator.run(['key', 'rotate', '--keep', '2']);
    expect((await localKeys()).map((key: { kid: string }) => key.kid)).toEqual([expect.any(String), kid, before.kid]);
    await operator.run(['key', 'rotate', '--keep', '0']);
    expect(await localKeys()).toHaveLength(1);
  });

  test('new --remote: a secret of the Worker, unless it has one', async () => {
    operator.wranglerPrints = '[]';
    const { kid } = await operator.json<{ kid: string }>(['key', 'new', '--remote']);
    const put = operator.wrangler.at(-1)!;
    expect(put.args).toEqual(['secret', 'put', 'SIGNING_KEYS']);
    expect(JSON.parse(put.input!).keys).toEqual([expect.objectContaining({ kid, d: expect.any(String) })]);
    operator.wranglerPrints = '[{"name":"SIGNING_KEYS","type":"secret_text"}]';
    expect((await operator.run(['key', 'new', '--remote'])).exit).toBe(1);
    expect(operator.wrangler.at(-1)?.args).toEqual(['secret', 'list', '--format', 'json']);
  });

  test('rotate --remote: the keys that the Worker publishes still verify', async () => {
    const [published] = JSON.parse(SIGNING_KEYS).keys;
    const { kid } = await operator.json<{ kid: string }>([
      'key',
      'rotate',
      '--remote',
      '--origin',
      operator.server.url.origin,
    ]);
    const put = operator.wrangler.at(-1)!;
    expect(put.args).toEqual(['secret', 'put', 'SIGNING_KEYS']);
    expect(
      JSON.parse(put.input!).keys.map((key: { kid: string; d?: string }) => [key.kid, key.d !== undefined]),
    ).toEqual([
      [kid, true],
      [published.kid, false],
    ]);
  });

  test.each([
    ['{"keys":[{}]}', 'The keys of .dev.vars are not this service'],
    ['[]', 'SIGNING_KEYS in .dev.vars is no JWK set'],
    ['{"keys":[null]}', 'SIGNING_KEYS in .dev.vars is no JWK set'],
  ])('rotate of %s: exit code 1, and it stays', async (value, message) => {
    const before = await settings();
    await writeFile(join(operator.directory, '.dev.vars'), `SIGNING_KEYS='${value}'`);
    const { exit, err } = await operator.run(['key', 'rotate']);
    expect([exit, await settings()]).toEqual([1, `SIGNING_KEYS='${value}'`]);
    expect(err).toContain(message);
    await writeFile(join(operator.directory, '.dev.vars'), before);
  });

  test('new, where the setting is empty: a key; rotate, where it is exported: it stands there once', async () => {
    const file = join(operator.directory, '.dev.vars');
    const before = await settings();
    await writeFile(file, 'SIGNING_KEYS=\n');
    expect((await operator.run(['key', 'new'])).exit).toBe(0);
    await writeFile(file, `export ${(await settings()).trim()}\nA=1\n`);
    expect((await operator.run(['key', 'rotate'])).exit).toBe(0);
    expect((await settings()).match(/SIGNING_KEYS/g)).toHaveLength(1);
    await writeFile(file, before);
  });

  test('rotate with an origin that redirects to another: it is not followed, and nothing is set', async () => {
    const location = new URL('/.well-known/jwks.json', operator.server.url).href;
    const other = createServer((_, response) => response.writeHead(302, { Location: location }).end());
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const calls = operator.wrangler.length;
    const { exit, err } = await operator.run(['key', 'rotate', '--remote', '--origin', origin]);
    other.close();
    expect([exit, err, operator.wrangler.length]).toEqual([1, expect.stringContaining('does not answer'), calls]);
  });

  test.each([
    ['--remote without an origin', ['--remote'], 2, '--remote and --origin go together.'],
    ['an origin without --remote', ['--origin', 'https://a.example'], 2, '--remote and --origin go together.'],
    ['an origin that is none', ['--remote', '--origin', 'feeds'], 2, 'feeds is not an origin'],
    ['an origin that does not answer', ['--remote', '--origin', 'http://127.0.0.1:1'], 1, 'does not answer'],
    ['--keep of half a key', ['--keep', '0.5'], 2, '--keep must be a whole number'],
  ])('rotate with %s: fails, and nothing is set', async (_, args, exit, message) => {
    const calls = operator.wrangler.length;
    const before = await settings();
    const ran = await operator.run(['key', 'rotate', ...args]);
    expect(ran.err).toContain(message);
    expect([ran.exit, operator.wrangler.length, await settings()]).toEqual([exit, calls, before]);
  });

  test('rotate beside a set over several lines, and beside other settings: they stay, and it goes', async () => {
    const before = await settings();
    const set = JSON.stringify(JSON.parse(/^SIGNING_KEYS='(.*)'$/m.exec(before)![1]!), null, 2);
    await writeFile(join(operator.directory, '.dev.vars'), `A=1\nSIGNING_KEYS='${set}'\nB=2\n`);
    expect((await operator.run(['key', 'rotate'])).exit).toBe(0);
    expect(parseEnv(await settings())).toEqual({ A: '1', B: '2', SIGNING_KEYS: expect.stringContaining('"d"') });
    expect(await settings()).toMatch(/^A=1\nB=2\nSIGNING_KEYS='.*'\n$/);
    await writeFile(join(operator.directory, '.dev.vars'), before);
  });

  test('rotate with an origin that publishes keys of another kind: exit code 1, and nothing is set', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'rsa' }];
    const other = createServer((_, response) => response.end(JSON.stringify({ keys })));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const calls = operator.wrangler.length;
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { exit, err } = await operator.run(['key', 'rotate', '--remote', '--origin', origin]);
    other.close();
    expect(err).toContain(`The keys of ${origin} are not this service`);
    expect([exit, operator.wrangler.length]).toEqual([1, calls]);
  });

  test('rotate with an origin that publishes no keys: exit code 1, and nothing is set', async () => {
    const other = createServer((_, response) => response.end('<html>'));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const calls = operator.wrangler.length;
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { exit, err } = await operator.run(['key', 'rotate', '--remote', '--origin', origin]);
    other.close();
    expect(err).toContain('gives no keys');
    expect([exit, operator.wrangler.length]).toEqual([1, calls]);
  });
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
    for (const name of await readdir('migrations')) {
      await db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name).run();
    }
  });

  test('all is well: exit code 0', async () => {
    expect(await findings(0)).toEqual([]);
    expect((await operator.run(['doctor'])).out).toMatch(/^(ok {5}[^\n]+\n){8}$/);
  });

  test.each<[string, string, string, RegExp, string]>([
    [
      'migrations',
      "DELETE FROM d1_migrations WHERE name = '0005_history_applies.sql'",
      "INSERT INTO d1_migrations (name) VALUES ('0005_history_applies.sql')",
      /^not applied: 0005_history_applies\.sql$/,
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
      'unit names',
      "UPDATE units SET name = 'A' || char(769) || 'tico 1' WHERE name = 'Ático 1'",
      "UPDATE units SET name = 'Ático 1' WHERE name LIKE 'A%tico 1'",
      /of UNITS, sol, is not in NFC/,
      'NFC',
    ],
    [
      'snapshots',
      `INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, bytes, crc, length, kept_at, used_at)
       SELECT id, 1, 'lost', 0, 1, 10, 0, 10, unixepoch(), 0 FROM accounts WHERE code = 'KEPT'`,
      "DELETE FROM snapshots WHERE parameters = 'lost'",
      /^KV lacks 1 of \d+ entries that the table lists for KEPT/,
      'snapshot drop --account KEPT',
    ],
  ])('something is wrong with %s: exit code 3, and what to do', async (check, harm, repair, detail, remedy) => {
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
        `INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, bytes, crc, length, kept_at, used_at)
         SELECT id, 1, 'expired', 0, 1, 10, 0, 10, unixepoch() - 7 * 86400, unixepoch() FROM accounts WHERE code = 'KEPT'`,
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

describe('the command line', () => {
  test.each([
    ['no command', [], 'Which command?'],
    ['an unknown command', ['acount'], 'Did you mean account?'],
    ['a group without a command', ['account'], 'Which of the commands of "account"?'],
    ['an unknown command of a group', ['account', 'lst'], 'Did you mean list?'],
    ['an option without its value', ['client', 'list', '--account'], 'Not enough arguments following: account'],
    [
      'a scope without its value',
      ['client', 'create', '--account', 'a', '--scope'],
      'Not enough arguments following: scope',
    ],
    [
      'an option given twice',
      ['client', 'list', '--account', 'a', '--account', 'b'],
      '--account is given more than once.',
    ],
    [
      'an option of all commands given twice',
      ['account', 'list', '--persist-to=a', '--persist-to=b'],
      '--persist-to is given',
    ],
    ['a number beyond all rows', ['unit', 'history', 'd', 'u', '--account', 'a', '--limit', '1e21'], '--limit must be'],
    ['--json=true, as one JSON document', ['account', '--json=true'], '{"error":{"code":"usage","message":"Which of'],
  ])('%s: exit code 2', async (_, args, message) => {
    const ran = await operator.run(args);
    expect(ran.err).toContain(message);
    expect([ran.exit, ran.out]).toEqual([2, '']);
  });

  test('a database without tables: exit code 1, and what to do', async () => {
    const { db } = operator.server;
    await db.prepare('ALTER TABLE accounts RENAME TO elsewhere').run();
    const { exit, err } = await operator.run(['account', 'list']);
    await db.prepare('ALTER TABLE elsewhere RENAME TO accounts').run();
    expect(err).toContain('run npm start for the local one, npm run deploy for the deployed one');
    expect(exit).toBe(1);
  });
});
