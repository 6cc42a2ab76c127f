import { DAY_SECONDS, isoTime, toSeconds } from '../../lib/time/time.ts';
import type { Reporting } from '../pipeline/notes.ts';
import type { XmlNode } from '../xml/node.ts';
import { type InterpretationKind, UNREADABLE, type Understood } from './interpretation.ts';

const YEAR_10000 = Date.UTC(10_000, 0) / 1000;

/**
 * A time as ISO 8601 in whole seconds of UTC, from `YYYY-MM-DD hh:mm:ss` in UTC or from another form. Numbers separated
 * by slashes or dots are day, month, year, as in Europe, unless only another order is a valid date. A date before 1970
 * counts as unknown, since programs write 0000-00-00, 0001-01-01 or 1900-01-01 for it.
 */
export function readTime(text: string): Understood<string> {
  const [seconds, how] = secondsOf(text);
  if (seconds === undefined || Number.isNaN(seconds) || seconds >= YEAR_10000) {
    return /^0{4}-?0{2}-?0{2}/.test(text) ? { value: undefined, how: 'no_date' } : UNREADABLE;
  }
  if (seconds < 0) return { value: undefined, how: 'no_date' };
  return how === undefined ? { value: isoTime(seconds) } : { value: isoTime(seconds), how };
}

/** When a property was listed: a day from now at the latest, since nothing is listed in the future. */
export function listingTime(
  given: string | null | undefined,
  now: string,
  node: XmlNode | undefined,
  reporting: Reporting,
): string {
  if (given == null) return now;
  if (given <= isoTime(toSeconds(now) + DAY_SECONDS)) return given;
  reporting.interpreted('listed_at', 'out_of_bounds', node?.line ?? 0, given, now);
  return now;
}

/**
 * A date in English, with the name of its month, or with AM or PM: `Wed, 04 Mar 2026 05:06:07 +0100` (RFC 5322),
 * `Mar  4 2026  5:06AM` (SQL Server), `3/4/2026, 5:06:07 AM` (the 4th of March).
 */
const ENGLISH =
  /\b(19|20)\d\d\b.*\d ?[ap]m$|^(?=.*\b(19|20)\d\d\b).*\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

function secondsOf(text: string): [seconds: number | undefined, how?: InterpretationKind] {
  const plain = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)$/.exec(text);
  if (plain !== null) return [seconds(plain)];
  const iso =
    /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[ T]*(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
  // Single digits, such as the hour that .NET writes in Spanish: `24/03/2026 5:06:07`.
  const padded = text.replaceAll(/(?<![\d.])\d(?=[-/:\s]|$)/g, '0$&');
  const year = iso.exec(padded);
  if (year !== null) return [seconds(year), 'date_format'];
  const european = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[ T,]*(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(
    padded,
  );
  if (european !== null) {
    const [, first = '', , second = '', year = '', ...time] = european;
    const [day, month] = Number(second) > 12 ? [second, first] : [first, second];
    return [seconds(['', year, month, day, ...time]), 'date_format'];
  }
  if (/^\d{9,10}$/.test(text)) return [Number(text), 'date_format'];
  if (/^\d{13}$/.test(text)) return [Math.floor(Number(text) / 1000), 'date_format'];
  if (ENGLISH.test(text)) {
    const isZoned = /:\d\d *(?![ap]m)[+\-a-z]/i.test(text);
    const milliseconds = Date.parse(
      isZoned ? text : `${text.replace(/(\d)([ap]m)$/i, '$1 $2')} UTC`,
    );
    // For a day that the month lacks, Date.parse gives one of the next month.
    const isDay =
      isZoned || new RegExp(`\\b0?${new Date(milliseconds).getUTCDate()}\\b`).test(text);
    return [isDay ? Math.floor(milliseconds / 1000) : undefined, 'date_format'];
  }
  return [undefined];
}

/** @param parts the groups of a pattern: year, month, day, and optionally hours, minutes, seconds and an offset */
function seconds([, year, month, day, hours = '0', minutes = '0', secs = '0', zone]: readonly (
  | string
  | undefined
)[]): number | undefined {
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // Date.UTC maps years below 100 to 19xx, and rolls invalid days over to the next month.
  if (Number(year) < 100) return Number(month) === 0 ? undefined : -1;
  const back = new Date(date);
  if (back.getUTCMonth() !== Number(month) - 1 || back.getUTCDate() !== Number(day))
    return undefined;
  const midnight = Number(hours) === 24 && Number(minutes) === 0 && Number(secs) === 0;
  if ((Number(hours) > 23 && !midnight) || Number(minutes) > 59 || Number(secs) > 59)
    return undefined;
  const [, sign, offsetHours = '0', offsetMinutes = '0'] =
    /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? [];
  const offset =
    (sign === '-' ? -1 : 1) * (Number(offsetHours) * 3600 + Number(offsetMinutes) * 60);
  return date / 1000 + Number(hours) * 3600 + Number(minutes) * 60 + Number(secs) - offset;
}
