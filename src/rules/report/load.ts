import { Buffer } from 'node:buffer';
import type { Context } from 'hono';
import type { AppEnv } from '../../env.ts';
import { feedContext } from '../../feed/build/context.ts';
import { readPages } from '../../feed/build/feed-properties.ts';
import { envelopeOf } from '../../feed/document/envelope.ts';
import { FORMATS, versionOf } from '../../feed/formats/formats.ts';
import type { FeedParameters } from '../../feed/formats/parameters.ts';
import type { Manifest } from '../../feed/manifest/manifest.ts';
import { nameOf, type PlannedPart, planFeed, snapshotKey } from '../../feed/manifest/plan.ts';
import { channelSuffix } from '../../feed/manifest/segments.ts';
import { applyPreset } from '../../feed/request/preset.ts';
import { selectPreset } from '../../feed/request/query.ts';
import { feedChunks } from '../../feed/response/body.ts';
import type { SnapshotSet } from '../../feed/snapshots/table.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { describeError, log } from '../../lib/log.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import type { KeyReader } from '../../readers/keys.ts';
import { policyIn, policyName } from '../../readers/policy.ts';
import { findReader } from '../../readers/readers.ts';
import { ALL_LISTED, FILTERS, listingOf } from '../../readers/selection.ts';
import { readVocabulary } from '../../vocabulary/stored.ts';
import type { UnavailablePictures } from '../about/across.ts';
import { checkListings, type PartialReport } from '../check.ts';
import { dictionaryOf, listingOfRow } from '../listing.ts';
import type { Portal } from '../portals.ts';
import { type Found, findAll, type ReportSettings } from '../report.ts';
import { loadAccountState } from './account-state.ts';
import { FINDINGS } from './findings.ts';

/** A report covers every listed property, whichever feeds show it, and its texts in the languages of feeds. */
const PARAMETERS: FeedParameters = {
  ...ALL_LISTED,
  languages: LANGUAGES.map(({ code }) => code),
  listingDate: false,
  shortTerm: true,
};

/**
 * The properties that a report is about, with what its reader sees of them; and the name under
 * which the findings are cached.
 */
export interface ReportScope {
  readonly parameters: FeedParameters;
  readonly set: SnapshotSet;
}

/** Everything, for those who may see all of the account. */
export const WHOLE_ACCOUNT: ReportScope = {
  parameters: PARAMETERS,
  set: setNamed('all', null),
};

/**
 * What a reader's feed lists, as its policy shows it. The rules see nothing else, so that no
 * finding, comparison or count can reveal what the reader does not get.
 */
export function scopeOfReader({
  preset,
  channel,
  policy,
}: Pick<KeyReader, 'preset' | 'channel' | 'policy'>): ReportScope {
  const listing = listingOf(selectPreset(preset, channel).parameters);
  const flags = FILTERS.map((filter) => Number(listing[filter])).join('');
  return {
    parameters: {
      ...PARAMETERS,
      ...listing,
      ...(policy !== '' && { policy: policyIn(policy) }),
    },
    set: setNamed(
      `${listing.category}.${flags}${policy === '' ? '' : `&${policyName(policy)}`}`,
      channel,
    ),
  };
}

function setNamed(name: string, channel: number | null): SnapshotSet {
  return {
    format: versionOf(FINDINGS),
    parameters: `${name}${channel === null ? '' : channelSuffix(channel)}`,
    byListing: false,
    channel,
  };
}

/**
 * The results for all parts of an account by checking their properties, without the cache.
 *
 * @param parameters what is checked: every listed property by default
 */
export async function checkAccount(
  db: D1Database,
  accountId: number,
  segments: readonly number[],
  parameters: FeedParameters = PARAMETERS,
  channel: number | null = null,
): Promise<PartialReport[]> {
  const results: PartialReport[] = [];
  const reading = { accountId, selection: parameters, needs: FINDINGS, channel };
  let vocabulary = await readVocabulary(db, accountId);
  for (const segment of segments) {
    for await (const { read } of readPages(db, reading, { segment })) {
      if (read.vocabularyRevision !== vocabulary.revision)
        vocabulary = await readVocabulary(db, accountId);
      const dictionary = dictionaryOf(vocabulary);
      results.push(
        checkListings(read.rows.map((row) => listingOfRow(row, parameters.languages, dictionary))),
      );
    }
  }
  return results;
}

/**
 * The results for what a reader is shown: its policy, its channel or its preset may leave a property incomplete for the format of
 * a portal. `null` if there is no such reader.
 */
export async function checkForReader(
  db: D1Database,
  accountId: number,
  segments: readonly number[],
  name: string,
  portal: Portal,
): Promise<PartialReport[] | null> {
  const reader = await findReader(db, { accountId, name });
  if (reader === null) return null;
  const format = FORMATS.find((one) => one.name === portal)!;
  const { given } = applyPreset(format, {}, { preset: reader.preset, isFixed: false });
  const parameters = { ...format.parse(given).parameters, policy: policyIn(reader.policy) };
  return checkAccount(db, accountId, segments, parameters, reader.channelId);
}

/** A pause before and between checks that no response waits for: the database and the isolate have time for other requests. */
const PAUSE_MS = 50;

/** What the rules find in an account, with its settings. */
export interface LoadedFindings {
  readonly found: Found;
  readonly settings: ReportSettings;
  /** How many parts are left out, to be checked after the response. */
  readonly unchecked: number;
}

/** What was found in accounts at their revisions: reading and comparing ten thousand properties takes a large part of a second. */
const FOUND = boundedCache<Found>({
  maxBytes: 16_000_000,
  valueBytes: ({ findings }) =>
    DETAIL_BYTES * findings.flatMap((found) => Object.values(found).flat()).length,
});

const DETAIL_BYTES = 300;

/** The parts of reports by the names of their snapshots, which determine them: after a change, the isolate reads one again. */
const PARTS = boundedCache<{ readonly reports: readonly PartialReport[]; readonly bytes: number }>({
  maxBytes: 14_000_000,
  valueBytes: ({ bytes }) => Math.ceil(MEMORY_PER_BYTE * bytes),
});

/** About what a part takes for each byte of its JSON. */
const MEMORY_PER_BYTE = 1.5;

/** Parts that are read at the same time; a Worker may have six connections open. */
const AT_ONCE = 4;

/**
 * What a report on an account consists of: the findings in all parts, from the cache or by checking
 * their properties, and the account's settings. Prices that have jumped are only in reports on the
 * whole account: no reader sees what they were.
 *
 * @param manifest of the scope's set
 * @param languages as for `findAll`
 * @param mostAwaited if more parts are not in the cache, they are checked, and cached, after the
 *   response
 */
export async function loadFindings(
  c: Pick<Context<AppEnv>, 'env' | 'executionCtx' | 'var'>,
  manifest: Manifest,
  scope: ReportScope,
  {
    languages,
    mostAwaited,
  }: Readonly<{ languages?: readonly string[] | undefined; mostAwaited?: number }> = {},
): Promise<LoadedFindings> {
  const { accountId, revision } = manifest;
  const { settings, findings, unavailable } = await loadAccountState(c.env.DB, accountId);
  const key = JSON.stringify([accountId, revision, scope.set, languages, digestOf(unavailable)]);
  const known = FOUND.get(key);
  const { parts, unchecked } = known
    ? { parts: [], unchecked: 0 }
    : await readParts(c, manifest, scope, mostAwaited);
  const found = known ?? findAll(parts, languages, unavailable);
  if (unchecked === 0 && known === undefined) FOUND.set(key, found);
  const isWhole = scope.set === WHOLE_ACCOUNT.set;
  const all = isWhole ? { ...found, findings: [...found.findings, findings] } : found;
  return { found: all, settings, unchecked };
}

/** A name for what is known of pictures that nobody can fetch. */
function digestOf(unavailable: UnavailablePictures): string {
  return unavailable.size === 0 ? '' : sha256Hex(JSON.stringify([...unavailable]));
}

async function readParts(
  c: Pick<Context<AppEnv>, 'env' | 'executionCtx' | 'var'>,
  manifest: Manifest,
  { parameters, set }: ReportScope,
  mostAwaited = Number.POSITIVE_INFINITY,
) {
  const report = (error: unknown) =>
    log('error', 'report.failed', { requestId: c.var.requestId, error: describeError(error) });
  const envelope = envelopeOf(FINDINGS, parameters);
  const requested = { manifest, format: FINDINGS, parameters, envelope, set };
  const context = feedContext(c.env, c.executionCtx, {
    ...requested,
    compressed: false,
    hasLocalCache: false,
    report,
  });
  const plan = await planFeed(c.env.DB, manifest, parameters, set);
  const load = async (part: PlannedPart): Promise<readonly PartialReport[]> => {
    const key = snapshotKey(nameOf(manifest.accountId, set, part));
    const known = PARTS.get(key);
    if (known !== undefined) return known.reports;
    const reading = feedChunks([part], context);
    const chunks: Uint8Array[] = [];
    let next = await reading.next();
    for (; !next.done; next = await reading.next()) chunks.push(next.value);
    const text = Buffer.concat(chunks).toString();
    const reports = text
      .split('\n')
      .flatMap((line: string): PartialReport[] => (line === '' ? [] : [JSON.parse(line)]));
    // Otherwise the part has changed since it was planned.
    if (next.value) PARTS.set(key, { reports, bytes: text.length });
    return reports;
  };
  const missing = plan.filter(({ snapshot }) => snapshot === null);
  const later = missing.length > mostAwaited ? missing : [];
  const checkLater = async () => {
    for await (const _ of feedChunks(later, context)) await scheduler.wait(PAUSE_MS);
  };
  if (later.length > 0) c.executionCtx.waitUntil(checkLater().catch(report));
  const now = plan.filter((part) => !later.includes(part));
  const parts: PartialReport[] = [];
  for (let start = 0; start < now.length; start += AT_ONCE) {
    const loaded = await Promise.all(now.slice(start, start + AT_ONCE).map(load));
    parts.push(...loaded.flat());
  }
  return { parts, unchecked: later.length };
}
