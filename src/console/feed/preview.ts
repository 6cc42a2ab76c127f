import { type FeedProperty, readListingOrder, readPages } from '../../db/feed/feed-properties.ts';
import { findProperties, findProperty, readIdentifiers } from '../../db/feed/preview.ts';
import { readVocabulary } from '../../db/vocabulary.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import type { FeedParameters, ParameterError } from '../../feed/formats/parameters.ts';
import type { Preset } from '../../feed/request/preset.ts';
import { readQuery, select } from '../../feed/request/query.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import type { FeedForm } from './form.ts';
import { type Listing, listingOf } from './listing.ts';

export const CARDS_PER_PAGE = 12;

/** A page of the records of a feed. */
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
  readonly source: string | null;
}

/**
 * Reads one page of the records of a feed, however large it is, with the code that builds feeds.
 *
 * @param preset of the reader whose feed it is
 * @param url of the feed, without credentials
 * @param form selects the records
 */
export async function readPreview(
  db: D1Database,
  accountId: number,
  preset: Preset | null,
  url: string,
  { find, record, page, show }: Pick<FeedForm, 'find' | 'record' | 'page' | 'show'>,
): Promise<Preview | { readonly errors: readonly ParameterError[] }> {
  const query = readQuery(new Request(url));
  if ('errors' in query) return query;
  const { format } = query;
  const selection = preset === null ? query : select(query, preset);
  if ('errors' in selection) return selection;
  const { parameters, set } = selection;
  const [{ numbers }, matches] = await Promise.all([
    readListingOrder(db, accountId, parameters, set.channel),
    record !== '' ? findProperty(db, accountId, record) : find === '' ? null : findProperties(db, accountId, find),
  ]);
  const matching = matches === null ? numbers : numbers.filter((number) => matches.has(number));
  const inOrder = parameters.listingDate ? matching : matching.toSorted((a, b) => a - b);
  const shown = inOrder.slice((page - 1) * CARDS_PER_PAGE, page * CARDS_PER_PAGE);
  const properties: FeedProperty[] = [];
  const scope = { numbers: JSON.stringify(shown) };
  for await (const { rows } of readPages(db, accountId, scope, parameters, format, set.channel)) {
    properties.push(...rows);
  }
  const [identifiers, vocabulary] = await Promise.all([
    readIdentifiers(db, accountId, shown),
    readVocabulary(db, accountId),
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
    source:
      record === ''
        ? null
        : new TextDecoder().decode(concatenate(format.writeProperties(rows, parameters, dictionary()).chunks)),
  };
}
