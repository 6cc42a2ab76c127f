import { countryNamed } from '../../vocabulary/countries.ts';
import type { Reporting } from '../pipeline/notes.ts';
import { readLocation } from '../values/coordinates.ts';
import { ownText, trimmed, type XmlNode } from '../xml/node.ts';
import { childrenByName, understoodValue } from '../xml/reading.ts';
import { decided, measuredValue, singleText } from '../xml/value.ts';
import type { Part, Reader } from './readers.ts';

/** Other names of coordinates, as elements and as attributes. */
export const COORDINATES: Readonly<Record<string, string>> = {
  lat: 'latitude',
  lng: 'longitude',
  lon: 'longitude',
  long: 'longitude',
};

/** A coordinate; unknown if an attribute or a child may change what it means, such as `unit="rad"`. */
const degrees = decided((text) => ({ value: text }), measuredValue);

/** Two numbers in one text, such as `36.74,-3.87`. */
const PAIR = /^[^\p{L}]*\d[^\p{L}]*[,;\s][^\p{L}]*\d[^\p{L}]*$/u;

/**
 * The coordinates of a property: in two elements, two attributes, or one text.
 *
 * @param isOwn whether coordinates in the form of this service's feed are stored as they are,
 *   plausible or not
 */
export function location(isOwn: boolean): Reader {
  return (node, reporting) => {
    const [north, east] = coordinateTexts(node, reporting);
    if (north === undefined || east === undefined) return { unknown: ['location'] };
    if (north === '' && east === '') return { location: null };
    const given = { latitude: Number(north), longitude: Number(east) };
    const isComplete =
      north !== '' &&
      east !== '' &&
      Math.abs(given.latitude) <= 90 &&
      Math.abs(given.longitude) <= 180;
    const understood = isOwn && isComplete ? { value: given } : readLocation(north, east);
    const text = north === east ? north : `${north}, ${east}`;
    const value = understoodValue(reporting, node.name, node, understood, text);
    if (value === undefined && understood.how === 'unreadable') return { unknown: ['location'] };
    return { location: value ?? null };
  };
}

/**
 * @returns twice the same text if both are in one; `undefined` if the structure of one is
 *   unreadable
 */
function coordinateTexts(node: XmlNode, reporting: Reporting): (string | undefined)[] {
  const own = ownText(node);
  const isPair = PAIR.test(own);
  const children = { ...node, text: isPair ? '' : node.text };
  const found = childrenByName(children, ['latitude', 'longitude'], reporting, COORDINATES);
  const texts = (['latitude', 'longitude'] as const).map((name) => {
    const child = found[name];
    if (child !== undefined) {
      const value = degrees(child, `${node.name}/${child.name}`, reporting);
      return value && trimmed(value);
    }
    const attribute = Object.entries(node.attributes).find(
      ([key]) => (COORDINATES[key] ?? key) === name,
    );
    return attribute?.[1].trim() ?? '';
  });
  return isPair && texts.every((text) => text === '') ? [own, own] : texts;
}

/**
 * A country by its English name, whatever it is called in the file; one that is not known as it
 * stands.
 */
export function country(node: XmlNode, reporting: Reporting): Part {
  const given = singleText(node, node.name, reporting);
  if (given === undefined) return { unknown: ['country'] };
  if (given === '' || given === '-' || given === '0') return { country: undefined };
  const found = countryNamed(given);
  if (found?.name === given) return { country: given };
  const kind = found === undefined ? 'unknown_country' : 'spelling';
  const stored = found?.name ?? given;
  reporting.interpreted(node.name, kind, node.line, given, stored);
  return { country: stored };
}
