import { type FeedProperty, readListingOrder, readPages } from '../../db/feed-properties.ts';
import { readManifest } from '../../db/manifest.ts';
import { findProperties, findProperty, readIdentifiers } from '../../db/preview.ts';
import type { SnapshotSet } from '../../db/snapshots.ts';
import { readVocabulary } from '../../db/vocabulary.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import type { FeedParameters, ParameterError } from '../../feed/formats/parameters.ts';
import { readQuery, select } from '../../feed/request/query.ts';
import { feedValidators } from '../../feed/response/validators.ts';
import { concatenate } from '../../lib/bytes.ts';
import { httpDate } from '../../lib/conditional.ts';
import type { SignedIn } from '../session/visitor.ts';
import type { FeedForm } from './form.ts';
import { type Listing, listingOf } from './listing.ts';

export const CARDS_PER_PAGE = 12;

/** A page of the records of a feed, and the state of the feed. */
export interface Preview {
  readonly format: FeedFormat;
  readonly parameters: FeedParameters;
  /** How many properties of the feed match the search. */
  readonly found: number;
  /** The properties of this page. */
  readonly listings: readonly Listing[];
  /** The code of their language. */
  readonly language: number;
  /** Their records as the feed has them, if a single property is shown; a property can have several. */
  readonly xml: string | null;
  readonly feed: FeedState;
  /** The time that reading them took. */
  readonly milliseconds: number;
}

/** A feed as its next compressed request would find it. */
export interface FeedState {
  readonly etag: string;
  /** An HTTP-date; `null` if the feed has changed within the current second. */
  readonly lastModified: string | null;
  readonly parts: number;
  readonly cachedParts: number;
  /** Bytes of the cached parts. */
  readonly bytes: number;
}

/**
 * Reads one page of the records of a feed, however large it is, with the code that builds feeds.
 *
 * @param visitor whose feed it is: a reader's has its preset and its channel
 * @param url of the feed, without credentials
 * @param form selects the records
 */
export async function readPreview(
  db: D1Database,
  { account, reader }: SignedIn,
  url: string,
  { find, record, page, show }: Pick<FeedForm, 'find' | 'record' | 'page' | 'show'>,
): Promise<Preview | { readonly errors: readonly ParameterError[] }> {
  const startedAt = Date.now();
  const query = readQuery(new Request(url));
  if ('errors' in query) return query;
  const { format } = query;
  const selection = reader === null ? query : select(query, reader);
  if ('errors' in selection) return selection;
  const { parameters, set } = selection;
  const [{ numbers }, matches, feed] = await Promise.all([
    readListingOrder(db, account.id, parameters, set.channel),
    record !== '' ? findProperty(db, account.id, record) : find === '' ? null : findProperties(db, account.id, find),
    readState(db, account.code, set, reader?.digest),
  ]);
  const matching = matches === null ? numbers : numbers.filter((number) => matches.has(number));
  const inOrder = parameters.listingDate ? matching : matching.toSorted((a, b) => a - b);
  const shown = inOrder.slice((page - 1) * CARDS_PER_PAGE, page * CARDS_PER_PAGE);
  const properties: FeedProperty[] = [];
  const scope = { numbers: JSON.stringify(shown) };
  for await (const { rows } of readPages(db, account.id, scope, parameters, format, set.channel))
    properties.push(...rows);
  const [identifiers, vocabulary] = await Promise.all([
    readIdentifiers(db, account.id, shown),
    readVocabulary(db, account.id),
  ]);
  const rows = shown.flatMap(
    (number) => properties.find(({ identifier }) => identifier === identifiers.get(number)) ?? [],
  );
  const language = parameters.languages.find((code) => code === show) ?? parameters.languages[0]!;
  const dictionary = () => format.renderDictionary(vocabulary, parameters.languages);
  return {
    format,
    parameters,
    found: matching.length,
    listings: rows.map((row) => listingOf(row, format, parameters, vocabulary.types, language)),
    language,
    xml:
      record === ''
        ? null
        : new TextDecoder().decode(concatenate(format.writeProperties(rows, parameters, dictionary()).chunks)),
    feed,
    milliseconds: Date.now() - startedAt,
  };
}

/** @param digest of the reader's key, by which the manifest is that of the reader's channel */
async function readState(db: D1Database, code: string, set: SnapshotSet, digest?: string): Promise<FeedState> {
  const key = digest === undefined ? null : { digest, ofPreset: false };
  const { manifest } = await readManifest(db, code, set, key);
  if (manifest === null) throw new Error('The account no longer exists');
  const cached = manifest.parts.flatMap((part) => part.cached ?? []);
  const { etag, lastModified } = feedValidators(manifest, set, true);
  return {
    etag,
    lastModified: lastModified === null ? null : httpDate(lastModified),
    parts: cached[0]?.listingPart?.parts ?? Math.max(1, manifest.parts.length),
    cachedParts: cached.length,
    bytes: cached.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
