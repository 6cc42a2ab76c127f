import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../../src/cli/cloudflare/config.ts';
import { deployLine, withTarget } from '../../../src/cli/command/command.ts';
import { interruptionBy } from '../../../src/cli/command/ending.ts';
import { declareDatabases } from '../../../src/cli/deploy/deploy.ts';
import { noLocation } from '../../../src/cli/deploy/resources.ts';
import { interruptedMove, runMove } from '../../../src/cli/operation/databases.ts';
import type { NamedDatabase } from '../../../src/db/operator/databases.ts';

test('deploy --databases 3: wrangler.toml declares two more, which a second deployment leaves as they are', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'lindero-databases-'));
  try {
    const path = join(directory, 'wrangler.toml');
    writeFileSync(path, readFileSync('wrangler.toml'));
    await declareDatabases(path, 3);
    await declareDatabases(path, 3);
    const { d1_databases: databases } = await readConfig(path);
    expect(databases.map(({ binding, database_name: name }) => [binding, name])).toEqual([
      ['DB', 'lindero'],
      ['DB_2', 'lindero-2'],
      ['DB_3', 'lindero-3'],
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

const REMOTE = { remote: true };

/** A move from DB to DB_2. */
function moveOver(db: D1Database) {
  const [from, to] = ['DB', 'DB_2'].map((name) => ({ name, db })) as [NamedDatabase, NamedDatabase];
  return { code: 'COSTA', accountId: 1, from, to, isSwitched: false, all: [from, to] };
}

test.each([
  [
    'not begun',
    /still in DB: .* unless an earlier move was interrupted\. Run `npm run -s lindero -- account move COSTA --to DB_2 --remote` again\.$/,
  ],
  [
    'released',
    /still in DB: .* it can be changed\. The copy in DB_2 is incomplete, .* --to DB_2 --undo --remote` to leave the account in DB\.$/,
  ],
  [
    'freezing',
    /still in DB: its feeds are served, but changes are refused until .* Run `.*` again, or `.* --undo --remote`/,
  ],
  [
    'copying',
    /still in DB: its feeds are served, but changes are refused until .* Run `.*` again, or `.* --undo --remote`/,
  ],
  [
    'switching',
    /in DB or already in DB_2: .* changes are refused .*; after that, `.* --to DB --remote` moves the account back\.$/,
  ],
  [
    'completing',
    /is in DB_2: .* changes may be refused .* --to DB_2 --remote` again to complete the move; after that, `.* --to DB --remote`/,
  ],
] as const)(
  'a move that is interrupted, %s: where the account is, whether it can be changed, and what to run',
  (point, text) => {
    const message = interruptedMove(moveOver({} as D1Database), point, REMOTE);
    expect(message).toMatch(text);
    expect(message.includes('--undo')).toBe(['freezing', 'copying', 'released'].includes(point));
  },
);

test('Ctrl-C during a move says what an error at that point says', async () => {
  const statement = { bind: () => statement, all: async () => ({ results: [] }), raw: async () => [] };
  const db = { prepare: () => statement } as unknown as D1Database;
  const move = moveOver(db);
  const interrupted: [string, string][] = [];
  const moved = runMove(move, REMOTE, (step) => interrupted.push([step, interruptionBy('SIGINT')]));
  await expect(moved).rejects.toThrow('The move to DB_2 was interrupted: ');
  expect(interrupted).toEqual([['freezing', `Interrupted by SIGINT. ${interruptedMove(move, 'freezing', REMOTE)}`]]);
});

test('with --remote --env staging, every command line that a message names is for staging', async () => {
  vi.stubEnv('CLOUDFLARE_ENV', 'staging');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(withTarget(REMOTE, 'account list')).toBe('npm run -s lindero -- account list --remote --env staging');
  expect(withTarget({ remote: false }, 'account list')).toBe('npm run -s lindero -- account list');
  expect(deployLine()).toBe('npm run deploy -- --env staging');
  expect(noLocation().message).toContain('npm run deploy -- --location weur --env staging ');
});
