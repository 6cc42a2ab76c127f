import { labelsById, type VocabularyRead } from '../../../db/vocabulary.ts';
import { escapeXml } from '../../../lib/bytes/xml.ts';
import { LANGUAGES } from '../../../lib/languages.ts';
import { ORIENTATION } from '../orientation.ts';

/** An account's vocabulary as the XML that every record repeats, rendered once. */
export type Dictionary = ReturnType<typeof renderDictionary>;

/** Renders a vocabulary for some languages: codes 1 to 10, ascending. */
export function renderDictionary(vocabulary: VocabularyRead, languages: readonly number[]) {
  const typesIn = (type: 'type' | 'olderType', subtype: 'subtype' | 'olderSubtype') =>
    labelsById(vocabulary.types, (rows) => {
      const names = labelled(languages, labelsOf(rows, type), rows[0]!.code);
      const subtypes = labelled(languages, labelsOf(rows, subtype));
      return `<type>${names}</type>${subtypes === '' ? '' : `<subtype>${subtypes}</subtype>`}`;
    });
  const named = labelsById(vocabulary.categories, (rows) => ({
    id: rows[0]!.id,
    isOrientation: rows[0]!.code === ORIENTATION,
    name: `<name>${labelled(languages, labelsOf(rows, 'label'), rows[0]!.code)}</name>`,
  }));
  const categories = [...named.values()].sort((a, b) => Number(b.isOrientation) - Number(a.isOrientation));
  const places = new Map(categories.map(({ id }, place) => [id, place]));
  return {
    revision: vocabulary.revision,
    languages,
    currentTypes: typesIn('type', 'subtype'),
    olderTypes: typesIn('olderType', 'olderSubtype'),
    /** The features, each with the place of its category among the categories. */
    features: labelsById(vocabulary.features, (rows) => {
      const value = labelled(languages, labelsOf(rows, 'label'));
      return { category: places.get(rows[0]!.categoryId)!, value: value === '' ? '' : `<value>${value}</value>` };
    }),
    /** The orientation, which may come from a unit, comes before all others. */
    categories,
  };
}

/** Labels by language, those that XML can represent, in the order of the languages' codes: English first. */
function labelsOf<Key extends string>(
  rows: readonly ({ readonly language: number | null } & { readonly [key in Key]: string | null })[],
  key: Key,
): Map<number, string> {
  const labels = rows.flatMap(({ language, [key]: label }): [number, string][] =>
    language === null || label === null || escapeXml(label) === '' ? [] : [[language, label]],
  );
  return new Map(labels);
}

/** Shown for an entry without labels whose code XML cannot represent. */
const UNNAMED = '-';

/**
 * A child for each language: the label in that language, else the first. Without any label, a required node has the code:
 * readers reject a node without children.
 */
function labelled(languages: readonly number[], labels: ReadonlyMap<number, string>, code?: string): string {
  const [first = code === undefined || escapeXml(code) !== '' ? code : UNNAMED] = labels.values();
  return inLanguages(languages, (language) => labels.get(language) ?? first);
}

/** One child per language that has a text, in the order of the codes. */
export function inLanguages(
  languages: readonly number[],
  text: (language: number, index: number) => string | null | undefined,
): string {
  let children = '';
  languages.forEach((language, index) => {
    const escaped = escapeXml(text(language, index) ?? '');
    const { element } = LANGUAGES[language - 1]!;
    if (escaped !== '') children += `<${element}>${escaped}</${element}>`;
  });
  return children;
}
