import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../../src/cli/cloudflare/config.ts';
import { interruptedMove } from '../../../src/cli/commands/databases.ts';
import { declareDatabases } from '../../../src/cli/deploy/command.ts';

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

test.each([
  [null, /still in DB: .* it can be changed\. Run `lindero account move COSTA --to DB_2` again\.$/],
  ['leaving', /still in DB: .* The copy in DB_2 is incomplete, .* --to DB_2 --undo` to leave the account in DB\.$/],
  ['frozen', /feeds are served, but changes are refused until .* Run `.*` again, or `.* --undo`/],
  ['left', /Account COSTA is in DB_2, .* Run `lindero account move COSTA --to DB_2` again\.$/],
  [undefined, /DB cannot be read\. Nothing that was acknowledged is lost/],
] as const)(
  'a move that is interrupted in the state %s: what happened, what is still true, and what to run',
  (state, text) => {
    const db = {} as D1Database;
    const places = { code: 'COSTA', from: { name: 'DB', db }, to: { name: 'DB_2', db } };
    const message = interruptedMove(places, state, 'D1 is not responding.');
    expect(message).toMatch(/^The move to DB_2 was interrupted: D1 is not responding\. /);
    expect(message).toMatch(text);
  },
);
