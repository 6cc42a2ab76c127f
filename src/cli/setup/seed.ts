import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findAccountId } from '../../db/operator/accounts.ts';
import { type NewAgency, openAgency } from '../../db/operator/open-agency.ts';
import { demoAgencies } from './agencies.ts';

/** The demo agencies of the project in a directory, with times relative to `now`. */
export async function readDemo(directory: string, now: Date): Promise<readonly NewAgency[]> {
  const [DEMO, OTHER] = await Promise.all(
    ['demo', 'other'].map((name) => readFile(join(directory, 'src/demo', `${name}.ndjson`), 'utf8')),
  );
  return demoAgencies({ DEMO: DEMO!, OTHER: OTHER! }, now);
}

/**
 * Creates the agencies that do not exist, each with all its data in one transaction.
 *
 * @param onCreated called with the code of each account that was created
 * @returns these codes
 */
export async function seedAgencies(
  db: D1Database,
  agencies: readonly NewAgency[],
  onCreated: (code: string) => void = () => {},
): Promise<string[]> {
  const created: string[] = [];
  for (const agency of agencies) {
    const { code } = agency.account;
    if ((await findAccountId(db, code)) !== null) continue;
    await openAgency(db, agency);
    created.push(code);
    onCreated(code);
  }
  return created;
}
