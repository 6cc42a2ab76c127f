import { element, escapeXml } from '../../../lib/bytes/xml.ts';
import { STORED_LANGUAGES } from '../../../lib/languages.ts';
import type { TypeDocument } from '../../../properties/documents.ts';
import { featureName, kyeroType } from '../../../vocabulary/kyero.ts';
import { ORIENTATION } from '../../../vocabulary/orientation.ts';
import type { VocabularyRead } from '../../../vocabulary/stored.ts';

/** An account's vocabulary as Kyero's records name it: in English, or else in the first language that has a label. */
export interface KyeroDictionary {
  readonly revision: string;
  /** By their codes. */
  readonly types: ReadonlyMap<string, KyeroType>;
  readonly features: ReadonlyMap<string, KyeroFeature>;
}

interface KyeroType {
  readonly type: string;
  /** What the type says more, unless the import would not find it. */
  readonly feature: string;
  /** The same in the extended form. */
  readonly subtype: string;
}

interface KyeroFeature {
  readonly node: string;
  /** Whether it is a direction: those of a unit replace those of the property. */
  readonly isOrientation: boolean;
}

/** Renders what records need of a vocabulary, once for all of them. */
export function renderDictionary(vocabulary: VocabularyRead): KyeroDictionary {
  const labels = vocabulary.features.flatMap(({ code, category, labels }) => {
    const label = STORED_LANGUAGES.map(({ element }) => labels[element]).find(isReadable);
    return label === undefined
      ? []
      : [{ code, category, label: label.replaceAll(/\s+/g, ' ').trim() }];
  });
  const byLabel = Map.groupBy(labels, ({ category, label }) => featureName(category, label));
  const features = labels.map(({ code, category, label }): [string, KyeroFeature] => {
    const name = featureName(category, label);
    const isUnique = byLabel.get(name)!.every((other) => other.category === category);
    const node = `<feature>${escapeXml(isUnique ? name : `${category} - ${label}`)}</feature>`;
    return [code, { node, isOrientation: category === ORIENTATION }];
  });
  return {
    revision: vocabulary.revision,
    types: new Map(vocabulary.types.map((type) => [type.code, typeNodes(type)])),
    features: new Map(features),
  };
}

/** The nodes of a type. */
export function typeNodes({ code, labels }: TypeDocument): KyeroType {
  const label = STORED_LANGUAGES.map(({ element }) => labels[element]).find((one) =>
    isReadable(one?.type),
  );
  const { name, detail, isBuiltIn } = kyeroType(code, label?.subtype ?? label?.type ?? code);
  return {
    type: element('type', name),
    feature: isBuiltIn ? element('feature', detail) : '',
    subtype: element('subtype', detail),
  };
}

function isReadable(text: string | undefined): boolean {
  return text !== undefined && escapeXml(text.trim()) !== '';
}
