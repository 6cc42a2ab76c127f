import * as z from 'zod';
import { isInSpain } from '../../vocabulary/provinces.ts';
import type { AllTexts } from '../texts/texts.ts';
import { readAmount } from '../units/form.ts';
import type { Kind } from './fields.ts';

/** What is wrong with a field: the name of a text. */
export type FormError = keyof AllTexts['properties']['form']['errors'];

/** What a text means as a value of the document, or what is wrong with it. */
export type Read = { readonly value: unknown } | { readonly error: FormError };

/** Where the property is, as typed: it decides what a postcode and coordinates can be. */
type Place = Parameters<typeof isInSpain>[0];

/** What a text that somebody has typed means; an empty one is `null`, and a kind without rules is the text. */
export function readText(kind: Kind, text: string, place: Place): Read {
  if (text === '') return { value: kind === 'lines' ? [] : null };
  return READERS[kind]?.(text, place) ?? { value: text };
}

const READERS: { readonly [Name in Kind]?: (text: string, place: Place) => Read } = {
  count: (text) => numberIn(text),
  amount: (text) => numberIn(text),
  price: (text) => numberIn(text, (price) => (price < 1 ? 'belowOne' : undefined)),
  area: (text) => {
    const read = numberIn(text.replace(/\s*(m²|m2|sqm|metros?|metres?)\.?$/i, ''));
    // Feeds have whole square metres.
    return 'value' in read ? { value: Math.round(read.value) } : read;
  },
  year: (text) =>
    numberIn(text, (year) => (year >= 1_000 && year <= 2_100 ? undefined : 'notYear')),
  email: (text) => given(text, z.email().safeParse(text).success, 'notEmail'),
  link: (text) => given(text, isWebAddress(text), 'notLink'),
  lines: (text) => ({ value: linesOf(text) }),
  postcode: (text, place) => {
    const isPostcode = isInSpain(place)
      ? /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/.test(text)
      : /\d/.test(text);
    return given(text, isPostcode, 'notPostcode');
  },
  coordinates: (text, place) => {
    const location = locationIn(text);
    if (location === undefined)
      return { error: text.includes('://') ? 'linkWithoutPlace' : 'notCoordinates' };
    const [latitude = 0, longitude = 0] = location;
    if (isInSpain(place) && !isSpain(latitude, longitude) && isSpain(longitude, latitude))
      return { error: 'swapped' };
    return { value: { latitude, longitude } };
  },
};

/** The lines of a text that have something. */
export function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}

/** Whether browsers elsewhere can open an address: not a path of somebody's computer. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]+\.[^\s/]/i.test(text) && URL.canParse(text);
}

function given(text: string, isRight: boolean, error: FormError): Read {
  return isRight ? { value: text } : { error };
}

function numberIn(
  text: string,
  wrong: (value: number) => FormError | undefined = () => undefined,
): { readonly value: number } | { readonly error: FormError } {
  const value = readAmount(text);
  if (value === null) return { error: 'notNumber' };
  const error = wrong(value);
  return error === undefined ? { value } : { error };
}

const DEGREES = String.raw`(-?\d{1,3}(?:\.\d+)?)`;

/** Where links to maps have a place: the place itself before the part of the map that is shown. */
const IN_LINKS = [
  `!3d${DEGREES}!4d${DEGREES}`,
  `[?&]mlat=${DEGREES}&mlon=${DEGREES}`,
  `[?&](?:q|query|ll|coordinate|destination|daddr|cp)=(?:loc:)?${DEGREES}[,~+ ]+${DEGREES}`,
  `^geo:${DEGREES},${DEGREES}`,
  `@${DEGREES},${DEGREES}`,
  `#map=[\\d.]+/${DEGREES}/${DEGREES}`,
].map((pattern) => new RegExp(pattern));

/** Latitude and longitude: `36.5101, -4.8825`, as maps show them, with decimal commas and a semicolon, or in a link to a map. */
function locationIn(text: string): number[] | undefined {
  const link = text.replaceAll(/%2c/gi, ',');
  const found = IN_LINKS.map((pattern) => pattern.exec(link)).find((match) => match !== null);
  const degrees =
    found?.slice(1) ??
    text
      .replaceAll('°', '')
      .split(text.includes('.') ? /[\s,;]+/ : /[\s;]+/)
      .map((one) => one.replace(',', '.').replace('−', '-'));
  const isPlace = degrees.length === 2 && degrees.every((one) => /^-?\d{1,3}(\.\d+)?$/.test(one));
  return isPlace ? degrees.map(Number) : undefined;
}

/** Whether a place is in the box around Spain with its islands. */
function isSpain(latitude: number, longitude: number): boolean {
  return latitude > 27 && latitude < 44 && longitude > -19 && longitude < 5;
}
