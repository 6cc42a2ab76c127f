import { expect, test } from 'vitest';
import type { FeedProperty } from '../../../src/feed/build/feed-properties.ts';
import type { FeedFormat } from '../../../src/feed/formats/format.ts';
import { KYERO } from '../../../src/feed/formats/kyero/format.ts';
import { RESALES } from '../../../src/feed/formats/resales/format.ts';
import type { VocabularyRead } from '../../../src/vocabulary/stored.ts';
import { property } from '../../support/accounts/portfolio.ts';

const EMPTY: VocabularyRead = { revision: '1', types: [], categories: [], features: [] };

/** A feature whose category is missing. */
const WITHOUT_CATEGORY: VocabularyRead = {
  ...EMPTY,
  features: [{ kind: 'feature', code: 'Deck', category: 'Boats', labels: { uk: 'Sun deck' } }],
};

const BOAT = {
  ...property('1', { type: 'House Boat', features: ['Deck'] }),
  ...{ updated_at: 1, descriptions: [null], urls: [], unit: null },
} as FeedProperty;

function written(format: FeedFormat, vocabulary: VocabularyRead): string {
  const { parameters } = format.parse({ Language: '1' });
  return format.writeProperties([BOAT], parameters, format.renderDictionary(vocabulary, [1])).text;
}

test('ReSales: a type that the vocabulary lacks is shown by its code, and a feature is left out', () => {
  for (const vocabulary of [EMPTY, WITHOUT_CATEGORY]) {
    const xml = written(RESALES as FeedFormat, vocabulary);
    expect(xml).toContain('<type><uk>House Boat</uk></type>');
    expect(xml).not.toContain('<characteristics>');
  }
});

test('Kyero: a type that the vocabulary lacks is shown by its code, and a feature is left out', () => {
  const xml = written(KYERO as FeedFormat, EMPTY);
  expect(xml).toContain('<type>House Boat</type>');
  expect(xml).not.toContain('<features>');
});
