import { expect, test } from 'vitest';
import { checkListings } from '../../../src/rules/check.ts';
import { listedVocabulary, listingOfDocument, listingOfRow } from '../../../src/rules/listing.ts';
import { FULL, property, VOCABULARY } from '../../support/accounts/portfolio.ts';

const KNOWN = listedVocabulary(VOCABULARY);

const {
  texts,
  unit: _,
  ...document
} = property('1', { ...FULL, updated_at: '2026-03-04T05:06:07Z' });

/** The same property as the database gives it. */
const row = {
  ...document,
  updated_at: Date.UTC(2026, 2, 4, 5, 6, 7) / 1_000,
  descriptions: [texts.uk!.description, texts.es!.description, null],
  urls: [],
  unit: null,
};

test('a property of the database and its document are the same listing', () => {
  const { it, ...both } = texts;
  const given = { ...property('1'), ...document, texts: both };
  expect(listingOfRow(row, [1, 2, 3], KNOWN)).toEqual(listingOfDocument(given, KNOWN));
});

test('a type and a feature that the vocabulary lacks: shown by their codes', () => {
  const listing = listingOfRow({ ...row, type: 'boat', features: ['Deck'] }, [1, 2, 3], KNOWN);
  expect(listing).toMatchObject({ builtInType: null, type: { uk: 'boat' }, subtype: {} });
  expect(listing.features).toEqual([{ builtIn: null, category: '', label: { uk: 'Deck' } }]);
});

test('what only the API has is in no listing, and so in no report', () => {
  const secrets = { commission: 'SECRET', email: 'SECRET', notes: 'SECRET' };
  const listings = [
    listingOfRow({ ...row, ...secrets } as never, [1, 2, 3], KNOWN),
    listingOfDocument(property('1', secrets), KNOWN),
  ];
  expect(JSON.stringify([listings, checkListings(listings)])).not.toContain('SECRET');
});
