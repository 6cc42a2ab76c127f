import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ACCOUNT_CHECKS } from '../../../src/rules/about/across.ts';
import { CHECKS, RULES, RULES_FORMAT } from '../../../src/rules/all.ts';
import { checkListings, isRefusedBy } from '../../../src/rules/check.ts';
import type { Portal } from '../../../src/rules/portals.ts';
import { makeReport } from '../../../src/rules/report.ts';
import TABLE from '../../../src/rules/rules.json' with { type: 'json' };
import {
  description,
  feature,
  type GivenListing,
  listing,
} from '../../support/accounts/listing.ts';

import {
  ABROAD,
  CASES,
  CHOSEN,
  found,
  IDEALISTA_CASES,
  inEnglish,
  NOW,
  PLOT,
  picture,
  SOL,
  sale,
} from './cases.ts';

describe('a property for Idealista', () => {
  test.each(IDEALISTA_CASES)('%s: %o', (rule, given, node, isOut) => {
    const one = listing(given);
    const { findings } = makeReport([checkListings([one])], { portal: 'idealista' }, NOW);
    const own = findings.filter((finding) => finding.rule.startsWith('idealista_'));
    expect(own).toEqual([{ rule, property: one.id, node, value: expect.any(String) }]);
    expect(isRefusedBy('idealista', one)).toBe(isOut);
  });

  test.each<[string, GivenListing]>([
    ['a flat', {}],
    ['a studio without a bedroom', { beds: 0, builtInType: 'studio-ground' }],
    ['a plot without rooms', { ...PLOT, plot_area: 900, built_area: null, beds: 0, bath: 0 }],
    ['a street without coordinates', { location: null, address: 'Calle Real 1' }],
    ['a unit without a place in a development with one', { location: null, development: SOL }],
    ['a price with decimals', { offers: { long_term: { rent: 950.5 } } }],
  ])('%s: is not refused, and no other portal refuses any', (_, given) => {
    expect(isRefusedBy('idealista', listing(given))).toBe(false);
    for (const portal of CHOSEN)
      expect(isRefusedBy(portal, listing({ location: null, beds: 0 }))).toBe(false);
  });
});

describe('a property', () => {
  test.each(CASES.map(([rule, given, node, ...others]) => ({ rule, given, node, others })))(
    '$rule: $given',
    ({ rule, given, node, others }) => {
      const changed = listing(given);
      const findings = found(changed);
      expect(findings).toContain(`${rule} ${changed.id} ${node}`);
      const rules = new Set(findings.map((finding) => finding.split(' ')[0]));
      expect([...rules].filter((code) => code !== rule && !others.includes(code!))).toEqual([]);
    },
  );

  test('without defects: nothing is found', () => {
    expect(found(listing())).toEqual([]);
  });

  const unlicensed = { offers: { short_term: { low: 700, high: 900, license: null } } };
  test.each<[string, GivenListing, string[]]>([
    ['Málaga', {}, ['Andalucía: Decreto 28/2016']],
    ['Alicante', { province: 'Alicante' }, ['Comunitat Valenciana: Decreto 10/2021']],
    ['Madrid, whose law is not among the sources', { province: 'Madrid' }, ['']],
    ['Faro, in Portugal', { province: 'Faro', country: 'Portugal' }, []],
  ])(
    'a holiday rental without a licence in %s: the finding names the law of the region',
    (_, given, values) => {
      const part = checkListings([listing({ ...unlicensed, ...given })]);
      const { findings } = makeReport([part], { rule: 'rental_license_missing' }, NOW);
      expect(findings.map(({ value }) => value)).toEqual(values);
    },
  );

  test('a plot of land: needs neither rooms nor an energy rating', () => {
    const plot = listing({
      ...PLOT,
      plot_area: 900,
      beds: 0,
      bath: 0,
      built_area: null,
      living_area: null,
      emissions: 'X',
      consumption: 'X',
      features: [],
      has_pool: false,
    });
    expect(found(plot)).toEqual([]);
  });

  test.each<[string, GivenListing]>([
    ['names of 50 characters', { town: 'M'.repeat(50) }],
    ['20 bathrooms', { bath: 20, beds: 14, built_area: 350 }],
    ['no costs a year', { community_fees: 0, ibi_fees: 0, garbage_tax: 0 }],
    [
      'a bedroom that the text mentions, and the data',
      { beds: 1, ...inEnglish(description('It has 1 bedroom.')) },
    ],
  ])('%s: nothing is found', (_, given) => {
    expect(found(listing(given)).filter((one) => !one.startsWith('baths_outside_trovit'))).toEqual(
      [],
    );
  });

  test.each([
    ['james-edition', 'price_below_james_edition', 489_999, 490_000],
    ['a-place-in-the-sun', 'price_outside_a_place_in_the_sun', 4_999, 5_000],
  ] as const)(
    '%s: a report for it tells which prices it does not take',
    (portal, rule, without, taken) => {
      const rulesFor = (price: number, filter: object) =>
        makeReport(
          [checkListings([listing({ offers: { sale: sale(price) } })])],
          filter,
          NOW,
        ).rules.map(({ code }) => code);
      expect(rulesFor(without, { portal })).toContain(rule);
      expect(rulesFor(taken, { portal })).not.toContain(rule);
      expect(rulesFor(without, {})).not.toContain(rule);
    },
  );

  test('findings that depend on the time: hold from when to when they say', () => {
    const part = checkListings([listing({ listedAt: NOW + 60, status: 'Sale Agreed' })]);
    const rulesAt = (now: number) => makeReport([part], {}, now).rules.map(({ code }) => code);
    expect(rulesAt(NOW)).toContain('listed_in_the_future');
    expect(rulesAt(NOW + 60)).not.toContain('listed_in_the_future');
    expect(rulesAt(NOW)).not.toContain('reserved_for_months');
    expect(rulesAt(NOW + 130 * 86_400)).toContain('reserved_for_months');
  });
});

describe('a property that is right', () => {
  const studio = { type: { uk: 'Apartment', es: 'Apartamento' }, beds: 0 };
  test.each<[string, GivenListing]>([
    [
      'a studio by its text: has no bedrooms',
      { ...studio, descriptions: { uk: description('Nice Studio.') } },
    ],
    [
      'a picture whose name has no extension, for Kyero',
      { pictures: picture('https://a.es/1?v=7') },
    ],
    ['a picture whose URL has a space', { pictures: picture('https://a.es/sea view.jpg') }],
    ['an identifier of 60 characters, for Kyero', { id: 'R'.repeat(60) }],
    ['a feature without a name in Spanish', { features: [feature('Views', { uk: 'Sea' })] }],
    ['five pictures', { pictures: listing().pictures.slice(1) }],
    [
      'a picture of the demo agencies',
      { pictures: picture('http://127.0.0.1:8787/demo/pictures/1.jpg') },
    ],
    ['the lowest rent that is plausible', { offers: { long_term: { rent: 100 } } }],
    [
      'a minimum price that is the price',
      { offers: { sale: { price: 350_000, minimum_price: 350_000 } } },
    ],
    [
      'a price of one season',
      { offers: { short_term: { low: null, high: 900, license: 'VFT/MA/1' } } },
    ],
    ['one precise coordinate', { location: { latitude: 36.51, longitude: -4.8825 } }],
    ['a place on the equator', { ...ABROAD, location: { latitude: 0, longitude: 9.4536 } }],
    ['a place at Greenwich', { ...ABROAD, location: { latitude: 51.4779, longitude: 0 } }],
    ['no Spanish cadastral reference, abroad', { ...ABROAD, cadastral_ref: 'pending' }],
    ['room for a pool', { has_pool: false, features: [feature('Pool', { uk: 'Room For Pool' })] }],
    [
      'no energy rating, as it is exempt',
      { emissions: 'X', consumption: 'X', energy_status: 'exempt' },
    ],
    ['an area in its text and in its data', inEnglish(description('Built 181 m2.'))],
  ])('%s: nothing is found', (_, given) => {
    expect(
      found({
        ...listing(given),
        descriptions: { ...listing().descriptions, ...given.descriptions },
      }),
    ).toEqual([]);
  });

  test('of a type without a subtype, as all of Kyero: found for ReSales-Online only', () => {
    const part = checkListings([listing({ subtype: {} })]);
    const codes = (portal: Portal) =>
      makeReport([part], { portal }, NOW).rules.map(({ code }) => code);
    expect(codes('kyero')).toEqual([]);
    expect(codes('resales-online')).toEqual(['no_subtype']);
  });
});

/** Of what the rules find in the cases, by RULES_FORMAT, which is part of the name of cached findings. */
const DIGESTS: Readonly<Record<number, string>> = {
  14: '0ca8873ac46acfa48bc1c9dc4e3068eb3c5ee1fb176388ffa7b4c996c37099bc',
};

describe('the rules', () => {
  test('find in the cases what they do in this RULES_FORMAT: raise it, and add the new digest, if they find something else', () => {
    const parts = [...CASES, ...IDEALISTA_CASES].map(([, given]) =>
      checkListings([listing(given)]),
    );
    expect(createHash('sha256').update(JSON.stringify(parts)).digest('hex')).toBe(
      DIGESTS[RULES_FORMAT],
    );
  });

  test('of rules.json have a check each, and each check has its rule', () => {
    for (const rule of RULES) {
      const { check, compare } = rule as { check?: unknown; compare?: unknown };
      if (!TABLE.other.some(({ code }) => code === rule.code))
        expect(check ?? compare, rule.code).toBeTypeOf('function');
    }
    const codes = [...TABLE.listing, ...TABLE.law, ...TABLE.idealista].map(({ code }) => code);
    expect(codes.toSorted()).toEqual(Object.keys(CHECKS).toSorted());
    expect(TABLE.account.map(({ code }) => code).toSorted()).toEqual(
      Object.keys(ACCOUNT_CHECKS).toSorted(),
    );
  });

  test('each has a case in cases.ts', () => {
    const across = RULES.filter(({ code }) =>
      /_repeated$|missing_in_language|shared_by_many|^no_spanish|everywhere|jumped|link_gone|of_another|unavailable/.test(
        code,
      ),
    );
    const onRequest = RULES.filter(
      ({ portals }) => portals && !portals.some((portal) => CHOSEN.includes(portal)),
    );
    const covered = new Set([
      ...[...CASES, ...IDEALISTA_CASES].map(([rule]) => rule),
      ...onRequest.map(({ code }) => code),
      ...across.map(({ code }) => code),
    ]);
    expect(RULES.filter(({ code }) => !covered.has(code)).map(({ code }) => code)).toEqual([]);
  });
});
