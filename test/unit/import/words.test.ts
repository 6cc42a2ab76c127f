import { describe, expect, test } from 'vitest';
import { readAnswer, readPresence } from '../../../src/imports/values/flag.ts';
import { readFee, readPrice } from '../../../src/imports/values/number.ts';
import { readStatement } from '../../../src/imports/values/statement.ts';
import { readStatus } from '../../../src/imports/values/status.ts';
import STATUSES from '../../../src/imports/values/statuses.json' with { type: 'json' };
import UNITS from '../../../src/imports/values/units.json' with { type: 'json' };
import WORDS from '../../../src/imports/values/words.json' with { type: 'json' };
import { readFrequency } from '../../../src/imports/values/words.ts';
import NAMES from '../../../src/imports/xml/names.json' with { type: 'json' };
import { countryNamed } from '../../../src/vocabulary/countries.ts';

describe('a status', () => {
  /** As in Property Hive's importers, Reapit, RealForce, RESO, Realworks and agencies' programs. */
  test.each<[expected: string | undefined, texts: readonly string[]]>([
    [
      'Available',
      [
        'Available',
        'For Sale - Available',
        'forSale',
        'En venta',
        'À vendre',
        'Till salu',
        'Attivo',
      ],
    ],
    [
      'Under Offer',
      [
        'Under Offer',
        'Under offer - Available',
        'Onder bod',
        'Sous offre',
        'In trattativa',
        'Bajo oferta',
      ],
    ],
    [
      'Sale Agreed',
      ['Reserved until 30/11', 'Sold STC', 'SoldSTC', 'Sold Subject to Contract', 'Sous compromis'],
    ],
    [
      'Sale Agreed',
      ['Verkocht onder voorbehoud', 'Reserviert, Anzahlung wurde bezahlt', 'Señalizado', 'Pending'],
    ],
    [
      'Sold',
      ['Solgt', 'Såld', 'Verkauft', 'Vendu', 'Verkocht', 'Vendido', 'Venduto', 'Продано', 'Closed'],
    ],
    ['Sold', ["Vendu/loué par l'agence", 'Verkauft durch Konkurrenz', 'Sold by owner', 'SOLD!']],
    [
      'Withdrawn',
      ['Sold STC - Unavailable', 'Off the market', 'No longer available', 'underOfferUnavailable'],
    ],
    [
      'Withdrawn',
      ['Indisponible', 'Niet beschikbaar', 'Nicht mehr verfügbar', 'Ya no está disponible'],
    ],
    [
      'Withdrawn',
      ['Retirado', 'Ritirato', 'Indisponível', 'Trukket', 'Kommande', 'Vertrag gekündigt'],
    ],
    [
      'rented',
      ['Let agreed', 'Alquilado', 'Vermietet', 'Verhuurd', 'Loué', 'Affittato', 'Arrendado'],
    ],
    [
      undefined,
      ['not sold', 'Unsold', 'nicht verkauft', 'Available?? ask', 'maybe', '0', 'Status 7'],
    ],
    [undefined, ['Available from 2030', 'Disponible si el dueño quiere', 'valueOf', '']],
  ])('%s: %j', (expected, texts) => {
    const read = texts.map((text) => readStatus(text).value);
    expect(read.map((value) => (value?.rented ? 'rented' : value?.status))).toEqual(
      texts.map(() => expected),
    );
  });

  test('at least fifty words are known, in seven languages and more', () => {
    const { not: _, own: __, names: ___, ...meanings } = STATUSES;
    const languages = new Set(Object.values(meanings).flatMap((words) => Object.keys(words)));
    expect(languages.size).toBeGreaterThan(7);
    expect(
      Object.values(meanings).flatMap((words) => Object.values(words).flat()).length,
    ).toBeGreaterThan(50);
  });

  test('no word has two meanings', () => {
    const { not: _, own: __, names: ___, ...meanings } = STATUSES;
    const pairs = Object.entries(meanings).flatMap(([meaning, words]) =>
      [...new Set(Object.values(words).flat())].map((word) => [word, meaning] as const),
    );
    const doubled = [...Map.groupBy(pairs, ([word]) => word)].filter(([, all]) => all.length > 1);
    expect(doubled).toEqual([]);
  });
});

describe('the period of a price', () => {
  test.each<[expected: string | undefined, texts: readonly string[]]>([
    [
      'sale',
      ['sale', 'En venta', 'Verkauf', 'à vendre', 'te koop', 'til salgs', 'in vendita', 'à venda'],
    ],
    [
      'month',
      ['pcm', 'per calendar month', 'mensual', 'pro Monat', 'par mois', 'per maand', '/mnd'],
    ],
    ['month', ['pr. måned', 'per månad', 'al mese', 'por mês', 'perMonth', 'Kaltmiete', 'loyer']],
    [
      'week',
      ['pw', 'per week', 'por semana', 'pro Woche', 'par semaine', 'pr. uge', 'a settimana'],
    ],
    [
      'month on other terms',
      ['Quarterly', 'per annum', 'p.a.', 'pppw', 'Vierteljährlich', 'trimestral'],
    ],
    [
      'month on other terms',
      ['par an', 'per jaar', 'per år', 'all’anno'.replace('’', "'"), 'ao ano'],
    ],
    [
      'week on other terms',
      ['per night', 'noche', 'pro Nacht', 'par nuit', 'per dag', 'fortnightly'],
    ],
    [undefined, ['sold', 'foo', 'rent/sale', 'Alquiler y venta', 'constructor', '']],
  ])('%s: %j', (expected, texts) => {
    const read = texts.map((text) => readFrequency(text));
    expect(
      read.map(({ value, onOtherTerms }) => (onOtherTerms ? `${value} on other terms` : value)),
    ).toEqual(texts.map(() => expected));
  });

  test('no word has two meanings', () => {
    const pairs = Object.entries(WORDS.frequency).flatMap(([meaning, words]) =>
      words.map((word) => [word, meaning] as const),
    );
    const doubled = [...Map.groupBy(pairs, ([word]) => word)].filter(([, all]) => all.length > 1);
    expect(doubled).toEqual([]);
  });
});

describe('an amount with words', () => {
  test.each<[string, 'sale' | 'month' | 'week', number | null | undefined]>([
    ['1200 per month', 'month', 1_200],
    ['1200 per month', 'sale', undefined],
    ['1200 pw', 'month', undefined],
    ['2500 €/m2', 'sale', undefined],
    ['1.2 million', 'sale', 1_200_000],
    ['1,2 Mio €', 'sale', 1_200_000],
    ['250000 + IVA', 'sale', 250_000],
  ])('the price %s for a %s: %s', (text, frequency, expected) => {
    expect(readPrice(text, frequency).value).toBe(expected);
  });

  test.each<[string, number | undefined]>([
    ['120', 120],
    ['1200 € / year', 100],
    ['100 € al mes', 100],
    ['300 per quarter', undefined],
    ['3 €/m2', undefined],
  ])('the monthly fee %s: %s', (text, expected) => {
    expect(readFee(text, 'month').value).toBe(expected);
  });
});

test.each<[string, boolean | undefined]>([
  ['Private', true],
  ['8x4', true],
  ['Piscina comunitaria', true],
  ['2', true],
  ['Sin piscina', false],
  ['optional', false],
  ['Public pool nearby', false],
  ['Ask', undefined],
  ['x', undefined],
])('a pool %s: %s', (text, expected) => {
  expect(readPresence(text).value).toBe(expected);
});

test.each([...'yes sí ja oui sim tak да y'.split(' ')])('%s is yes', (text) => {
  expect(readAnswer(text)).toBe(true);
});

test.each([...'no nein non nee nej nei não nie нет n'.split(' ')])('%s is no', (text) => {
  expect(readAnswer(text)).toBe(false);
});

test.each<[string, string, boolean]>([
  ['Pool: no', 'Pool', false],
  ['Pool - No', 'Pool', false],
  ['Pool (no)', 'Pool', false],
  ['Piscina: sí', 'Piscina', true],
  ['Zwembad: nee', 'Zwembad', false],
  ['Moat = ja', 'Moat', true],
  ['Communal pool: Yes', 'Communal pool', true],
  ['Garage x 2', 'Garage', true],
  ['2 x Garage', 'Garage', true],
  ['Garage: 2', 'Garage', true],
  ['Garage: 0', 'Garage', false],
  ['Lift NO', 'Lift', false],
  ['Private pool (8x4)', 'Private pool', true],
  ['Orientación: NO', 'Orientación: NO', true],
  ['Moat x 2', 'Moat x 2', true],
  ['Pool: ask', 'Pool: ask', true],
  ['Pool (optional)', 'Pool', false],
  ['Pool (tiled)', 'Pool (tiled)', true],
])('the feature %s: %s, %s', (text, name, isPresent) => {
  const known = new Set(['Pool', 'Garage', 'Private pool', 'Communal pool', 'Lift']);
  expect(readStatement(text, (one) => known.has(one))).toEqual({ name, isPresent });
});

test.each<[string, string | undefined]>([
  ['ES', 'Spain'],
  ['España', 'Spain'],
  ['espana', 'Spain'],
  ['PRT', 'Portugal'],
  ['Deutschland', 'Germany'],
  ['UK', 'United Kingdom'],
  ['England', 'United Kingdom'],
  ['Costa del Sol', undefined],
])('the country %s: %s', (text, expected) => {
  expect(countryNamed(text)?.name).toBe(expected);
});

test.each([
  ['statuses.json', STATUSES],
  ['words.json', WORDS],
  ['units.json', UNITS],
  ['names.json', NAMES],
])('the list %s states the sources of its words, each with what it gives', (_, { sources }) => {
  expect(sources.length).toBeGreaterThan(1);
  for (const [url, what] of sources)
    expect([url, what]).toEqual([
      expect.stringMatching(/^https:\/\//),
      expect.stringMatching(/\w{4}/),
    ]);
});
