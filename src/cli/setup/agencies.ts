import type { NewAgency } from '../../db/operator/open-agency.ts';
import type { NewReader } from '../../db/readers.ts';
import { sha256Hex } from '../../lib/secrets.ts';
import { isoTime } from '../../lib/time.ts';
import { SCOPES } from '../../oauth/scopes.ts';
import { type PortfolioDocument, type PropertyDocument, parseDocument } from '../../portfolio/documents.ts';
import { readerFeed } from '../../readers/new-reader.ts';
import { DEMO_KEY } from './reader-key.ts';

const DAY_SECONDS = 86_400;

/** The portfolios of the demo agencies as NDJSON, by the agency's code. */
export interface DemoFiles {
  readonly DEMO: string;
  readonly OTHER: string;
}

/**
 * The agencies `DEMO`, password `demo`, and `OTHER`, password `other`.
 *
 * @param now their properties last changed within the day before, and the other times keep their distance from that
 */
export function demoAgencies(files: DemoFiles, now: Date): readonly NewAgency[] {
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

/** The documents with all times moved by the same number of days, so that the latest is within the day before `now`. */
function recent(documents: readonly PortfolioDocument[], now: Date): PortfolioDocument[] {
  const changes = documents.flatMap((document) => (document.kind === 'property' ? timesOf(document) : []));
  const latest = Math.max(...changes.map(secondsOf));
  const days = Math.floor((now.getTime() / 1000 - latest) / DAY_SECONDS);
  const move = <T extends string | null>(time: T) =>
    (time === null ? time : isoTime(secondsOf(time) + days * DAY_SECONDS)) as T;
  return documents.map((document) =>
    document.kind !== 'property'
      ? document
      : {
          ...document,
          listed_at: move(document.listed_at),
          source_changed_at: move(document.source_changed_at),
          sale_updated_at: move(document.sale_updated_at),
          rental_updated_at: move(document.rental_updated_at),
        },
  );
}

function timesOf(property: PropertyDocument): string[] {
  const { listed_at, source_changed_at, sale_updated_at, rental_updated_at } = property;
  return [listed_at, source_changed_at, sale_updated_at, rental_updated_at].filter((time) => time !== null);
}

function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}

/** A portal that gets the sale feed in version 3 with U and P alone. */
function portal(): Omit<NewReader, 'accountId'> {
  const feed = readerFeed({ preset: 'FV=3&Language=1,2&T=SALE', fixed: false, channelId: null });
  if ('errors' in feed) throw new Error(JSON.stringify(feed.errors));
  return { name: 'portal', ...feed, digest: sha256Hex(DEMO_KEY) };
}
