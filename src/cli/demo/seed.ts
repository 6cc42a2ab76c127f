import { findAccountId } from '../../db/accounts.ts';
import { openAgency } from '../../db/portfolio-open.ts';
import { demoAgency, otherAgency } from './agencies.ts';

/**
 * Opens the agencies `DEMO` and `OTHER`, each with all its data in one transaction, unless they are there.
 *
 * @returns the codes of the accounts that were opened
 */
export async function seedDemo(db: D1Database): Promise<string[]> {
  const opened: string[] = [];
  for (const agency of [demoAgency(), otherAgency()]) {
    if ((await findAccountId(db, agency.account.code)) !== null) continue;
    await openAgency(db, agency);
    opened.push(agency.account.code);
  }
  return opened;
}
