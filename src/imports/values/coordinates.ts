import type { Location } from '../../properties/checks.ts';
import { UNREADABLE, type Understood } from './interpretation.ts';
import { PLAIN_NUMBER } from './number.ts';

/** A location from the texts of its coordinates, in degrees or in degrees, minutes and seconds. */
export function readLocation(latitude: string, longitude: string): Understood<Location> {
  // No coordinates are longer, and reading such texts would take the cube of their length.
  if (latitude.length + longitude.length > 200) return UNREADABLE;
  const both =
    latitude === longitude || longitude === ''
      ? pair(latitude)
      : latitude === ''
        ? pair(longitude)
        : null;
  const [north, east] = both ?? [readDegrees(latitude, 'NS'), readDegrees(longitude, 'EWO')];
  if (north.value === undefined || east.value === undefined) return UNREADABLE;
  const value = { latitude: north.value, longitude: east.value };
  const how = both === null ? (north.how ?? east.how) : 'coordinates_format';
  if (value.latitude === 0 && value.longitude === 0)
    return { value: undefined, how: 'no_coordinates' };
  if (Math.abs(value.latitude) > 90 || Math.abs(value.longitude) > 180)
    return { value: undefined, how: 'out_of_bounds' };
  if (looksSwapped(value)) return { value, how: 'coordinates_swapped' };
  return how === undefined ? { value } : { value, how };
}

function pair(text: string): [Understood<number>, Understood<number>] | null {
  const parts = text.split(/\s*[,;]\s+|\s*;\s*|(?<=\d\.\d+),|\s+(?=-?\d+\.\d)/);
  return parts.length === 2 ? [readDegrees(parts[0]!, 'NS'), readDegrees(parts[1]!, 'EWO')] : null;
}

/** @param letters the letters of the two directions; the last one means negative */
function readDegrees(text: string, letters: 'NS' | 'EWO'): Understood<number> {
  if (PLAIN_NUMBER.test(text)) return { value: Number(text) };
  if (/^[+-]?\d+,\d+$/.test(text))
    return { value: Number(text.replace(',', '.')), how: 'decimal_comma' };
  const parts =
    /^([NSEWO])?\s*([+-]?\d+(?:[.,]\d+)?)\s*(?:[°º]|d(?:eg(?:rees)?)?)?\s*(?:(\d+(?:[.,]\d+)?)\s*['’′m]\s*(?:(\d+(?:[.,]\d+)?)\s*(?:["”″s]|'')?)?)?\s*([NSEWO])?$/i.exec(
      text,
    );
  if (parts === null) return UNREADABLE;
  const [, before, degrees, minutes, seconds, after] = parts;
  const letter = (before ?? after ?? '').toUpperCase();
  if (letter !== '' && !letters.includes(letter)) return UNREADABLE;
  const number = (part = '0') => Number(part.replace(',', '.'));
  const size = Math.abs(number(degrees)) + number(minutes) / 60 + number(seconds) / 3600;
  const negative =
    number(degrees) < 0 ||
    /^-/.test(degrees ?? '') ||
    (letter !== '' && letters.indexOf(letter) > 0);
  // Seven decimals are about a centimetre.
  return { value: Number(((negative ? -1 : 1) * size).toFixed(7)), how: 'coordinates_format' };
}

/** Whether the swapped coordinates would be in the Iberian peninsula, the Balearic or Canary Islands or France. */
function looksSwapped({ latitude, longitude }: Location): boolean {
  const within = (north: number, east: number) =>
    north >= 27 && north <= 51.5 && east >= -18.5 && east <= 9.7;
  return within(longitude, latitude) && !within(latitude, longitude);
}
