import { describe, expect, test } from 'vitest';
import type { PropertyDocument } from '../../../src/portfolio/documents.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/kyero.ts';
import {
  documents,
  load,
  openAgency,
  operator,
  pictures,
  properties,
  refusal,
  theProperty,
  useOperator,
} from './agency.ts';

useOperator();

describe('a Kyero record', () => {
  test('is kept whole', async () => {
    const agency = await openAgency();
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
          features: '<feature>sea views</feature><feature>Own helipad</feature><feature>Sea View</feature>',
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
    expect(report).toMatchObject({ format: 'kyero', records: 1, skipped: 0, ignored: [] });
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
      sale_updated_at: expect.any(String),
      rental_updated_at: '1970-01-01T00:00:00Z',
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
      cadastral_ref: '1234567AB',
      has_pool: true,
      has_garden: false,
      has_garage: false,
      emissions: 'X',
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

  test('that says the least is taken, with what it does not say left out', async () => {
    const agency = await openAgency();
    await load(agency, kyeroFeed([kyeroRecord('K1', { date: null, currency: null })]));
    expect(await theProperty(agency)).toMatchObject({
      status: 'Available',
      currency: 'EUR',
      source_changed_at: null,
      listed_at: '2026-05-01T09:30:00Z',
      beds: 0,
      bath: 0,
      location: null,
      emissions: 'X',
      texts: {},
      pictures: [],
      features: [],
    });
  });

  test.each(['0000-00-00 00:00:00', '0001-01-01 00:00:00', '1900-01-01 00:00:00', '1969-12-31 23:59:59'])(
    'with the date %s, which stands for none, is taken without, and that is told',
    async (date) => {
      const agency = await openAgency();
      expect(await load(agency, kyeroFeed([kyeroRecord('K1', { date })]))).toMatchObject({
        skipped: 0,
        ignored: [{ name: 'date', times: 1 }],
      });
      expect(await theProperty(agency)).toMatchObject({
        source_changed_at: null,
        listed_at: '2026-05-01T09:30:00Z',
      });
    },
  );

  test.each<[string, KyeroNodes, Partial<PropertyDocument['offers']>]>([
    ['a price on request', { price: 'x' }, { sale: { price: null, minimum_price: 0 } }],
    ['a price with cents', { price: '99.5' }, { sale: { price: 99.5, minimum_price: 0 } }],
    ['a rent per month', { price_freq: 'month' }, { long_term: { rent: 250_000 } }],
    ['a rent', { price_freq: 'rent' }, { long_term: { rent: 250_000 } }],
    ['a long-term rent', { price_freq: 'rentlong' }, { long_term: { rent: 250_000 } }],
    ['a rent per week', { price_freq: 'week' }, { short_term: { low: 250_000, high: null, license: null } }],
    ['a short-term rent', { price_freq: 'RentShort' }, { short_term: { low: 250_000, high: null, license: null } }],
  ])('with %s', async (_, nodes, offers) => {
    const agency = await openAgency();
    await load(agency, kyeroFeed([kyeroRecord('K1', nodes)]));
    expect((await theProperty(agency)).offers).toEqual({ sale: null, long_term: null, short_term: null, ...offers });
  });

  test.each<[string, KyeroNodes, Partial<PropertyDocument>]>([
    [
      '200 pictures',
      { images: pictures(200) },
      { pictures: Array.from({ length: 200 }, (_, i) => `https://p.example/${i + 1}.jpg`) },
    ],
    [
      'pictures whose numbers have gaps and are equal',
      {
        images:
          '<image id="7"><url>c</url></image><image id="1"><url>a</url></image><image><url>d</url></image><image id="1"><url>b</url></image><image id="9"/>',
      },
      { pictures: ['a', 'b', 'c', 'd'] },
    ],
    [
      'empty nodes',
      {
        beds: '',
        baths: ' ',
        surface_area: '<built/>',
        location: '<latitude/><longitude></longitude>',
        energy_rating: '',
        features: '<feature/>',
        images: '',
        url: '',
        desc: '<en/>',
        new_build: '',
        pool: '',
      },
      { beds: 0, built_area: null, location: null },
    ],
    ['entities', { town: 'A &amp; &lt;B&gt; &quot;&apos; &#241;&#x1F3E1;' }, { town: 'A & <B> "\' ñ🏡' }],
    ['a comment and a processing instruction', { town: 'Ner<!-- x -->ja<?pi?>' }, { town: 'Nerja' }],
    ['midnight as 24:00:00', { date: '2026-03-04 24:00:00' }, { source_changed_at: '2026-03-05T00:00:00Z' }],
    ['a type that no table has', { type: 'Lighthouse' }, { type: 'Lighthouse' }],
  ])('with %s', async (_, nodes, expected) => {
    const agency = await openAgency();
    expect(await load(agency, kyeroFeed([kyeroRecord('K1', nodes)]))).toMatchObject({ skipped: 0 });
    expect(await theProperty(agency)).toMatchObject(expected);
  });

  test('with names whose letters are written in two ways of Unicode: each is one entry', async () => {
    const agency = await openAgency();
    const records = ['NFC', 'NFD'].map((form) =>
      kyeroRecord(form, {
        type: 'Palafitó'.normalize(form),
        features: `<feature>${'Jardín árabe'.normalize(form)}</feature>`,
      }),
    );
    expect((await load(agency, kyeroFeed(records))).skipped).toBe(0);
    const { results } = await operator.server.db
      .prepare(
        `SELECT code FROM property_types WHERE account_id = ?1 AND code LIKE 'Palafit%'
         UNION ALL SELECT code FROM features WHERE account_id = ?1 AND code LIKE 'Jard%'`,
      )
      .bind(agency.id)
      .all();
    expect(results).toEqual([{ code: 'Palafitó' }, { code: 'Jardín árabe' }]);
  });

  test('with features in several languages, and new types and features: they become entries', async () => {
    const agency = await openAgency();
    const features =
      '<feature><es>Huerto</es><en>Orchard</en><fi>x</fi></feature><feature><de>Weinkeller</de></feature>';
    await load(agency, kyeroFeed([kyeroRecord('K1', { type: 'Lighthouse', features })]));
    const vocabulary = (await documents(agency)).filter(({ kind }) => kind !== 'property' && kind !== 'category');
    expect(vocabulary).toEqual([
      {
        kind: 'type',
        code: 'Lighthouse',
        labels: { uk: { older_type: 'Lighthouse', older_subtype: null, type: 'Lighthouse', subtype: null } },
      },
      { kind: 'feature', code: 'Orchard', category: 'Features', labels: { uk: 'Orchard', es: 'Huerto' } },
      { kind: 'feature', code: 'Weinkeller', category: 'Features', labels: { de: 'Weinkeller' } },
    ]);
  });

  test('with nodes that are not taken: each name is told once', async () => {
    const agency = await openAgency();
    const nodes = {
      title: '<en>x</en>',
      notes: 'x',
      distances: '',
      floor: '3',
      constructor: 'x',
      desc: '<en>a</en><ca>b</ca><valueOf>c</valueOf>',
      surface_area: '<usable>1</usable>',
    };
    const { ignored, skipped } = await load(agency, kyeroFeed([kyeroRecord('K1', nodes), kyeroRecord('K2', nodes)]));
    expect(skipped).toBe(0);
    expect(ignored.map(({ name, times }) => [name, times])).toEqual([
      ['title', 2],
      ['notes', 2],
      ['floor', 2],
      ['constructor', 2],
      ['desc/ca', 2],
      ['desc/valueOf', 2],
      ['surface_area/usable', 2],
    ]);
    expect(ignored[0]?.line).toBe(14);
  });

  test.each<[string, KyeroNodes, string | null, string, RegExp]>([
    ['no id', { id: null }, null, 'id', /^is missing$/],
    ['an empty id', { id: ' ' }, null, 'id', /^is empty$/],
    ['no ref', { ref: null }, 'bad', 'ref', /^is missing$/],
    ['no price', { price: null }, 'bad', 'price', /^is missing$/],
    ['no type', { type: null }, 'bad', 'type', /^is missing$/],
    ['no town', { town: '' }, 'bad', 'town', /^is empty$/],
    ['a price that is none', { price: '1.000.000' }, 'bad', 'price', /^must be a number, not "1\.000\.000"$/],
    [
      'a price that may be a thousand times as high',
      { price: '250.000' },
      'bad',
      'price',
      /^must not have three decimals/,
    ],
    [
      'an area that may be a thousand times as large',
      { surface_area: '<built>1.200</built>' },
      'bad',
      'built',
      /^must not have three decimals/,
    ],
    ['an unknown price_freq', { price_freq: 'day' }, 'bad', 'price_freq', /^must be sale, month or week, not "day"$/],
    ['a price_freq that every object has', { price_freq: 'constructor' }, 'bad', 'price_freq', /^must be sale, month/],
    ['a status that every object has', { status: 'valueOf' }, 'bad', 'status', /^must be one of available/],
    ['half a bedroom', { beds: '2.5' }, 'bad', 'beds', /^must be a whole number/],
    ['a day that there is not', { date: '2026-02-30 00:00:00' }, 'bad', 'date', /^must be a time/],
    ['a date after all dates', { date: '9999-12-31 24:00:00' }, 'bad', 'date', /^must lie before the year 10000/],
    ['a latitude alone', { location: '<latitude>36</latitude>' }, 'bad', 'location', /latitude and a longitude/],
    [
      'a place off the earth',
      { location: '<latitude>91</latitude><longitude>0</longitude>' },
      'bad',
      'location.latitude',
      /90/,
    ],
    [
      'an unknown energy letter',
      { energy_rating: '<emissions>H</emissions>' },
      'bad',
      'energy_rating/emissions',
      /A to G or X/,
    ],
    ['an unknown status', { status: 'maybe' }, 'bad', 'status', /^must be one of available/],
    ['a pool of 2', { pool: '2' }, 'bad', 'pool', /^must be 0 or 1/],
    ['text in place of languages', { desc: 'Nice' }, 'bad', 'desc', /one child per language/],
    ['a language twice', { desc: '<en>a</en><en>b</en>' }, 'bad', 'desc/en', /^is given twice$/],
    ['a node twice', { ref: 'a</ref><ref>b' }, 'bad', 'ref', /^is given twice$/],
    ['an id of 101 characters', { id: 'x'.repeat(101) }, 'x'.repeat(101), 'id', /1 to 100 characters/],
    ['1,001 pictures', { images: pictures(1_001) }, 'bad', 'pictures', /at most 1000/],
    [
      'a description that is too long',
      { desc: `<en>${'x'.repeat(65_537)}</en>` },
      'bad',
      'texts.uk.description',
      /65536 bytes/,
    ],
    [
      'a feature that is too long',
      { features: `<feature>${'x'.repeat(201)}</feature>` },
      'bad',
      'features',
      /200 characters/,
    ],
  ])(
    'with %s: is skipped with its line and the reason, and the others are taken',
    async (_, nodes, id, field, detail) => {
      const agency = await openAgency();
      const feed = kyeroFeed([kyeroRecord('good'), kyeroRecord('bad', nodes), kyeroRecord('fine')]);
      const { skipped, skipped_records } = await load(agency, feed, [], 3);
      expect(skipped).toBe(1);
      expect(skipped_records).toEqual([{ line: 15, id, problems: [{ field, detail: expect.stringMatching(detail) }] }]);
      expect((await properties(agency)).map(({ id }) => id)).toEqual(['good', 'fine']);
    },
  );

  test('of another name is none: exit code 3, and it is told of', async () => {
    const feed = kyeroFeed([kyeroRecord('K')]).replaceAll('property>', 'Property>');
    expect(await load(await openAgency(), feed, [], 3)).toMatchObject({
      records: 0,
      ignored: [{ name: 'Property', times: 1, line: 4 }],
    });
  });

  test('that shares a line with a bad one: is taken', async () => {
    const agency = await openAgency();
    const records = [
      kyeroRecord('a'),
      kyeroRecord('b', { price: 'abc' }),
      kyeroRecord('c', { beds: '?' }),
      kyeroRecord('d'),
    ];
    const { skipped, skipped_records } = await load(agency, kyeroFeed(records).replaceAll('\n', ''), [], 3);
    expect([skipped, skipped_records.map(({ line, id }) => [line, id])]).toEqual([
      2,
      [
        [1, 'b'],
        [1, 'c'],
      ],
    ]);
    expect((await properties(agency)).map(({ id }) => id)).toEqual(['a', 'd']);
  });

  test('whose texts hold markup that is not escaped: all its text is kept', async () => {
    const agency = await openAgency();
    await load(
      agency,
      kyeroFeed([
        kyeroRecord('K', {
          town: '<b>Mar</b>bella',
          desc: '<en>One <strong>big</strong> villa<br/>by the sea</en><es><p>Uno</p><p>Dos</p></es>',
        }),
      ]),
    );
    const { town, texts } = await theProperty(agency);
    expect([town, texts.uk?.description, texts.es?.description]).toEqual([
      'Marbella',
      'One big villa\nby the sea',
      'Uno\n\nDos',
    ]);
  });

  test('with text where nodes should stand, and attributes: each is told of', async () => {
    const agency = await openAgency();
    const { ignored } = await load(
      agency,
      kyeroFeed([
        kyeroRecord('K', {
          surface_area: '120',
          energy_rating: 'D',
          location: 'Marbella',
          features: 'Pool',
          images: '<image id="1"><url>https://p.example/1.jpg</url><title>One</title></image>',
        }).replace('<price>', '<price currency="GBP">'),
      ]),
    );
    const names = ['price@currency', 'location', 'surface_area', 'energy_rating', 'features', 'image/title'];
    expect(ignored.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test.each(['us-ascii', 'UTF-16'])('declared as %s, in UTF-8 all the same: is read as that', async (encoding) => {
    const agency = await openAgency();
    const feed = kyeroFeed([kyeroRecord('K', { town: 'Málaga' })]).replace(
      /encoding="[^"]*"/i,
      `encoding="${encoding}"`,
    );
    expect(feed).toContain(encoding);
    await load(agency, feed);
    expect((await theProperty(agency)).town).toBe('Málaga');
  });

  test('that is bad, with --strict: exit code 1, and nothing is changed', async () => {
    const feed = kyeroFeed([kyeroRecord('good'), kyeroRecord('bad', { beds: '?' })]);
    expect(await refusal(await openAgency(), feed, ['--strict'])).toBe(
      'bad_records: line 15, property bad: beds: must be a number, not "?"\n1 bad record, so nothing was changed.',
    );
  });

  test('that names several things wrong: all are told', async () => {
    const agency = await openAgency();
    const { skipped_records } = await load(
      agency,
      kyeroFeed([kyeroRecord('bad', { price: '?', beds: '?', town: null })]),
      [],
      3,
    );
    expect(skipped_records[0]?.problems.map(({ field }) => field)).toEqual(['price', 'beds', 'town']);
  });

  test('whose identifier comes again, or differs in -LT alone: the later one is skipped', async () => {
    const agency = await openAgency();
    const feed = kyeroFeed([kyeroRecord('a', { beds: '1' }), kyeroRecord('a', { beds: '2' }), kyeroRecord('a-LT')]);
    const { skipped_records } = await load(agency, feed, [], 3);
    expect(skipped_records).toEqual([
      { line: 16, id: 'a', problems: [{ field: '', detail: 'is given before in this file' }] },
      {
        line: 28,
        id: 'a-LT',
        problems: [{ field: 'id', detail: 'differs from that of property a only in an appended -LT or -ST' }],
      },
    ]);
    expect((await theProperty(agency)).beds).toBe(1);
  });
});
