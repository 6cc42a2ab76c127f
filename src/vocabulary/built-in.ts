import type { FeatureDocument, TypeDocument } from '../properties/documents.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES, TYPE_ENTRIES } from './entries.ts';
import { featuresNamed, typeNamed } from './lookup.ts';

const TYPES: ReadonlySet<string> = new Set(TYPE_ENTRIES.map(({ code }) => code));
const CATEGORIES: ReadonlySet<string> = new Set(CATEGORY_ENTRIES.map(({ code }) => code));
const FEATURES: ReadonlySet<string> = new Set(FEATURE_ENTRIES.map(({ code }) => code));

/** Categories whose features say too little without them: `Fitted` may be wardrobes instead of a kitchen. */
const NEEDED: readonly string[] = [
  'Orientation',
  'Condition',
  'Pool',
  'Views',
  'Furniture',
  'Kitchen',
  'Garden',
  'Parking',
];

/**
 * The code of the built-in type that a type is, whatever its labels; `null` if it is none. A type of the account's own is the one
 * that its code, or else a label in English or Spanish, names: the subtype before the type.
 */
export function builtInType({
  code,
  labels,
}: Pick<TypeDocument, 'code' | 'labels'>): string | null {
  if (TYPES.has(code)) return code;
  const given = [labels.uk, labels.es].filter((label) => label !== undefined);
  const subtypes = given.flatMap(({ type, subtype }) =>
    subtype === null ? [] : [`${type} ${subtype}`, subtype],
  );
  return firstFound(
    [code, ...subtypes, ...given.map(({ type }) => type)],
    (name) => typeNamed(name)?.code,
  );
}

/**
 * The code of the built-in feature that a feature is, whatever its labels; `null` if it is none. A feature of the account's own is
 * the one that its code, or else its label in English or Spanish, names in its category.
 */
export function builtInFeature(
  feature: Pick<FeatureDocument, 'code' | 'category' | 'labels'>,
): string | null {
  const { code, category, labels } = feature;
  if (FEATURES.has(code)) return code;
  return firstFound([code, labels.uk, labels.es], (name) => {
    const candidates = featuresNamed(name);
    if (CATEGORIES.has(category)) return candidates.find((one) => one.category === category)?.code;
    const [joined] = featuresNamed(`${category} ${name}`);
    const [alone, ...others] = candidates;
    if (joined !== undefined) return joined.code;
    return alone === undefined || others.length > 0 || NEEDED.includes(alone.category)
      ? undefined
      : alone.code;
  });
}

function firstFound(
  names: readonly (string | undefined)[],
  find: (name: string) => string | undefined,
): string | null {
  for (const name of names) {
    const found = name === undefined ? undefined : find(name);
    if (found !== undefined) return found;
  }
  return null;
}
