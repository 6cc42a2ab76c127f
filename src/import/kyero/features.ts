import type { FeatureName } from '../names/names.ts';
import { isEmpty, ownText, words, type XmlNode } from '../xml/node.ts';
import { childrenWithNames, type KyeroReading } from './reading.ts';
import { labelsOf, textsOf } from './texts.ts';

/** Maximum length of a feature's name. */
const LONGEST_NAME = 200;

/** Maximum number of features of a property. */
const MOST = 200;

/** Kyero has no node for the status of a property: feeds of this service state it as a feature. */
const STATUSES = ['Under Offer', 'Sale Agreed'] as const;

/** The features of a property. */
export interface FeaturesRead {
  /** Whether any were given. */
  readonly hasFeatures: boolean;
  /** The codes of their entries, in order. */
  readonly features: string[];
  readonly featureStatus: (typeof STATUSES)[number] | undefined;
  /** The feature that is the subtype, in feeds of this service. */
  readonly featureSubtype: string | undefined;
}

/** The codes of the features in a node, whether plain or by language, without repetitions; and the status among them. */
export function featuresOf(node: XmlNode, reading: KyeroReading): FeaturesRead {
  const { vocabulary, type } = reading;
  const all = childrenOf(node, reading).flatMap((child) => nameOf(child, reading) ?? []);
  const subtype = all.find(({ name }) => vocabulary.isDetail(type, name));
  const names = all.filter((feature) => feature !== subtype && !STATUSES.some((status) => status === feature.name));
  const codes = vocabulary.features(names);
  if (codes.length > MOST) reading.interpreted(node.name, 'too_many', node.line, `${codes.length}`, MOST);
  return {
    hasFeatures: !isEmpty(node),
    features: codes.slice(0, MOST),
    featureStatus: STATUSES.find((status) => all.some(({ name }) => name === status)),
    featureSubtype: subtype?.name,
  };
}

/** The name of a feature, plain or by language. */
function nameOf(node: XmlNode, reading: KyeroReading): FeatureName | undefined {
  const text = ownText(node);
  if (text !== '') return { name: cut(text, node, reading) };
  const labels = Object.entries(labelsOf(textsOf(node, reading))).map(
    ([language, label]) => [language, cut(label, node, reading)] as const,
  );
  const [name] = labels.toSorted(([a], [b]) => Number(b === 'uk') - Number(a === 'uk'));
  return name === undefined ? undefined : { name: name[1], labels: Object.fromEntries(labels) };
}

/** One element per feature; a text without elements is a list of features. */
function childrenOf(node: XmlNode, reading: KyeroReading): XmlNode[] {
  const text = ownText(node);
  if (node.children.length > 0 || text === '') return childrenWithNames(node, ['feature'], reading);
  const names = text.split(/[,;|\n]/).map((name) => name.trim());
  reading.interpreted(node.name, 'text_split', node.line, text, names.join(' | '));
  return names.filter((name) => name !== '').map((name) => ({ ...node, text: name }));
}

function cut(name: string, node: XmlNode, reading: KyeroReading): string {
  const text = words(name);
  const letters = text.length <= LONGEST_NAME ? [] : [...text];
  if (letters.length <= LONGEST_NAME) return text;
  reading.interpreted('features/feature', 'cut', node.line, text, `${LONGEST_NAME} characters`);
  return letters.slice(0, LONGEST_NAME).join('').trim();
}
