import type { FeedFormat } from '../../feed/formats/format.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import type { Preset } from '../../feed/request/preset.ts';
import { pageIn } from '../frame/table.tsx';
import type { Language } from '../texts/texts.ts';

/** Whose feed is shown: a reader's has its preset and its channel. */
export interface FeedOwner extends Preset {
  readonly name: string;
  readonly title: string;
  readonly format: FeedFormat;
}

/** What the page of a feed was asked for. */
export interface FeedForm {
  /** `null` for the feed that the account's password gives. */
  readonly owner: FeedOwner | null;
  readonly format: FeedFormat;
  /** The last segment of the feed's path, as its specification spells it. */
  readonly file: string;
  /** The parameters of the feed, by name; several languages separated by commas. */
  readonly given: Readonly<Record<string, string>>;
  /** What the records to show contain; empty for all. */
  readonly find: string;
  /** The identifier of a single property to show with its records as source; empty for all. */
  readonly record: string;
  /** From 1. */
  readonly page: number;
  /** The code of the language of the cards. */
  readonly show: number;
}

const FILES: Readonly<Record<string, string>> = { resales: 'CreateXMLFeedV3.asp' };

export const MAX_SEARCH_LENGTH = 100;

/** The form in a query. Missing and invalid values have their defaults; values of feed parameters are not checked here. */
export function readFeedForm(
  query: Readonly<Record<string, readonly string[]>>,
  language: Language,
  owner: FeedOwner | null,
): FeedForm {
  const [format = '', find = '', record = '', page = '', show = ''] = ['format', 'find', 'record', 'page', 'show'].map(
    (name) => query[name]?.at(-1) ?? '',
  );
  const chosen = FORMATS.find(({ name }) => name === format) ?? owner?.format ?? FORMATS[0]!;
  return {
    owner,
    format: chosen,
    file: fileOf(chosen),
    given: givenParameters(chosen, (name) => query[name] ?? []),
    find: find.trim().slice(0, MAX_SEARCH_LENGTH),
    record,
    page: pageIn(page),
    show: Number(show) || (language === 'es' ? 2 : 1),
  };
}

/** The last segment of the path of a format's feeds. */
export function fileOf(format: FeedFormat): string {
  return FILES[format.name] ?? format.file;
}

/** The feed parameters of a format that a form has values for. */
export function givenParameters(
  format: FeedFormat,
  valuesOf: (name: string) => readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    format.feedParameters.flatMap(({ name }) => {
      const value = valuesOf(name)
        .filter((text) => text !== '')
        .join(',');
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** Parameters as a query; commas are easier to read unencoded. */
export function parametersText(given: Readonly<Record<string, string>>): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&');
}

/** What is wrong with parameters. */
export function errorsText(errors: readonly ParameterError[]): string {
  return errors.map(({ parameter, reason }) => `${parameter} ${reason}.`).join(' ');
}
