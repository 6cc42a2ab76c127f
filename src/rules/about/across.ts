import type { Fingerprint } from '../fingerprint.ts';
import type { AccountRule, FoundIn } from '../rule.ts';
import { andOthers, pictureNode } from './pictures.ts';

/** How many properties may share coordinates, and from how many on a value that all of them share is hardly right. */
const MAX_AT_ONE_PLACE = 20;
const MIN_ALIKE = 10;

/** Properties that share a key, each with the first other one that has it. */
function sharing(
  traces: readonly Fingerprint[],
  keyOf: (trace: Fingerprint) => string,
  node: string,
): FoundIn[] {
  return groups(traces, keyOf).flatMap((group) =>
    group.map((trace) => {
      const other = group.find(({ id }) => id !== trace.id);
      return { property: trace.id, node, value: `= ${other?.id}` };
    }),
  );
}

/** The traces of each key that several have; the empty key is none. */
function groups(
  traces: readonly Fingerprint[],
  keyOf: (trace: Fingerprint) => string,
): Fingerprint[][] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const trace of traces) {
    const key = keyOf(trace);
    if (seen.size === seen.add(key).size) repeated.add(key);
  }
  repeated.delete('');
  if (repeated.size === 0) return [];
  // Of ten thousand properties, few are alike.
  const alike = traces.filter((trace) => repeated.has(keyOf(trace)));
  return [...Map.groupBy(alike, keyOf).values()];
}

function onTheFirst([first]: readonly Fingerprint[], node: string, value: string): FoundIn[] {
  return first === undefined ? [] : [{ property: first.id, node, value }];
}

function mainPicture({ pictures }: Fingerprint): string {
  return `${pictures[0] ?? ''}`;
}

/** Properties that the pictures of one are compared with at most: a logo is in all of them. */
const MOST_OTHERS = 3;

/**
 * Pictures other than the main one that another property has as well. Units of one development show the same pool, so these count
 * as one. An account may have millions of pictures, of which only those are looked at that occur twice.
 */
function sharedPictures(traces: readonly Fingerprint[]): FoundIn[] {
  const count = traces.reduce((sum, { pictures }) => sum + pictures.length, 0);
  const sorted = new Float64Array(count);
  let index = 0;
  for (const { pictures } of traces) for (const digest of pictures) sorted[index++] = digest;
  sorted.sort();
  const repeated = new Set(sorted.filter((digest, at) => digest === sorted[at - 1]));
  if (repeated.size === 0) return [];
  const owners = new Map<number, Fingerprint[]>();
  for (const trace of traces) {
    for (const digest of trace.pictures) {
      if (!repeated.has(digest)) continue;
      const known = owners.get(digest) ?? [];
      // Two are enough to name another one, whichever is asked about.
      if (known.length < 2 && !known.some((other) => isOne(other, trace)))
        owners.set(digest, [...known, trace]);
    }
  }
  return traces.flatMap((trace) => {
    const places = new Map<string, number>();
    for (const [at, digest] of trace.pictures.entries()) {
      const others = at > 0 ? owners.get(digest) : undefined;
      const other = others?.find((one) => !isOne(one, trace))?.id;
      if (other !== undefined && !places.has(other)) places.set(other, at + 1);
    }
    return [...places].slice(0, MOST_OTHERS).map(([other, at]) => ({
      property: trace.id,
      node: pictureNode(at),
      value: `= ${other}`,
    }));
  });
}

/** Whether two properties are the same one, or units of the same development. */
function isOne(a: Fingerprint, b: Fingerprint): boolean {
  return a.id === b.id || (a.development !== '' && a.development === b.development);
}

/** What is known of pictures that nobody can fetch, by their digests. */
export type UnavailablePictures = ReadonlyMap<number, string>;

/** The properties with pictures that nobody can fetch. */
export function unavailablePictures(
  traces: readonly Fingerprint[],
  unavailable: UnavailablePictures,
): FoundIn[] {
  if (unavailable.size === 0) return [];
  return traces.flatMap((trace) => {
    const found = trace.pictures.flatMap((digest, at) => {
      const value = unavailable.get(digest);
      return value === undefined ? [] : [{ node: pictureNode(at + 1), value }];
    });
    const [first] = found;
    if (first === undefined) return [];
    const value = `${first.value}${andOthers(found.length - 1)}`;
    return [{ property: trace.id, node: first.node, value }];
  });
}

export const ACCOUNT_CHECKS: Readonly<Record<string, AccountRule['compare']>> = {
  description_missing_in_language: (traces, languages) =>
    traces.flatMap(({ id, texts }) => {
      const missing =
        Object.keys(texts).length === 0 ? [] : languages.filter((language) => !(language in texts));
      return missing.map((language) => ({
        property: id,
        node: `description/${language}`,
        value: '',
      }));
    }),
  no_spanish_description: (traces) => {
    const described = traces.filter(({ texts }) => Object.keys(texts).length > 0);
    const isFound =
      described.filter(({ inSpain }) => inSpain).length * 2 > described.length &&
      described.every(({ texts }) => !('es' in texts));
    return isFound ? onTheFirst(described, 'description/es', '') : [];
  },
  same_value_everywhere: (traces) => {
    if (traces.length < MIN_ALIKE) return [];
    const isShared = ([node, value]: readonly [string, string]) =>
      traces.every(({ values }) => values[node] === value);
    const shared = Object.entries(traces[0]!.values).filter(isShared);
    return shared.flatMap(([node, value]) =>
      onTheFirst(traces, node, `${value} (×${traces.length})`),
    );
  },
  description_repeated: (traces) => {
    const languages = new Set(traces.flatMap(({ texts }) => Object.keys(texts)));
    return [...languages].flatMap((language) =>
      sharing(traces, ({ texts }) => texts[language] ?? '', `description/${language}`),
    );
  },
  property_repeated: (traces) =>
    sharing(
      traces,
      (trace) => (trace.facts === '' ? '' : `${trace.facts} ${mainPicture(trace)}`),
      'id',
    ),
  reference_repeated: (traces) =>
    sharing(traces, ({ reference }) => reference.trim().toLowerCase(), 'ref'),
  first_picture_repeated: (traces) => sharing(traces, mainPicture, pictureNode(1)),
  picture_of_another_property: sharedPictures,
  place_shared_by_many: (traces) =>
    groups(traces, ({ place }) => place)
      .filter((group) => group.length > MAX_AT_ONE_PLACE)
      .flatMap((group) =>
        group.map(({ id, place }) => ({ property: id, node: 'location', value: place })),
      ),
};
