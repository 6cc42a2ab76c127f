import type { Writer } from '../../accounts/actor.ts';
import { withUnitChanges } from '../../demo/life/change.ts';
import type { ChangedUnit } from '../../demo/life/types.ts';
import type { Env } from '../../env.ts';
import { keysOf, storeFile } from '../../imports/runs/files.ts';
import { createImport, markReceived } from '../../imports/runs/imports.ts';
import { continueImport } from '../../imports/runs/run.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { readUnit } from '../../units/units.ts';

/**
 * Imports a file as the console does, but at once, and by the clock of the event.
 *
 * @param dated called once the import exists, so that what it reads of its own time is right
 */
export async function importAt(
  env: Env,
  { accountId, actor }: Writer,
  file: string,
  time: EpochSeconds,
  dated: () => Promise<unknown>,
): Promise<void> {
  const settings = { format: null, strict: false, replace: false, maxWithdrawn: 20, channel: null };
  const id = await createImport(env.DB, accountId, { actor, ...settings }, null);
  if (id === null) throw new Error('Too many imports of the demo agency are waiting');
  const chunks = new Blob([file]).stream();
  await markReceived(
    env.DB,
    id,
    await storeFile(env.FILES, keysOf({ accountId, id }).file, chunks),
  );
  await dated();
  while ((await continueImport(env, accountId, () => time * 1_000)) !== null);
}

/** Units with new values, as lines of NDJSON. */
export async function unitsFile(
  db: D1Database,
  accountId: number,
  units: readonly ChangedUnit[],
): Promise<string> {
  const lines = units.map(async ({ development, unit: name, ...changes }) => {
    const unit = await unitOf(db, accountId, development, name);
    const { status, price } = withUnitChanges(unit, changes, 'after');
    const directions = JSON.parse(unit.directions);
    return JSON.stringify({ kind: 'unit', development, name, status, price, directions });
  });
  return `${(await Promise.all(lines)).join('\n')}\n`;
}

/** A unit of the demo agency, which has it unless somebody has deleted it meanwhile. */
export async function unitOf(db: D1Database, accountId: number, development: string, name: string) {
  const found = await readUnit(db, { accountId, development, name }, 0);
  if (found.kind !== 'unit') throw new Error(`${development} has no unit ${name}`);
  return found.unit;
}
