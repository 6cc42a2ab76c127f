import { boundedCache } from '../lib/bounded-cache.ts';
import { DAY_SECONDS, type EpochSeconds } from '../lib/time/time.ts';
import { toLocal } from '../lib/time/zones.ts';
import { LANGUAGES, type Language } from './texts/language.ts';

/** British English: the day comes before the month. */
function localeOf(language: Language): string {
  return language === 'en' ? 'en-GB' : language;
}

/** The code of ISO 639-1 of a language's element: in feeds, English is `uk` and Ukrainian `ua`. */
export function isoCode(element: string): string {
  return { uk: 'en', ua: 'uk' }[element] ?? element;
}

/** The name of a language's element: `uk` is English. */
export function languageName(element: string, language: Language): string {
  const name =
    new Intl.DisplayNames(language, { type: 'language' }).of(isoCode(element)) ?? element;
  return language === 'en' ? name : name[0]!.toUpperCase() + name.slice(1);
}

/** A number as it is written in a language: `1,234.5`, `1.234,5`. */
export function formatNumber(
  value: number,
  language: Language,
  options: Intl.NumberFormatOptions = {},
): string {
  const key = JSON.stringify([language, options]);
  let format = numberFormats.get(key);
  if (format === undefined) {
    const usual: object = { maximumFractionDigits: 2, useGrouping: 'always' };
    format = new Intl.NumberFormat(language, { ...usual, ...options });
    numberFormats.set(key, format);
  }
  return format.format(value);
}

/** By language and options: a page has many numbers of few kinds, and making a format takes 100 times as long as using it. */
const numberFormats = new Map<string, Intl.NumberFormat>();

/** An area; empty if it is not known. */
export function formatArea(value: number | null | undefined, language: Language): string {
  return value ? `${formatNumber(value, language)} m²` : '';
}

/** A price as it is typed in a language, with all of its digits. */
export function formatPrice(value: number, language: Language): string {
  return formatNumber(value, language, { maximumSignificantDigits: 15 });
}

/** An amount of money, with its decimals only if it has some: `€345,000`, `345.000 €`. */
export function formatMoney(value: number, currency: string, language: Language): string {
  if (currency === '') return formatPrice(value, language);
  const decimals = { minimumFractionDigits: 2, trailingZeroDisplay: 'stripIfInteger' } as const;
  return formatNumber(value, language, { style: 'currency', currency, ...decimals });
}

/** Names in the order of a language's alphabet, in which Ávila comes before Barcelona. */
export function sortedNames(names: Iterable<string>, language: Language): string[] {
  return [...names].sort(new Intl.Collator(localeOf(language)).compare);
}

/** A list in words: `English, Spanish and German`. */
export function formatList(
  items: readonly string[],
  language: Language,
  type: Intl.ListFormatType = 'conjunction',
): string {
  return new Intl.ListFormat(localeOf(language), { type }).format(items);
}

/** Until an agency chooses another one. */
export const DEFAULT_TIME_ZONE = 'Europe/Madrid';

/** Who reads a time: in which language and time zone, and when. */
export interface Reading {
  readonly language: Language;
  readonly now: EpochSeconds;
  /** As IANA names it. */
  readonly timeZone: string;
}

/** A day: `24 November`, with the year unless it is the current one. */
export function formatDay(seconds: EpochSeconds, { now, language, timeZone }: Reading): string {
  const isThisYear = yearOf(seconds, timeZone) === yearOf(now, timeZone);
  const year = isThisYear ? undefined : 'numeric';
  return formatDate(seconds, localeOf(language), { day: 'numeric', month: 'long', year, timeZone });
}

function yearOf(seconds: EpochSeconds, timeZone: string): string {
  return formatDate(seconds, 'en', { year: 'numeric', timeZone });
}

/** By locale and options, as of numbers: a page about a portal has hundreds of days. */
const dateFormats = boundedCache<Intl.DateTimeFormat>({ maxBytes: 1_000_000, valueBytes: 5_000 });

function formatDate(
  seconds: EpochSeconds,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): string {
  const key = JSON.stringify([locale, options]);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  dateFormats.set(key, format);
  return format.format(seconds * 1_000);
}

/** An exact time, with the name of its zone. */
export function formatTime(seconds: EpochSeconds, { language, timeZone }: Reading): string {
  return formatDate(seconds, localeOf(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
}

/** A time of the last months: `29 Nov, 03:10`. */
export function formatMoment(seconds: EpochSeconds, { language, timeZone }: Reading): string {
  const time = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  const options = { day: 'numeric', month: 'short', ...time } as const;
  return new Date(seconds * 1_000).toLocaleString(localeOf(language), options);
}

/** The size of a file, of which less than a kilobyte is one: `181 kB`. */
export function formatSize(bytes: number, language: Language): string {
  const [size, unit] = bytes < 1_000_000 ? [1_000, 'kilobyte'] : [1_000_000, 'megabyte'];
  const options = { style: 'unit', unit, maximumSignificantDigits: 3 } as const;
  return formatNumber(Math.max(1, bytes / size), language, options);
}

/** A duration: `6 hours`. */
export function formatDuration(seconds: number, language: Language): string {
  const [size, unit] =
    seconds < 5_400 ? [60, 'minute'] : seconds < 129_600 ? [3_600, 'hour'] : [DAY_SECONDS, 'day'];
  const value = Math.max(1, Math.round(seconds / size));
  return formatNumber(value, language, { style: 'unit', unit, unitDisplay: 'long' });
}

/** Seconds after which a time is shown as a day. */
const RECENT_S = 3 * DAY_SECONDS;

/**
 * When something happened: `6 minutes ago`, `yesterday`, `3 November`. After several changes within a second, a property's time
 * is a little ahead.
 */
export function formatAgo(seconds: EpochSeconds, reading: Reading): string {
  const { now, language } = reading;
  const passed = Math.max(0, now - seconds);
  const ago = (size: number, unit: Intl.RelativeTimeFormatUnit) =>
    new Intl.RelativeTimeFormat(language).format(-Math.floor(passed / size), unit);
  if (passed < 60) return LANGUAGES[language].texts.common.justNow;
  if (passed < 3_600) return ago(60, 'minute');
  if (passed < DAY_SECONDS) return ago(3_600, 'hour');
  return passed < RECENT_S ? daysAgo(seconds, reading) : formatDay(seconds, reading);
}

/** The days since a day in the time zone: `today`, `yesterday`, `3 days ago`. */
function daysAgo(seconds: EpochSeconds, reading: Reading): string {
  const format = new Intl.RelativeTimeFormat(reading.language, { numeric: 'auto' });
  return format.format(dayNumber(seconds, reading) - dayNumber(reading.now, reading), 'day');
}

function dayNumber(seconds: EpochSeconds, { timeZone }: Reading): number {
  return Math.floor(toLocal(seconds, timeZone) / DAY_SECONDS);
}

/** The day of a time, as a heading: `Today`, `Yesterday`, `Friday, 27 November`. */
export function formatDayName(seconds: EpochSeconds, reading: Reading): string {
  const { now, language, timeZone } = reading;
  const isNear = dayNumber(now, reading) - dayNumber(seconds, reading) < 2;
  const weekday = { weekday: 'long', timeZone } as const;
  const name = isNear
    ? daysAgo(seconds, reading)
    : `${new Date(seconds * 1_000).toLocaleDateString(localeOf(language), weekday)}, ${formatDay(seconds, reading)}`;
  return name[0]!.toUpperCase() + name.slice(1);
}

/** The time of day: `14:05`. */
export function formatClock(
  seconds: EpochSeconds,
  { language, timeZone }: Pick<Reading, 'language' | 'timeZone'>,
): string {
  const options = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  return new Date(seconds * 1_000).toLocaleTimeString(localeOf(language), options);
}

/** The same within a sentence: `6 minutes ago`, `on 3 November`. */
export function formatWhen(seconds: EpochSeconds, reading: Reading): string {
  const text = formatAgo(seconds, reading);
  const { now, language } = reading;
  return now - seconds < RECENT_S ? text : `${LANGUAGES[language].texts.common.on} ${text}`;
}
