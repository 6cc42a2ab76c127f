import { builtInFeature } from '../../vocabulary/built-in.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES } from '../../vocabulary/entries.ts';
import { Tick } from '../frame/form.tsx';
import { Icon } from '../frame/icon.tsx';
import type { Language } from '../texts/language.ts';
import { useTexts, useVisitor } from '../visit.ts';
import { feedLanguage, inLanguage, inSentenceCase, type Names } from './property.ts';

/** A feature to tick. */
interface FeatureChoice {
  /** The name that the form sends. */
  readonly value: string;
  readonly label: string;
}

/** The features of the account and the built-in ones that it has not, by the names of their categories. */
function featureChoices(
  names: Names,
  language: Language,
): ReadonlyMap<string, readonly FeatureChoice[]> {
  const { categories, features } = names.vocabulary;
  const element = feedLanguage(language).element;
  const builtIn = CATEGORY_ENTRIES.map(({ document }) => document);
  const nameOf = new Map(
    [...builtIn, ...categories].map(({ code, labels }) => [
      code,
      inSentenceCase(inLanguage(labels, element) ?? code),
    ]),
  );
  const own = features.map((feature) => ({
    category: nameOf.get(feature.category) ?? feature.category,
    value: names.features.get(feature.code) ?? feature.code,
    label: inLanguage(feature.labels, element) ?? feature.code,
  }));
  const known = new Set(features.map(builtInFeature));
  const others = FEATURE_ENTRIES.filter(({ code }) => !known.has(code)).map((entry) => ({
    category: nameOf.get(entry.category)!,
    value: entry.code,
    label: inLanguage(entry.document.labels, element)!,
  }));
  const all = [...own, ...others].map((one) => ({ ...one, label: inSentenceCase(one.label) }));
  return Map.groupBy(all, ({ category }) => category);
}

/** The names of all features to tick. */
export function featureNames(names: Names, language: Language): string[] {
  return [...featureChoices(names, language).values()].flat().map(({ value }) => value);
}

/** Features of a group that are shown without unfolding the rest. */
const FEATURES_SHOWN = 8;

/** All features as chips in groups, in each those that are chosen first; where scripts run, with a search. */
export function FeatureTicks({
  within,
  name,
  names,
  chosen,
}: {
  /** The id of the element around them. */
  readonly within: string;
  readonly name: string;
  readonly names: Names;
  /** The names of the features that are ticked. */
  readonly chosen: readonly string[];
}) {
  const { language } = useVisitor();
  const texts = useTexts('properties').form;
  const ticked = new Set(chosen.map((one) => one.toLowerCase()));
  const isTicked = ({ value }: FeatureChoice) => ticked.has(value.toLowerCase());
  const groups = [...featureChoices(names, language)];
  const chip = (feature: FeatureChoice) => (
    <Tick name={name} value={feature.value} checked={isTicked(feature)} text={feature.label} />
  );
  const find = texts.findFeature({ count: groups.reduce((sum, [, all]) => sum + all.length, 0) });
  return (
    <>
      <div hidden data-finds={within}>
        <div class="bar">
          <div class="search">
            <Icon name="search" />
            <input type="search" aria-label={find} placeholder={find} />
          </div>
          <output class="small muted" data-text={texts.found} />
        </div>
      </div>
      {groups.map(([category, all]) => {
        const ordered = all.toSorted((a, b) => Number(isTicked(b)) - Number(isTicked(a)));
        const count = all.filter(isTicked).length;
        const first = Math.max(count, FEATURES_SHOWN);
        const rest = ordered.slice(first);
        return (
          <fieldset class="featured" aria-label={category}>
            <h3>
              {category}
              <small>{count > 0 && texts.chosen({ count })}</small>
            </h3>
            <div class="ticks">
              {ordered.slice(0, first).map(chip)}
              {rest.length > 0 && (
                <details>
                  <summary class="tick new">{texts.more({ count: rest.length })}</summary>
                  <div class="ticks">{rest.map(chip)}</div>
                </details>
              )}
            </div>
          </fieldset>
        );
      })}
    </>
  );
}
