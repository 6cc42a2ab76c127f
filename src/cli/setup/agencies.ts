import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readerFeed } from '../../api/readers/reader.ts';
import { findAccountId, type NewAgency, openAgency } from '../../db/operator/accounts.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { DAY_SECONDS, type EpochSeconds, isoTime, toSeconds } from '../../lib/time/time.ts';
import { SCOPES } from '../../oauth/scopes.ts';
import { parseDocument } from '../../portfolio/documents.ts';

/** The key of the demo agency's reader. It is not a secret: only a local database has it. */
export const DEMO_KEY = 'lindero_demo-key-for-local-development-1';

/**
 * The agencies `DEMO`, password `demo`, and `OTHER`, password `other`.
 *
 * @param files their portfolios as NDJSON
 * @param now the latest time in the files is moved into the day before it, and all other times by the same number of days
 */
export function demoAgencies(
  files: Readonly<Record<'DEMO' | 'OTHER', string>>,
  now: EpochSeconds,
): readonly NewAgency[] {
  // A portal that gets the sale feed in version 3 with U and P alone.
  const feed = readerFeed({ preset: 'FV=3&Language=1,2&T=SALE', fixed: false, channelId: null });
  if ('errors' in feed) throw new Error(JSON.stringify(feed.errors));
  const readers = [{ name: 'portal', ...feed, digest: sha256Hex(DEMO_KEY) }];
  return [
    { ...agency('DEMO', 'Costa Sur Inmobiliaria', files.DEMO, now), readers },
    agency('OTHER', 'Mar Verde Homes', files.OTHER, now),
  ];
}

function agency(code: string, name: string, file: string, now: EpochSeconds): NewAgency {
  const login = code.toLowerCase();
  const lines = recent(file, now).trimEnd().split('\n');
  return {
    account: { code, name, password: login },
    clients: [{ id: `${login}-client`, secret: `${login}-secret`, scopes: SCOPES }],
    readers: [],
    documents: lines.map((line) => parseDocument(JSON.parse(line))),
  };
}

const TIME = /(?<=")\d{4}-\d\d-\d\dT[^"]+(?=")/g;

/** A file with all times moved by the same number of days, so that the latest is within the day before `now`. */
function recent(file: string, now: EpochSeconds): string {
  const times = file.match(TIME) ?? [];
  const latest = Math.max(...times.map((time) => toSeconds(time)));
  const moved = Math.floor((now - latest) / DAY_SECONDS) * DAY_SECONDS;
  return file.replaceAll(TIME, (time) => isoTime(toSeconds(time) + moved));
}

export async function readDemo(directory: string, now: EpochSeconds): Promise<readonly NewAgency[]> {
  const read = (name: string) => readFile(join(directory, 'src/demo', `${name}.ndjson`), 'utf8');
  return demoAgencies({ DEMO: await read('demo'), OTHER: await read('other') }, now);
}

/** Creates the agencies that do not exist, each with all its data in one transaction, and returns their codes. */
export async function seedAgencies(db: D1Database, agencies: readonly NewAgency[]): Promise<string[]> {
  const created: string[] = [];
  for (const agency of agencies) {
    const { code } = agency.account;
    if ((await findAccountId(db, code)) !== null) continue;
    await openAgency(db, agency);
    created.push(code);
  }
  return created;
}
