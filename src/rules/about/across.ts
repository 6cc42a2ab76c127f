import { groupBy } from '../../lib/group-by.ts';
import { MOST_AT_A_PLACE } from '../limits.ts';
import type { AccountRule, FoundIn } from '../rule.ts';
import type { Trace } from '../trace.ts';

/** Properties that share a key, each with the first other one that has it. */
function sharing(traces: readonly Trace[], keyOf: (trace: Trace) => string, node: string): FoundIn[] {
  return groups(traces, keyOf).flatMap((group) =>
    group.map((trace) => {
      const other = group.find(({ id }) => id !== trace.id);
      return { property: trace.id, node, value: `= ${other?.id}` };
    }),
  );
}

/** The traces of each key that several have; the empty key is none. */
function groups(traces: readonly Trace[], keyOf: (trace: Trace) => string): Trace[][] {
  const byKey = groupBy(traces, keyOf);
  byKey.delete('');
  return [...byKey.values()].filter((group) => group.length > 1);
}

export const ACCOUNT_RULES: readonly AccountRule[] = [
  {
    code: 'description_missing_in_language',
    severity: 'warning',
    portals: [],
    compare: (traces, languages) =>
      traces.flatMap(({ id, texts }) => {
        if (Object.keys(texts).length === 0) return [];
        return languages
          .filter((language) => !(language in texts))
          .map((language) => ({ property: id, node: `description/${language}`, value: '' }));
      }),
  },
  {
    code: 'description_repeated',
    severity: 'warning',
    portals: [],
    compare: (traces) => {
      const languages = new Set(traces.flatMap(({ texts }) => Object.keys(texts)));
      return [...languages].flatMap((language) =>
        sharing(traces, ({ texts }) => texts[language] ?? '', `description/${language}`),
      );
    },
  },
  {
    code: 'property_repeated',
    severity: 'warning',
    portals: [],
    compare: (traces) => sharing(traces, ({ facts, picture }) => (facts === '' ? '' : `${facts} ${picture}`), 'id'),
  },
  {
    code: 'reference_repeated',
    severity: 'warning',
    portals: [],
    compare: (traces) => sharing(traces, ({ reference }) => reference.trim().toLowerCase(), 'ref'),
  },
  {
    code: 'first_picture_repeated',
    severity: 'info',
    portals: [],
    compare: (traces) => sharing(traces, ({ picture }) => picture, 'images/image[1]/url'),
  },
  {
    code: 'place_shared_by_many',
    severity: 'info',
    portals: [],
    compare: (traces) =>
      groups(traces, ({ place }) => place)
        .filter((group) => group.length > MOST_AT_A_PLACE)
        .flatMap((group) => group.map(({ id, place }) => ({ property: id, node: 'location', value: place }))),
  },
];
