import { findAccountId } from '../../../src/accounts/accounts.ts';
import demo from '../../../src/demo/demo.ndjson?raw';
import { earlierPortfolio } from '../../../src/demo/life/earlier.ts';
import { beginning } from '../../../src/demo/life/moments.ts';
import other from '../../../src/demo/other.ndjson?raw';
import { recent } from '../../../src/demo/recent.ts';
import type { Env } from '../../../src/env.ts';
import { nowInSeconds } from '../../../src/lib/time/time.ts';
import { openAgency } from '../../../src/operator/accounts.ts';
import { demoAgency } from '../../../src/operator/demo/agency.ts';
import { beginEvents } from '../../../src/operator/demo/dates.ts';
import { writeEvents } from '../../../src/operator/demo/life.ts';
import { type PortfolioDocument, parseDocument } from '../../../src/properties/documents.ts';
import { store } from './portfolio.ts';

/** The documents of a file of the demo as `npm start` imports them at a time. */
export function documentsOf(file: string, now = nowInSeconds()): PortfolioDocument[] {
  return recent(file, now)
    .trimEnd()
    .split('\n')
    .map((line) => parseDocument(JSON.parse(line)));
}

/** The demo agencies as `npm start` creates them today. */
export const DEMO = { ...demoAgency('DEMO'), documents: documentsOf(demo) };
export const OTHER = { ...demoAgency('OTHER'), documents: documentsOf(other) };

/** Creates them in a database that does not have them, and returns the codes of those created. */
export async function seedDemo(db: D1Database): Promise<string[]> {
  const created: string[] = [];
  for (const agency of [DEMO, OTHER]) {
    const { code } = agency.account;
    if ((await findAccountId(db, code)) !== null) continue;
    await store(db, await openAgency(db, agency), agency.documents);
    created.push(code);
  }
  return created;
}

/**
 * Creates DEMO with its events, as `npm start` does, except that its portfolio is not imported.
 *
 * @param bindings with which the events are written
 */
export async function seedDemoWithEvents(env: Env, now: number, bindings = env): Promise<void> {
  await beginEvents(env.DB, now);
  const documents = documentsOf(earlierPortfolio(demo), beginning(now));
  await store(env.DB, await openAgency(env.DB, DEMO), documents);
  await writeEvents(bindings);
}
