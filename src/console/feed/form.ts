import type { FeedFormat } from '../../feed/formats/format.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { pageIn } from '../frame/table.tsx';
import type { PortalView } from '../portals/portal.ts';
import type { Language } from '../texts/texts.ts';

const FILES: Readonly<Record<string, string>> = { resales: 'CreateXMLFeedV3.asp' };

export const MAX_SEARCH_LENGTH = 100;

/** What the page of a feed was asked for. */
export type FeedForm = ReturnType<typeof readFeedForm>;

/** The form in a query. Missing and invalid values have their defaults; values of feed parameters are not checked here. */
export function readFeedForm(
  query: Readonly<Record<string, readonly string[]>>,
  language: Language,
  owner: PortalView | null,
) {
  const last = (name: string) => query[name]?.at(-1) ?? '';
  const format = FORMATS.find(({ name }) => name === last('format')) ?? owner?.format ?? FORMATS[0]!;
  return {
    /** Whose feed it is; `null` for the one that the account's password gives. */
    owner,
    format,
    given: givenParameters(format, (name) => query[name] ?? []),
    /** What the records to show contain; empty for all. */
    find: last('find').trim().slice(0, MAX_SEARCH_LENGTH),
    /** The identifier of a single property to show with its records as source; empty for all. */
    record: last('record'),
    page: pageIn(last('page')),
    /** The code of the language of the cards. */
    show: Number(last('show')) || (language === 'es' ? 2 : 1),
  };
}

/** The last segment of the path of a format's feeds, as its specification spells it. */
export function fileOf(format: FeedFormat): string {
  return FILES[format.name] ?? format.file;
}

/** The feed parameters of a format that a form has values for; several values are separated by commas. */
export function givenParameters(
  format: FeedFormat,
  valuesOf: (name: string) => readonly string[],
): Record<string, string> {
  const given = format.feedParameters.map(({ name }) => [name, valuesOf(name).filter(Boolean).join(',')]);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** Parameters as a query; commas are easier to read unencoded. */
export function parametersText(given: Readonly<Record<string, string>>): string {
  return new URLSearchParams(given).toString().replaceAll('%2C', ',');
}
