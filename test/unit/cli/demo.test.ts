import { existsSync, readdirSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import demo from '../../../src/demo/demo.ndjson?raw';
import { LANGUAGES } from '../../../src/lib/languages.ts';
import type { PropertyDocument, UnitDocument } from '../../../src/properties/documents.ts';
import { addressOf } from '../../../src/properties/pictures.ts';
import { isDemoPicture } from '../../../src/rules/about/pictures.ts';
import { DEMO, documentsOf, OTHER } from '../../support/accounts/demo.ts';

const of = (kind: string, agency = DEMO) =>
  agency.documents.filter((document) => document.kind === kind);
const properties = of('property') as PropertyDocument[];
const units = of('unit') as UnitDocument[];

test('DEMO has at least 60 properties, and both files have at most 500 KB', () => {
  expect(properties.length).toBeGreaterThanOrEqual(60);
  const bytes = ['demo', 'other'].map((name) => statSync(`src/demo/${name}.ndjson`).size);
  expect(bytes[0]! + bytes[1]!).toBeLessThanOrEqual(500_000);
});

test.each<[string, (p: PropertyDocument) => unknown[], readonly unknown[]]>([
  ['statuses', (p) => [p.status], ['Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn']],
  [
    'offers',
    (p) => Object.entries(p.offers).flatMap(([name, o]) => (o ? [name] : [])),
    ['sale', 'long_term', 'short_term'],
  ],
  ['languages', (p) => Object.keys(p.texts), LANGUAGES.map(({ element }) => element)],
  [
    'websites',
    (p) => [`${p.on_own_website} ${p.on_other_websites}`],
    ['true true', 'true false', 'false true', 'false false'],
  ],
  ['rented', (p) => [p.rented], [true, false]],
])('DEMO has properties with all %s', (_, of, all) => {
  expect(new Set(properties.flatMap(of))).toEqual(new Set(all));
});

test('every field of a property has a value in DEMO', () => {
  const unset = (value: unknown) =>
    value === null || value === false || (Array.isArray(value) && value.length === 0);
  const names = Object.keys(properties[0]!).filter((name) => name !== 'channels');
  expect(
    names.filter((name) => properties.every((p) => unset(p[name as keyof PropertyDocument]))),
  ).toEqual([]);
});

test('DEMO has three developments of 20 units, in every status, some of them with a property', () => {
  const developments = of('development');
  expect(developments).toHaveLength(3);
  for (const development of developments) {
    const own = units.filter((unit) => 'id' in development && unit.development === development.id);
    expect(own).toHaveLength(20);
    expect(new Set(own.map(({ status }) => status))).toEqual(new Set([1, 2, 4, 8]));
    expect(
      properties.filter(({ unit }) => unit?.development === own[0]?.development).length,
    ).toBeGreaterThan(5);
  }
  expect(units).toContainEqual(expect.objectContaining({ development: 'sol-azul', name: 'A-101' }));
  expect(of('unit', OTHER)).toContainEqual(
    expect.objectContaining({ development: 'mar-verde', name: 'A-101' }),
  );
});

describe.each([DEMO, OTHER].map((agency) => [agency.account.code, agency] as const))(
  '%s',
  (_, agency) => {
    const own = of('property', agency) as PropertyDocument[];

    // Four programs that fetch feeds take a document with this word for the message that another import is running.
    test('no text contains the word running, in any language', () => {
      expect(JSON.stringify(agency.documents).match(/.{0,40}running/i)?.[0]).toBeUndefined();
    });

    test('types, categories and features have labels in ten languages, features in the order of their categories', () => {
      const labelled = agency.documents.flatMap((d) =>
        'labels' in d ? [Object.keys(d.labels)] : [],
      );
      expect(new Set(labelled.map(String))).toEqual(
        new Set([LANGUAGES.map(({ element }) => element).join()]),
      );
      const categories = agency.documents.flatMap((d) => (d.kind === 'category' ? [d.code] : []));
      for (const { features } of own) {
        const places = features.map((code) => categories.indexOf(code.split(': ')[0]!));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }
    });

    test('every picture has a URL of its own, which ends in the name of one of a dozen JPEG files', () => {
      const urls = own.flatMap(({ pictures }) => pictures.map(addressOf));
      expect(new Set(urls).size).toBe(urls.length);
      expect(urls.filter((url) => !isDemoPicture(url))).toEqual([]);
      const names = new Set(urls.map((url) => /\/\d+-([a-z-]+\.jpg)$/.exec(url)?.[1]));
      expect([...names].filter((name) => !existsSync(`src/demo/pictures/${name}`))).toEqual([]);
    });
  },
);

test('the pictures are a dozen, and JPEG files of less than 40 KB', () => {
  const files = readdirSync('src/demo/pictures');
  expect(files).toHaveLength(12);
  for (const file of files) expect(statSync(`src/demo/pictures/${file}`).size).toBeLessThan(40_000);
});

test.each(['2026-03-01T00:00:00Z', '2031-12-31T23:59:59Z'])(
  'agencies created at %s: the last change is within the day before, and nothing else changes',
  (now) => {
    const documents = documentsOf(demo, Date.parse(now) / 1_000);
    const times = documents.flatMap((d) =>
      d.kind === 'property' ? [d.listed_at, d.source_changed_at, d.updated_at] : [],
    );
    const ago = times
      .filter((time) => time !== null)
      .map((time) => (Date.parse(now) - Date.parse(time)) / 86_400_000);
    expect(Math.min(...ago)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...ago)).toBeLessThan(1);
    expect(Math.max(...ago)).toBeLessThan(730);
    const withoutTimes = (text: unknown) =>
      JSON.stringify(text).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '');
    expect(withoutTimes(documents)).toBe(withoutTimes(DEMO.documents));
  },
);
