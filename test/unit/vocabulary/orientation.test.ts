import { expect, test } from 'vitest';
import { orientationOf } from '../../../src/feed/formats/resales/orientation.ts';
import { LANGUAGES } from '../../../src/lib/languages.ts';
import type { FeatureDocument } from '../../../src/portfolio/documents.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES } from '../../../src/portfolio/vocabulary/entries.ts';

const DIRECTIONS = {
  N: 'North',
  NE: 'North East',
  E: 'East',
  SE: 'South East',
  S: 'South',
  SW: 'South West',
  W: 'West',
  NW: 'North West',
};

const inXml = (labels: FeatureDocument['labels']) =>
  LANGUAGES.map(({ element }) => `<${element}>${labels[element]}</${element}>`).join('');

test.each(Object.entries(DIRECTIONS))('the direction %s of a unit has the labels of the feature %s', (code, label) => {
  const category = CATEGORY_ENTRIES.find((entry) => entry.code === 'Orientation')!;
  const feature = FEATURE_ENTRIES.find((entry) => entry.code === `Orientation: ${label}`)!;
  const languages = LANGUAGES.map((language) => language.code);
  expect(orientationOf(JSON.stringify([code]), languages)).toBe(
    `<category><name>${inXml(category.document.labels)}</name><value>${inXml(feature.document.labels)}</value></category>`,
  );
});
