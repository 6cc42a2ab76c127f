import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readerFeed } from '../../api/readers/reader.ts';
import { findAccountId } from '../../db/operator/accounts.ts';
import { type NewAgency, openAgency } from '../../db/operator/open-agency.ts';
import type { NewReader } from '../../db/readers/readers.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { isoTime } from '../../lib/time/time.ts';
import { SCOPES } from '../../oauth/scopes.ts';
import { type PortfolioDocument, parseDocument } from '../../portfolio/documents.ts';
import { DEMO_KEY } from './welcome.ts';

const DAY_SECONDS = 86_400;

/**
 * The agencies `DEMO`, password `demo`, and `OTHER`, password `other`.
 *
 * @param files their portfolios as NDJSON
 * @param now their properties last changed within the day before, and the other times keep their distance from that
 */
export function demoAgencies(files: Readonly<Record<'DEMO' | 'OTHER', string>>, now: Date): readonly NewAgency[] {
  return [
    { ...agency('DEMO', 'Costa Sur Inmobiliaria', files.DEMO, now), readers: [portal()] },
    agency('OTHER', 'Mar Verde Homes', files.OTHER, now),
  ];
}

function agency(code: string, name: string, file: string, now: Date): NewAgency {
  const login = code.toLowerCase();
  return {
    account: { code, name, password: login },
    clients: [{ id: `${login}-client`, secret: `${login}-secret`, scopes: SCOPES }],
    readers: [],
    documents: recent(readDocuments(file), now),
  };
}

function readDocuments(file: string): PortfolioDocument[] {
  return file
    .trimEnd()
    .split('\n')
    .map((line) => parseDocument(JSON.parse(line)));
}

const TIMES = ['listed_at', 'source_changed_at', 'sale_updated_at', 'rental_updated_at'] as const;

/** The documents with all times moved by the same number of days, so that the latest is within the day before `now`. */
function recent(documents: readonly PortfolioDocument[], now: Date): PortfolioDocument[] {
  const times = documents.flatMap((document) =>
    document.kind === 'property' ? TIMES.map((name) => document[name]) : [],
  );
  const latest = Math.max(...times.map((time) => (time === null ? 0 : Date.parse(time) / 1000)));
  const days = Math.floor((now.getTime() / 1000 - latest) / DAY_SECONDS);
  return documents.map((document) => {
    if (document.kind !== 'property') return document;
    const given = TIMES.flatMap((name) => (document[name] === null ? [] : [[name, document[name]] as const]));
    const moved = given.map(([name, time]) => [name, isoTime(Date.parse(time) / 1000 + days * DAY_SECONDS)]);
    return { ...document, ...Object.fromEntries(moved) };
  });
}

/** A portal that gets the sale feed in version 3 with U and P alone. */
function portal(): Omit<NewReader, 'accountId'> {
  const feed = readerFeed({ preset: 'FV=3&Language=1,2&T=SALE', fixed: false, channelId: null });
  if ('errors' in feed) throw new Error(JSON.stringify(feed.errors));
  return { name: 'portal', ...feed, digest: sha256Hex(DEMO_KEY) };
}

/** The demo agencies of the project in a directory, with times relative to `now`. */
export async function readDemo(directory: string, now: Date): Promise<readonly NewAgency[]> {
  const [DEMO, OTHER] = await Promise.all(
    ['demo', 'other'].map((name) => readFile(join(directory, 'src/demo', `${name}.ndjson`), 'utf8')),
  );
  return demoAgencies({ DEMO: DEMO!, OTHER: OTHER! }, now);
}

/** Creates the agencies that do not exist, each with all its data in one transaction, and returns their codes. */
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
