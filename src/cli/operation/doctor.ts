import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../../operator/doctor.ts';
import { serviceCommand } from '../command/command.ts';
import { EXIT } from '../command/failure.ts';
import { count } from '../command/print.ts';

export const doctor = serviceCommand({
  command: 'doctor',
  describe:
    'Check migrations, settings, keys and data of a service, and say how to fix what is wrong',
  examples: {
    '': 'Check the service on this machine',
    '--env production': 'Check the deployed service',
  },
  async run(_, { client, context }) {
    const { databases } = await client.get('/v1/operator/databases');
    const names = (await readdir(join(context.directory, 'migrations')))
      .filter((name) => name.endsWith('.sql'))
      .sort();
    const migrations = checkMigrations(names, databases, client.service.isLocal);
    const examined: { findings: Finding[] } = await client.get('/v1/operator/doctor');
    const findings = [migrations, ...examined.findings];
    const ok = findings.every((finding) => finding.ok);
    const lines = findings.map(({ check, ok, detail, remedy }) =>
      ok ? `ok     ${check}: ${detail}\n` : `WRONG  ${check}: ${detail}\n       ${remedy}\n`,
    );
    return { json: { ok, findings }, text: lines.join(''), exit: ok ? EXIT.ok : EXIT.warnings };
  },
});

type Database = { readonly name: string; readonly migrations: readonly string[] };

/** Compares the migrations of this checkout with those that the databases have. */
function checkMigrations(
  names: readonly string[],
  databases: readonly Database[],
  isLocal: boolean,
): Finding {
  const check = 'migrations';
  for (const { name: database, migrations: applied } of databases) {
    const pending = names.filter((name) => !applied.includes(name)).join(', ');
    const remedy = `Run: ${isLocal ? 'npm run setup' : 'npm run deploy'}`;
    if (pending !== '')
      return { check, ok: false, detail: `not applied to ${database}: ${pending}`, remedy };
    const unknown = applied.filter((name) => !names.includes(name)).join(', ');
    const newer = 'The database is newer than this checkout: update the checkout.';
    if (unknown !== '')
      return {
        check,
        ok: false,
        detail: `applied to ${database}, but not here: ${unknown}`,
        remedy: newer,
      };
  }
  return { check, ok: true, detail: `${count(names.length, 'migration')} applied` };
}
