import { isoTime } from '../lib/time.ts';
import type { UnitStatus } from '../units/schemas.ts';
import type { Language } from './texts/language.ts';
import type { Texts } from './texts/texts.ts';

/** The words for the status of a unit. */
export function statusNames(texts: Texts): Readonly<Record<UnitStatus, string>> {
  return { 1: texts.available, 2: texts.hold, 8: texts.reserved, 4: texts.sold };
}

/** The code of ISO 639-1 of a language's element: in feeds, English is `uk` and Ukrainian `ua`. */
export function isoCode(element: string): string {
  return { uk: 'en', ua: 'uk' }[element] ?? element;
}

/** A number as it is written in a language. */
export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2, useGrouping: 'always' } as object).format(value);
}

/** A price as it is written in a language, with all of its digits. */
export function formatPrice(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 15, useGrouping: 'always' } as object).format(
    value,
  );
}

/** A number of bytes in a readable unit. */
export function formatBytes(bytes: number, language: Language): string {
  return bytes < 1_000_000
    ? `${formatNumber(Math.ceil(bytes / 1_000), language)} KB`
    : `${formatNumber(Math.round(bytes / 100_000) / 10, language)} MB`;
}

/** A time, in UTC. */
export function Time({ seconds, language }: { readonly seconds: number; readonly language: Language }) {
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return <time datetime={isoTime(seconds)}>{`${shown.format(seconds * 1000)} UTC`}</time>;
}
