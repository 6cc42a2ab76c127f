import { findAccountId } from '../../db/operator/accounts.ts';
import { openAgency } from '../../db/operator/open-agency.ts';
import { demoAgency, otherAgency } from './agencies.ts';

/**
 * Creates the agencies `DEMO` and `OTHER`, each with all its data in one transaction, if they do not exist.
 *
 * @param onCreated called with the code of each account that was created
 * @returns these codes
 */
export async function seedDemo(db: D1Database, onCreated: (code: string) => void = () => {}): Promise<string[]> {
  const created: string[] = [];
  for (const agency of [demoAgency(), otherAgency()]) {
    const { code } = agency.account;
    if ((await findAccountId(db, code)) !== null) continue;
    await openAgency(db, agency);
    created.push(code);
    onCreated(code);
  }
  return created;
}
