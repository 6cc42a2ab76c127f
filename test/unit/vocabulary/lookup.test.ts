import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseFeatures, featuresNamed, typeNamed } from '../../../src/vocabulary/lookup.ts';
import { nameKey } from '../../../src/vocabulary/name-key.ts';

/** Names of features and types, each with the code that it has or with those that it does not have. */
const CASES = readFileSync(join(import.meta.dirname, 'names.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map(
    (line) => line.split('\t') as [kind: string, name: string, code: string, ...others: string[]],
  );

/** The feature codes for a list of names; `?` for an unknown name. */
function featuresOf(...names: string[]): string[] {
  return chooseFeatures(names.map((name) => featuresNamed(name))).map((e) => e?.code ?? '?');
}

describe('names are compared without regard to', () => {
  test.each([
    ['letter case', 'AIR CONDITIONING', 'air conditioning'],
    ['accents', 'Jardín', 'jardin'],
    ['accents written in two ways', 'Jardi\u0301n', 'Jard\u00edn'],
    ['punctuation', 'Air-Conditioning.', 'Air Conditioning'],
    ['spaces', 'Wi Fi', 'WiFi'],
    ['apostrophes', "Children's Pool", 'Children`s Pool'],
    ['&', 'Bed & Breakfast', 'Bed and Breakfast'],
    ['an English plural', 'Sea Views', 'Sea View'],
    ['an English plural in -ies', 'Balconies', 'Balcony'],
    ['an English plural in -es', 'Garages', 'Garage'],
    ['an English plural after -ce', 'Terraces', 'Terrace'],
    ['a Spanish plural', 'Terrazas', 'Terraza'],
    ['a Spanish plural in -es', 'Jardines', 'Jardín'],
    ['a Spanish plural in -ces', 'Luces', 'Luz'],
    ['a Spanish plural in -ones', 'Balcones', 'Balcón'],
  ])('%s: %s is %s', (_, one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  test.each([
    ['Sea', 'Seal'],
    ['Gas', 'Garage'],
    ['Bar', 'Barbeque'],
    ['Golf Views', 'Golf'],
    ['+', '-'],
  ])('but %s is not %s', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });
});

test.each(CASES.filter(([kind]) => kind === 'feature'))('%s %s: code %s', (_, name, code) => {
  expect(featuresOf(name)).toEqual([code]);
});

test.each(CASES.filter(([kind]) => kind === 'not feature'))(
  'a name claims no more than it says: %s: %s is none of %s',
  (_, name, ...codes) => {
    expect(codes).not.toContain(featuresOf(name)[0]);
  },
);

describe('a bare label in a list in the order of ReSales-Online', () => {
  test('Communal and Private, three times each', () => {
    const list = [
      'Close To Golf',
      'South',
      'Excellent',
      'Communal',
      'Private',
      'Air Conditioning',
      'Lift',
    ];
    const more = [
      'Fully Fitted',
      'Communal',
      'Private',
      'Gated Complex',
      'Communal',
      'Private',
      'Electricity',
    ];
    expect(featuresOf(...list, ...more)).toEqual([
      'Setting: Close To Golf',
      'Orientation: South',
      'Condition: Excellent',
      'Pool: Communal',
      'Pool: Private',
      'Climate Control: Air Conditioning',
      'Features: Lift',
      'Kitchen: Fully Fitted',
      'Garden: Communal',
      'Garden: Private',
      'Security: Gated Complex',
      'Parking: Communal',
      'Parking: Private',
      'Utilities: Electricity',
    ]);
  });

  test('without a pool: the garden', () => {
    expect(featuresOf('Air Conditioning', 'Lift', 'Communal', 'Gated Complex')[2]).toBe(
      'Garden: Communal',
    );
  });

  test('without anything between them: one after the other', () => {
    expect(featuresOf('Communal', 'Communal', 'Communal')).toEqual([
      'Pool: Communal',
      'Garden: Communal',
      'Parking: Communal',
    ]);
  });

  test('in Spanish', () => {
    const list = featuresOf(
      'Sur',
      'Excelente',
      'Comunitaria',
      'Aire acondicionado',
      'Ascensor',
      'Comunitario',
    );
    expect([list[2], list[5]]).toEqual(['Pool: Communal', 'Garden: Communal']);
  });

  test('Country, Golf, Street, Port and Beachfront before and after the climate control', () => {
    const setting = ['Beachfront', 'Country', 'Port', 'South', 'Good', 'Air Conditioning'];
    const others = [
      'Golf',
      'Port',
      'Country',
      'Street',
      'Lift',
      'Fully Fitted',
      'Street',
      'Resale',
      'Beachfront',
      'Golf',
    ];
    expect(
      featuresOf(...setting, ...others).filter((code) =>
        /Port|Country|Street|Beach|: Golf/.test(code),
      ),
    ).toEqual([
      'Setting: Beachfront',
      'Setting: Country',
      'Setting: Port',
      'Views: Golf',
      'Views: Port',
      'Views: Country',
      'Views: Street',
      'Parking: Street',
      'Category: Beachfront',
      'Category: Golf',
    ]);
  });

  test('Garden and Pool are views', () => {
    const list = featuresOf('South', 'Good', 'Air Conditioning', 'Sea', 'Garden', 'Pool', 'Lift');
    expect(list.slice(4, 6)).toEqual(['Views: Garden', 'Views: Pool']);
  });
});

describe('a bare label in any other list', () => {
  test('Garden and Pool are a garden and a pool', () => {
    expect(featuresOf('Pool', 'Garden', 'Terrace', 'Lift')).toEqual([
      'Pool: Pool',
      'Garden: Garden',
      'Features: Terrace',
      'Features: Lift',
    ]);
    const disorderly = [
      'Lift',
      'Sea',
      'Air Conditioning',
      'Excellent',
      'Resale',
      'Garden',
      'Close To Golf',
      'Pool',
    ];
    expect(featuresOf(...disorderly)).toEqual(
      expect.arrayContaining(['Garden: Garden', 'Pool: Pool']),
    );
  });

  test('Communal is unknown', () => {
    expect(featuresOf('Lift', 'Communal', 'Air Conditioning')).toEqual([
      'Features: Lift',
      '?',
      'Climate Control: Air Conditioning',
    ]);
  });

  test('Beachfront, Country and Port are the setting', () => {
    expect(featuresOf('Beachfront', 'Country', 'Port')).toEqual([
      'Setting: Beachfront',
      'Setting: Country',
      'Setting: Port',
    ]);
  });
});

test.each(CASES.filter(([kind]) => kind === 'type'))('%s %s: code %s', (_, name, code) => {
  expect(typeNamed(name)?.code).toBe(code);
});

test.each(CASES.filter(([kind]) => kind === 'not type'))(
  'a name claims no more than it says: %s: %s is not %s',
  (_, name, code) => {
    expect(typeNamed(name)?.code).not.toBe(code);
  },
);
