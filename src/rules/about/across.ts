import type { Fingerprint } from '../fingerprint.ts';
import type { AccountRule, FoundIn } from '../rule.ts';

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
  const byKey = Map.groupBy(traces, keyOf);
  byKey.delete('');
  return [...byKey.values()].filter((group) => group.length > 1);
}

function onTheFirst([first]: readonly Fingerprint[], node: string, value: string): FoundIn[] {
  return first === undefined ? [] : [{ property: first.id, node, value }];
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
    sharing(traces, ({ facts, picture }) => (facts === '' ? '' : `${facts} ${picture}`), 'id'),
  reference_repeated: (traces) =>
    sharing(traces, ({ reference }) => reference.trim().toLowerCase(), 'ref'),
  first_picture_repeated: (traces) =>
    sharing(traces, ({ picture }) => picture, 'images/image[1]/url'),
  place_shared_by_many: (traces) =>
    groups(traces, ({ place }) => place)
      .filter((group) => group.length > MAX_AT_ONE_PLACE)
      .flatMap((group) =>
        group.map(({ id, place }) => ({ property: id, node: 'location', value: place })),
      ),
};
