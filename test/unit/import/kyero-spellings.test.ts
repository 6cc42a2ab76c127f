import { describe, expect, test } from 'vitest';
import type { PropertyDocument } from '../../../src/properties/documents.ts';
import { readSource } from '../../support/documents/import-source.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import SPELLINGS from './kyero-spellings.json' with { type: 'json' };

/**
 * Nodes in the spelling of other programs, what is imported from them, and how each is reported. They were found in feeds
 * and in programs that write or read them: `desc` and `url` with an attribute for the language, dates as toISOString()
 * formats them or without a time, `en_tramite` and `exento` of certificates, coordinates of 0 for none and in degrees and
 * minutes, prices of 0 for none, `long_term_rental`, `status` of the program in `price_freq`, `image/tags`, `plot_area`
 * (public repositories, by a search for `<price_freq>`, `<part_ownership>` and `->energy_rating->consumption`); `address`,
 * `floor`, `commission`, `terrace` and `cadastralRef` (devdocs.resales-online.com, "Kyero format"); `catastral`,
 * `video_url`, `virtual_tour_url` and `prime` (the published test feed, kyero_v3_test_feed.xml).
 *
 * An expected `sale`, `month` or `week` is the price of the only offer.
 */
type Case = [given: string, nodes: KyeroNodes, imported: Expected, reports: readonly string[]];

type Expected = Partial<PropertyDocument> &
  Partial<Record<'sale' | 'month' | 'week', number | null>>;

/** Values that are longer than can be stored. */
const LONG: Case[] = [
  [
    'a description of 70,000 bytes',
    { desc: `<en>${'ñ'.repeat(35_000)}</en>` },
    { texts: { uk: { title: null, description: 'ñ'.repeat(32_768), url: null } } },
    ['texts.uk.description cut'],
  ],
  [
    '1,001 pictures',
    { images: many(1_001, (i) => `<image><url>${i}</url></image>`) },
    { pictures: Array.from({ length: 1_000 }, (_, i) => `${i}`) },
    ['images too_many'],
  ],
  [
    'a URL of a picture',
    { images: `<image><url>${'x'.repeat(1_025)}</url></image>` },
    { pictures: [] },
    ['images/image out_of_bounds'],
  ],
  [
    'a type of 300 characters',
    { type: 'x'.repeat(300), subtype: 'y'.repeat(300) },
    { type: 'x'.repeat(200) },
    ['subtype cut', 'type cut'],
  ],
  [
    '201 features',
    { features: many(201, (i) => `<feature>f${i}</feature>`) },
    { features: Array.from({ length: 200 }, (_, i) => `f${i}`) },
    ['features too_many'],
  ],
];

function many(count: number, of: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => of(index)).join('');
}

function completed({ sale, month, week, ...expected }: Expected): Partial<PropertyDocument> {
  const none = { sale: null, long_term: null, short_term: null };
  if (sale !== undefined)
    return { ...expected, offers: { ...none, sale: { price: sale, minimum_price: 0 } } };
  if (month !== undefined) return { ...expected, offers: { ...none, long_term: { rent: month } } };
  if (week === undefined) return expected;
  return { ...expected, offers: { ...none, short_term: { low: week, high: null, license: null } } };
}

const ALL = { ...SPELLINGS, 'a value that is too long': LONG } as unknown as Record<string, Case[]>;

describe.each(Object.entries(ALL))('%s', (_, cases) => {
  test.each(cases)('%s', async (_, nodes, expected, reports) => {
    const { properties, bad, interpreted } = await readSource(
      kyeroFeed([kyeroRecord('K1', nodes)]),
    );
    expect(bad).toEqual([]);
    expect(properties[0]).toMatchObject(completed(expected));
    expect(interpreted.map(({ node, kind }) => `${node} ${kind}`)).toEqual(reports);
  });

  test.each(cases.filter(([, , , reports]) => reports.length === 0))(
    '%s, with --strict',
    async (_, nodes, expected) => {
      const { properties, bad } = await readSource(kyeroFeed([kyeroRecord('K1', nodes)]), {
        strict: true,
      });
      expect(bad).toEqual([]);
      expect(properties[0]).toMatchObject(completed(expected));
    },
  );
});
