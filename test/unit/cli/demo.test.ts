import { describe, expect, test } from 'vitest';
import { demoAgency, otherAgency } from '../../../src/cli/demo/agencies.ts';
import { DEMO_TYPES } from '../../../src/cli/demo/vocabulary.ts';
import type { PropertyDocument, UnitDocument } from '../../../src/portfolio/documents.ts';

describe.each([demoAgency(), otherAgency()].map((agency) => [agency.account.code, agency] as const))(
  '%s',
  (_, agency) => {
    const properties = agency.documents.filter((d): d is PropertyDocument => d.kind === 'property');
    const units = agency.documents.filter((d): d is UnitDocument => d.kind === 'unit');

    // Four programs that fetch feeds take a document with this word for the message that another import is running.
    test('no text contains the word running, in any language', () => {
      expect(JSON.stringify(agency.documents).match(/.{0,40}running/i)?.[0]).toBeUndefined();
    });

    test('prices are whole numbers', () => {
      const prices = properties.flatMap(({ offers: { sale, long_term, short_term } }) => [
        sale?.price,
        sale?.minimum_price,
        long_term?.rent,
        short_term?.low,
        short_term?.high,
      ]);
      const known = [...prices, ...units.map(({ price }) => price)].filter((price) => price != null);
      expect(known.filter((price) => !Number.isInteger(price))).toEqual([]);
      expect(known.length).toBeGreaterThan(30);
    });

    test('features are listed in the order of their categories', () => {
      const categories = agency.documents.flatMap((d) => (d.kind === 'category' ? [d.code] : []));
      for (const { features } of properties) {
        const places = features.map((code) => categories.indexOf(code.split(': ')[0]!));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }
    });
  },
);

test('every demo type has names that public readers look up', () => {
  const known = [
    'Apartment - Ground Floor',
    'Apartment - Middle Floor',
    'Apartment - Penthouse',
    'Plot - Land',
    'Plot - Residential',
    'Townhouse - Terraced',
    'Villa - Detached',
  ];
  expect(DEMO_TYPES.map(({ olderType, olderSubtype }) => `${olderType.uk} - ${olderSubtype?.uk}`)).toSatisfy(
    (pairs: string[]) => pairs.length === 8 && pairs.every((pair) => known.includes(pair)),
  );
});
