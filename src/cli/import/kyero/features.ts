import { ownText, words, type XmlNode } from '../xml/node.ts';
import { childrenWithNames } from './children.ts';
import type { FeatureName } from './names.ts';
import type { KyeroReading } from './reading.ts';
import { labelsOf, textsOf } from './texts.ts';

/** Maximum length of a feature's name. */
const LONGEST_NAME = 200;

/** Maximum number of features of a property. */
const MOST = 200;

/** The codes of the features in a node, whether plain or by language, without repetitions. */
export function featuresOf(node: XmlNode, reading: KyeroReading): string[] {
  const names = childrenOf(node, reading).flatMap((child): FeatureName[] => {
    const text = ownText(child);
    if (text !== '') return [{ name: cut(text, child, reading) }];
    const labels = Object.entries(labelsOf(textsOf(child, reading))).map(
      ([language, label]) => [language, cut(label, child, reading)] as const,
    );
    const [name] = labels.toSorted(([a], [b]) => Number(b === 'uk') - Number(a === 'uk'));
    return name === undefined ? [] : [{ name: name[1], labels: Object.fromEntries(labels) }];
  });
  const codes = reading.vocabulary.features(names);
  if (codes.length > MOST) reading.interpreted(node.name, 'too_many', node.line, `${codes.length}`, MOST);
  return codes.slice(0, MOST);
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
