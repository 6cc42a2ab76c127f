import type { FeatureLabel, VocabularyRead } from '../../../db/vocabulary.ts';
import { element, escapeXml } from '../../../lib/bytes/xml.ts';
import { ORIENTATION } from '../orientation.ts';
import { featureName, kyeroType } from './names.ts';

/** An account's vocabulary as Kyero's records name it: in English, or else in the first language that has a label. */
export type KyeroDictionary = ReturnType<typeof renderDictionary>;

export function renderDictionary(vocabulary: VocabularyRead) {
  const types = [...Map.groupBy(vocabulary.types, ({ id }) => id)].map(([id, rows]) => {
    const { code } = rows[0]!;
    const labelled = rows.find(({ type }) => isReadable(type));
    const { name, detail, isBuiltIn } = kyeroType(code, labelled?.subtype ?? labelled?.type ?? code);
    // What the type says more, unless the import would not find it; in the extended form, it is the subtype.
    const feature = isBuiltIn ? element('feature', detail) : '';
    return [id, { type: element('type', name), feature, subtype: element('subtype', detail) }] as const;
  });
  const categories = new Map(vocabulary.categories.map(({ id, code }) => [id, code]));
  const labels = [...Map.groupBy(vocabulary.features, ({ id }) => id)].flatMap(([id, rows]) => {
    const labelled = rows.find(({ label }) => isReadable(label));
    return labelled === undefined
      ? []
      : [{ id, category: categories.get(labelled.categoryId)!, label: textOf(labelled) }];
  });
  const byLabel = Map.groupBy(labels, ({ category, label }) => featureName(category, label));
  const features = labels.map(({ id, category, label }) => {
    const name = featureName(category, label);
    const isUnique = byLabel.get(name)!.every((other) => other.category === category);
    const node = `<feature>${escapeXml(isUnique ? name : `${category} - ${label}`)}</feature>`;
    // The directions of a unit replace those of the property.
    return [id, { node, isOrientation: category === ORIENTATION }] as const;
  });
  return { revision: vocabulary.revision, types: new Map(types), features: new Map(features) };
}

function isReadable(text: string | null): boolean {
  return text !== null && escapeXml(text.trim()) !== '';
}

function textOf({ label }: FeatureLabel): string {
  return label!.replaceAll(/\s+/g, ' ').trim();
}
