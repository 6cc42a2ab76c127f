import { DAY_SECONDS, type EpochSeconds, isoTime, toSeconds } from '../lib/time/time.ts';

const TIME = /(?<=")\d{4}-\d\d-\d\dT[^"]+(?=")/g;

/** A file with all times moved by the same number of days, so that the latest is within the day before `now`. */
export function recent(file: string, now: EpochSeconds): string {
  const times = file.match(TIME) ?? [];
  const latest = Math.max(...times.map((time) => toSeconds(time)));
  const moved = Math.floor((now - latest) / DAY_SECONDS) * DAY_SECONDS;
  return file.replaceAll(TIME, (time) => isoTime(toSeconds(time) + moved));
}

const PICTURE = /https?:\/\/[^/"]+(?=\/demo\/pictures\/)/g;

/** Where the pictures of a file are; `undefined` if it has none. */
export function pictureOrigin(file: string): string | undefined {
  return file.match(PICTURE)?.[0];
}

/** A file whose pictures are at an origin such as `http://localhost:8787`. */
export function withPicturesAt(file: string, origin: string): string {
  return file.replaceAll(PICTURE, origin);
}
