import { describe, expect, test } from 'vitest';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { documents, importError, load, openImporter, theProperty } from './importing.ts';

describe('import of a Kyero record', () => {
  test('with every node: all values are stored', async () => {
    const agency = await openImporter();
    const report = await load(
      agency,
      kyeroFeed([
        kyeroRecord('K1', {
          new_build: '1',
          type: 'Detached  villa',
          country: 'Spain',
          location: '<latitude>36.51</latitude><longitude>-4.88</longitude>',
          location_detail: 'Nueva Andalucía',
          beds: '3',
          baths: '2',
          pool: '1',
          surface_area: '<built>120</built><plot>500.4</plot><terrace>20</terrace>',
          energy_rating: '<consumption>b</consumption><emissions>X</emissions>',
          url: '<en>https://a.example/en?x=1&amp;y=2</en><es>https://a.example/es</es>',
          desc: '<en><![CDATA[ A & B\r\n<b>bold</b> ]]></en><es>Uno&#13;\nDos ñ 🏡</es><sv></sv>',
          features:
            '<feature>sea views</feature><feature>Own helipad</feature><feature>Sea View</feature>',
          images:
            '<image id="2"><url>https://p.example/2.jpg</url></image><image id="1"><url> https://p.example/1.jpg?v=1&amp;w=2 </url></image>',
          postcode: '29660',
          cadastralRef: '1234567AB',
          community_fees: '120.5',
          video_url: 'https://v.example/1',
          virtual_tour_url: 'https://t.example/1',
          status: 'Reserved',
        }),
      ]),
    );
    expect(report).toMatchObject({ format: 'kyero', read: 1, rejected: 0, ignored: [] });
    expect(await theProperty(agency)).toEqual({
      kind: 'property',
      id: 'K1',
      ref: 'R-K1',
      type: 'villa',
      unit: null,
      status: 'Sale Agreed',
      rented: false,
      on_own_website: true,
      on_other_websites: true,
      listed_at: '2026-03-04T05:06:07Z',
      source_changed_at: '2026-03-04T05:06:07Z',
      updated_at: expect.any(String),
      restrictions: [],
      currency: 'EUR',
      town: 'Marbella',
      area: 'Nueva Andalucía',
      province: 'Málaga',
      country: 'Spain',
      postcode: '29660',
      location: { latitude: 36.51, longitude: -4.88 },
      beds: 3,
      bath: 2,
      built_area: 120,
      plot_area: 500,
      terrace_area: 20,
      living_area: null,
      built_year: null,
      community_fees: 120.5,
      garbage_tax: null,
      ibi_fees: null,
      channels: [],
      cadastral_ref: '1234567AB',
      has_pool: true,
      has_garden: false,
      has_garage: false,
      emissions: 'X',
      energy_status: null,
      consumption: 'B',
      virtual_tour_url: 'https://t.example/1',
      video_url: 'https://v.example/1',
      new_build: true,
      leasehold: false,
      part_ownership: false,
      prime: false,
      commission: null,
      address: null,
      floor: null,
      email: null,
      notes: null,
      offers: { sale: { price: 250_000, minimum_price: 0 }, long_term: null, short_term: null },
      texts: {
        uk: { title: null, description: 'A & B\n<b>bold</b>', url: 'https://a.example/en?x=1&y=2' },
        es: { title: null, description: 'Uno\r\nDos ñ 🏡', url: 'https://a.example/es' },
      },
      pictures: ['https://p.example/1.jpg?v=1&w=2', 'https://p.example/2.jpg'],
      features: ['Views: Sea', 'Own helipad'],
    });
  });

  test('with features in several languages, new types and new features: entries are created', async () => {
    const agency = await openImporter();
    const features =
      '<feature><es>Huerto</es><en>Orchard</en><fi>x</fi></feature><feature><de>Weinkeller</de></feature>';
    await load(agency, kyeroFeed([kyeroRecord('K1', { type: 'Lighthouse', features })]));
    const vocabulary = (await documents(agency)).filter(
      ({ kind }) => kind !== 'property' && kind !== 'category',
    );
    expect(vocabulary).toEqual([
      {
        kind: 'type',
        code: 'Lighthouse',
        labels: {
          uk: { older_type: 'Lighthouse', older_subtype: null, type: 'Lighthouse', subtype: null },
        },
      },
      {
        kind: 'feature',
        code: 'Orchard',
        category: 'Features',
        labels: { uk: 'Orchard', es: 'Huerto', fi: 'x' },
      },
      { kind: 'feature', code: 'Weinkeller', category: 'Features', labels: { de: 'Weinkeller' } },
    ]);
  });

  test('that is repeated: counted once; with --strict: rejected', async () => {
    const agency = await openImporter();
    const feed = kyeroFeed([kyeroRecord('a'), kyeroRecord('a')]);
    expect((await importError(agency, feed, { strict: true })).code).toBe('bad_records');
    const { properties: counts, interpreted } = await load(agency, feed);
    expect(counts).toMatchObject({ read: 1, written: 1, rejected: 0 });
    expect(interpreted).toMatchObject([{ node: 'property', interpretation: 'repeated', times: 1 }]);
  });

  test('whose identifier is repeated with other content, or differs only in -LT: the later one is rejected', async () => {
    const agency = await openImporter();
    const feed = kyeroFeed([
      kyeroRecord('a', { beds: '1' }),
      kyeroRecord('a', { beds: '2' }),
      kyeroRecord('a-LT'),
    ]);
    const { rejected_records } = await load(agency, feed);
    expect(rejected_records).toEqual([
      {
        line: 16,
        kind: 'property',
        id: 'a',
        problems: [
          expect.objectContaining({
            field: 'id',
            code: 'duplicate_record',
            parameters: { line: 4 },
          }),
        ],
      },
      {
        line: 28,
        kind: 'property',
        id: 'a-LT',
        problems: [
          expect.objectContaining({
            field: 'id',
            code: 'suffix_conflict',
            parameters: { property: 'a' },
          }),
        ],
      },
    ]);
    expect((await theProperty(agency)).beds).toBe(1);
  });
});
