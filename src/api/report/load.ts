import type { ExecutionContext } from 'hono';
import { readPages } from '../../db/feed/feed-properties.ts';
import type { Manifest } from '../../db/feed/manifest.ts';
import type { SnapshotSet } from '../../db/feed/snapshots.ts';
import { readVocabulary } from '../../db/vocabulary.ts';
import type { Env } from '../../env.ts';
import { feedContext } from '../../feed/build/context.ts';
import { frameOf } from '../../feed/document/envelope.ts';
import { FINDINGS } from '../../feed/formats/findings/format.ts';
import { versionOf } from '../../feed/formats/formats.ts';
import type { FeedParameters } from '../../feed/formats/parameters.ts';
import { planFeed } from '../../feed/manifest/plan.ts';
import { feedChunks } from '../../feed/response/body.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { checkListings, type PartialReport } from '../../rules/check.ts';
import { dictionaryOf, type ListedProperty, listingOfRow } from '../../rules/listing.ts';

/** A report is on every listed property, whatever feeds show it, and on its texts in the languages of feeds. */
const PARAMETERS: FeedParameters = {
  category: 'All',
  onWebsites: false,
  withoutRented: false,
  availableOnly: false,
  languages: LANGUAGES.map(({ code }) => code),
  listingDate: false,
};

/** The cached findings of an account. */
export const FINDINGS_SET: SnapshotSet = {
  format: versionOf(FINDINGS),
  parameters: 'all',
  dependsOn: { sale: true, rental: true },
  byListing: false,
  channel: null,
};

/**
 * The results for all parts of an account by checking their properties, without the cache.
 *
 * @throws what D1 throws
 */
export async function checkAccount(
  db: D1Database,
  accountId: number,
  segments: readonly number[],
): Promise<PartialReport[]> {
  const results: PartialReport[] = [];
  let vocabulary = await readVocabulary(db, accountId);
  for (const segment of segments) {
    for await (const page of readPages(db, accountId, { segment }, PARAMETERS, FINDINGS, null)) {
      if (page.vocabularyRevision !== vocabulary.revision) vocabulary = await readVocabulary(db, accountId);
      const dictionary = dictionaryOf(vocabulary);
      results.push(
        checkListings(
          (page.rows as readonly ListedProperty[]).map((row) => listingOfRow(row, PARAMETERS.languages, dictionary)),
        ),
      );
    }
  }
  return results;
}

/**
 * The results for all parts of an account, from the cache or by checking their properties.
 *
 * @param code the account's code, in upper case
 * @throws what D1 throws
 */
export async function loadFindings(
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
  code: string,
  manifest: Manifest,
  report: (error: unknown) => void,
): Promise<PartialReport[]> {
  const frame = frameOf(FINDINGS, PARAMETERS);
  const parts = await planFeed(env.DB, manifest, PARAMETERS, FINDINGS_SET);
  const requested = { account: code, manifest, format: FINDINGS, parameters: PARAMETERS, frame, set: FINDINGS_SET };
  const chunks = feedChunks(
    parts,
    feedContext(env, context, { ...requested, compressed: false, hasLocalCache: false, report }),
  );
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  const lines = text.split('\n');
  return lines.flatMap((line): PartialReport[] => (line === '' ? [] : [JSON.parse(line)]));
}
