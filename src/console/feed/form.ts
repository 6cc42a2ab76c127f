import type { FeedFormat } from '../../feed/formats/format.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import type { Language } from '../texts/language.ts';

/** What the page of the feed was asked for. */
export interface FeedForm {
  readonly format: FeedFormat;
  /** The last segment of the feed's path, as its specification spells it. */
  readonly file: string;
  readonly formats: readonly FeedFormat[];
  /** The parameters of the feed, by name; several languages separated by commas. */
  readonly given: Readonly<Record<string, string>>;
  /** What the records to show contain; empty for all. */
  readonly find: string;
  /** The identifier of a single property to show with its records as XML; empty for all. */
  readonly record: string;
  /** From 1. */
  readonly page: number;
  /** The code of the language of the cards. */
  readonly show: number;
}

const FILES: Readonly<Record<string, string>> = { resales: 'CreateXMLFeedV3.asp' };

const MAX_SEARCH_LENGTH = 100;

/** The form in a query. Missing and invalid values have their defaults; values of feed parameters are not checked here. */
export function readFeedForm(query: Readonly<Record<string, readonly string[]>>, language: Language): FeedForm {
  const [format = '', find = '', record = '', page = '', show = ''] = ['format', 'find', 'record', 'page', 'show'].map(
    (name) => query[name]?.at(-1) ?? '',
  );
  const chosen = FORMATS.find(({ name }) => name === format) ?? FORMATS[0]!;
  const given = chosen.feedParameters.flatMap(({ name }) => {
    const value = (query[name] ?? []).filter((text) => text !== '').join(',');
    return value === '' ? [] : [[name, value]];
  });
  return {
    format: chosen,
    file: FILES[chosen.name] ?? chosen.file,
    formats: FORMATS,
    given: Object.fromEntries(given),
    find: find.trim().slice(0, MAX_SEARCH_LENGTH),
    record,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    show: Number(show) || (language === 'es' ? 2 : 1),
  };
}
