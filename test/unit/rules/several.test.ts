import { describe, expect, test } from 'vitest';
import { addressOf } from '../../../src/properties/pictures.ts';
import { checkListings } from '../../../src/rules/check.ts';
import { pictureDigest } from '../../../src/rules/fingerprint.ts';
import type { Listing } from '../../../src/rules/listing.ts';
import { findAll, makeReport, reportOn } from '../../../src/rules/report.ts';
import { description, inSpanish, listing } from '../../support/accounts/listing.ts';

import { found, inEnglish, NOW, sale } from './cases.ts';

describe('several properties', () => {
  const other = listing({
    id: 'R2',
    ref: 'CS-2',
    beds: 2,
    pictures: listing().pictures.map((picture) => addressOf(picture).replace('r1', 'r2')),
    descriptions: { uk: description('Other.'), es: inSpanish('Otro.') },
  });

  test('different ones: nothing is found', () => {
    expect(found(listing(), other)).toEqual([]);
  });

  test('the same description: both are found, whatever the letter case', () => {
    const same = {
      ...other,
      descriptions: { ...other.descriptions, uk: listing().descriptions.uk!.toUpperCase() },
    };
    expect(found(listing(), same)).toEqual([
      'description_in_capitals R2 description/uk',
      'description_repeated R1 description/uk',
      'description_repeated R2 description/uk',
    ]);
  });

  test('the same property twice: both are found', () => {
    const twice = { ...other, beds: 3, pictures: listing().pictures };
    expect(found(listing(), twice)).toEqual([
      'property_repeated R1 id',
      'property_repeated R2 id',
      'first_picture_repeated R1 images/image[1]/url',
      'first_picture_repeated R2 images/image[1]/url',
      'picture_of_another_property R1 images/image[2]/url',
      'picture_of_another_property R2 images/image[2]/url',
    ]);
  });

  describe('the same picture', () => {
    const hosted = (origin: string, size: string) =>
      `${origin}/pictures/COSTA/${'5f1d7e2a'.repeat(4)}-${size}.jpg`;
    const one = (id: string, pictures: readonly string[], developmentName: string | null = null) =>
      listing({ ...other, id, ref: id, beds: id.length, pictures, developmentName });
    const shared = (...listings: readonly Listing[]) =>
      makeReport(
        [checkListings(listings)],
        { rule: 'picture_of_another_property' },
        NOW,
      ).findings.map(({ property, node, value }) => [property, node, value]);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `https://a.es/${name}.jpg`);

    test('is the one at an address, or with a content: found wherever it is not the main one', () => {
      expect(shared(one('R1', [a!, b!]), one('R22', [c!, d!, b!]))).toEqual([
        ['R1', 'images/image[2]/url', '= R22'],
        ['R22', 'images/image[3]/url', '= R1'],
      ]);
      const contents = [hosted('https://x.es', '2560'), hosted('https://y.es', 'full')] as const;
      expect(shared(one('R1', [contents[0]]), one('R22', [c!, contents[1]]))).toEqual([
        ['R22', 'images/image[2]/url', '= R1'],
      ]);
    });

    test('is not found twice in one property, as the main one of both, or in units of one development', () => {
      expect(shared(one('R1', [a!, b!, b!]), one('R22', [a!, c!]))).toEqual([]);
      const units = [one('R1', [a!, b!], 'Sol Azul'), one('R22', [c!, b!], 'Sol Azul')];
      expect(shared(...units)).toEqual([]);
      expect(shared(...units, one('R333', [d!, b!], 'Mar Azul'))).toEqual([
        ['R1', 'images/image[2]/url', '= R333'],
        ['R22', 'images/image[2]/url', '= R333'],
        ['R333', 'images/image[2]/url', '= R1'],
      ]);
    });
  });

  test('pictures that nobody can fetch: the first is named, and how many there are', () => {
    const { pictures } = listing();
    const unavailable = new Map(
      pictures
        .slice(1, 3)
        .map((picture) => [pictureDigest(addressOf(picture)), `404: ${addressOf(picture)}`]),
    );
    const all = findAll([checkListings([listing(), other])], undefined, unavailable);
    expect(reportOn(all, { rule: 'picture_unavailable' }, NOW).findings).toEqual([
      {
        rule: 'picture_unavailable',
        property: 'R1',
        node: 'images/image[2]/url',
        value: `404: ${addressOf(pictures[1]!)} (+1)`,
      },
    ]);
  });

  test('the same reference: both are found', () => {
    expect(found(listing(), { ...other, ref: 'cs-1 ' })).toEqual([
      'reference_repeated R1 ref',
      'reference_repeated R2 ref',
    ]);
  });

  test('ten with the same energy rating, pool and year: one finding, with how many there are', () => {
    const many = Array.from({ length: 10 }, (_, index) =>
      listing({
        id: `R${index}`,
        built_area: 100 + index,
        offers: { sale: sale(300_000 + index) },
      }),
    );
    const { findings } = makeReport([checkListings(many)], { rule: 'same_value_everywhere' }, NOW);
    expect(findings).toEqual([
      {
        rule: 'same_value_everywhere',
        property: 'R0',
        node: 'energy_rating, has_pool, built_year',
        value: 'C, B (×10) · true (×10) · 2004 (×10)',
      },
    ]);
    expect(found(...many.slice(1)).filter((text) => text.startsWith('same_value'))).toEqual([]);
    const different = [
      ...many.slice(1),
      listing({ emissions: 'A', has_pool: false, built_year: 1999 }),
    ];
    expect(found(...different).filter((text) => text.startsWith('same_value'))).toEqual([]);
  });

  test('in Spain without a description in Spanish: one finding', () => {
    const english = [listing(), other].map((one) => ({
      ...one,
      descriptions: { uk: one.descriptions.uk! },
    }));
    expect(found(...english)).toEqual(['no_spanish_description R1 description/es']);
    expect(
      found(...english.map((one) => ({ ...one, country: 'Portugal', province: 'Faro' }))),
    ).not.toContain('no_spanish_description R1 description/es');
  });

  test('21 at one place: each is found; 20 are not', () => {
    const many = Array.from({ length: 21 }, (_, index) =>
      listing({
        id: `R${index}`,
        ref: `CS-${index}`,
        beds: index,
        built_area: 400,
        bath: index,
        living_area: null,
        pictures: [],
        descriptions: { uk: description(`No. ${index}`) },
      }),
    );
    const shared = (some: readonly Listing[]) =>
      found(...some).filter((text) => text.startsWith('place_shared_by_many')).length;
    expect([shared(many), shared(many.slice(1))]).toEqual([21, 0]);
  });

  test('a language that half of the properties have: found where it is missing, as is one that is asked for', () => {
    const english = { ...other, descriptions: { uk: other.descriptions.uk! } };
    expect(found(listing(), english)).toEqual([
      'description_missing_in_language R2 description/es',
    ]);
    const asked = makeReport([checkListings([listing(), english])], { languages: ['de'] }, NOW);
    expect(asked.findings.filter(({ node }) => node === 'description/de')).toHaveLength(2);
  });
});

describe('a report', () => {
  test('has one finding for a property and a rule, whatever the number of languages', () => {
    const calls = Object.fromEntries(
      ['uk', 'es'].map((one) => [one, `${listing().descriptions.es} Tel. 612345678`]),
    );
    const report = makeReport([checkListings([listing({ descriptions: calls })])], {}, NOW);
    expect(report.findings.filter(({ rule }) => rule === 'description_with_phone')).toEqual([
      {
        rule: 'description_with_phone',
        property: 'R1',
        node: 'description/uk, description/es',
        value: '612345678',
      },
    ]);
    expect(report.rules.find(({ code }) => code === 'description_with_phone')?.properties).toBe(1);
  });

  test('counts a rule for some portals only if the account has chosen one of them, and none that it has muted', () => {
    const short = [checkListings([listing({ ...inEnglish('Nice flat.'), pictures: [] })])];
    const codes = (filter: object) => makeReport(short, filter, NOW).rules.map(({ code }) => code);
    expect(codes({})).toEqual(['no_pictures']);
    expect(codes({ portals: ['kyero'] })).toEqual(['no_pictures']);
    expect(codes({ portals: ['kyero', 'trovit'] })).toEqual([
      'no_pictures',
      'description_under_30_characters',
    ]);
    expect(codes({ portals: ['trovit'], portal: 'kyero' })).toEqual(['no_pictures']);
    expect(codes({ portals: ['trovit'], muted: ['no_pictures'] })).toEqual([
      'description_under_30_characters',
    ]);
    expect(codes({ muted: ['no_pictures'], rule: 'no_pictures' })).toEqual(['no_pictures']);
  });
});
