import { type EpochSeconds, toSeconds } from './time.ts';

/** Whether IANA has a time zone of this name. */
export function isTimeZone(name: string): boolean {
  return timeZones().includes(name);
}

/** What the clocks of a time zone show, as if they showed UTC. */
export function toLocal(time: EpochSeconds, timeZone: string): EpochSeconds {
  return time + offsetAt(time, timeZone);
}

/**
 * When the clocks of a time zone show a time; an hour off for one that they skip, and either time for one that they show twice.
 *
 * @param local what they show, as if they showed UTC
 */
export function fromLocal(local: EpochSeconds, timeZone: string): EpochSeconds {
  const about = local - offsetAt(local, timeZone);
  // The clocks may change between then and that time in UTC.
  return local - offsetAt(about, timeZone);
}

/** When a day begins in a time zone. @param date `2026-11-29` */
export function startOfDay(date: string, timeZone: string): EpochSeconds {
  return fromLocal(toSeconds(date), timeZone);
}

/** The time zones to choose from. */
export function timeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}

/** By how many seconds the clocks of a time zone are ahead of UTC. */
function offsetAt(seconds: EpochSeconds, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(seconds * 1_000)
    .find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(parts) ?? [];
  const size = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60;
  return sign === '-' ? -size : size;
}
