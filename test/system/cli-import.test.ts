import { execFileSync } from 'node:child_process';
import { lstat, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnStatements } from '../../src/cli/database.ts';
import { importPortfolio } from '../../src/cli/import/import.ts';
import { readKyeroNames } from '../../src/cli/import/kyero/names.ts';
import { NO_PROGRESS } from '../../src/cli/import/progress.ts';
import { openSource } from '../../src/cli/import/source.ts';
import { Spool } from '../../src/cli/import/spool.ts';
import { writePortfolio } from '../../src/db/portfolio.ts';
import { exportPortfolio } from '../../src/db/portfolio-export.ts';
import { type PortfolioDocument, type PropertyDocument, parseDocument } from '../../src/portfolio/documents.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../support/kyero.ts';
import { type Operator, startOperator } from '../support/operator.ts';
import { property, seedDemo, VOCABULARY } from '../support/portfolio.ts';

let operator: Operator;
let accounts = 0;

beforeAll(async () => {
  operator = await startOperator();
});

afterAll(() => operator.stop());

interface Agency {
  readonly code: string;
  readonly id: number;
  readonly password: string;
}

async function openAgency(): Promise<Agency> {
  const code = `A${++accounts}`;
  const { password } = await operator.json<{ password: string }>(['account', 'create', code]);
  const id = await operator.server.db.prepare('SELECT id FROM accounts WHERE code = ?').bind(code).first<number>('id');
  return { code, id: id!, password };
}

interface Report {
  format: string;
  dry_run: boolean;
  records: number;
  written: number;
  unchanged: number;
  skipped: number;
  withdrawn: number;
  skipped_records: { line: number; id: string | null; problems: { field: string; detail: string }[] }[];
  ignored: { name: string; times: number; line: number }[];
}

async function load(
  { code }: Agency,
  content: string | Uint8Array,
  options: readonly string[] = [],
  exit = 0,
): Promise<Report> {
  const file = await operator.file('import', content);
  return operator.json<Report>(['import', file, '--account', code, ...options], '', exit);
}

/** What an import says that changes nothing. */
async function refusal(agency: Agency, content: string | Uint8Array, options: readonly string[] = []): Promise<string> {
  const before = await everything(agency);
  const { error } = (await load(agency, content, options, 1)) as unknown as {
    error: { code: string; message: string };
  };
  expect(await everything(agency)).toEqual(before);
  return `${error.code}: ${error.message}`;
}

async function documents({ id }: Agency): Promise<PortfolioDocument[]> {
  const found: PortfolioDocument[] = [];
  for await (const document of exportPortfolio(operator.server.db, id)) found.push(document);
  return found;
}

async function everything(agency: Agency): Promise<unknown> {
  return [await documents(agency), await revisions(agency)];
}

async function properties(agency: Agency): Promise<PropertyDocument[]> {
  return (await documents(agency)).filter((document) => document.kind === 'property');
}

async function theProperty(agency: Agency): Promise<PropertyDocument> {
  const [only, ...others] = await properties(agency);
  expect(others).toEqual([]);
  return only!;
}

/** NDJSON. */
function lines(...all: readonly object[]): string {
  return all.map((document) => `${JSON.stringify(document)}\n`).join('');
}

function revisions({ id }: Agency) {
  return operator.server.db
    .prepare('SELECT sale_revision, rental_revision, vocabulary_revision FROM accounts WHERE id = ?')
    .bind(id)
    .first();
}

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
      new_build: true,
      has_pool: true,
      has_garden: false,
      has_garage: false,
      emissions: 'X',
      consumption: 'B',
      virtual_tour_url: 'https://t.example/1',
      video_url: 'https://v.example/1',
      offers: { sale: { price: 250_000, minimum_price: 0 }, long_term: null, short_term: null },
      texts: {
        uk: { description: 'A & B\n<b>bold</b>', url: 'https://a.example/en?x=1&y=2' },
        es: { description: 'Uno\r\nDos ñ 🏡', url: 'https://a.example/es' },
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
    ['a type that no table names', { type: 'Castle' }, { type: 'Castle' }],
  ])('with %s', async (_, nodes, expected) => {
    const agency = await openAgency();
    expect(await load(agency, kyeroFeed([kyeroRecord('K1', nodes)]))).toMatchObject({ skipped: 0 });
    expect(await theProperty(agency)).toMatchObject(expected);
  });

  test('with names whose letters are written in two ways of Unicode: each is one entry', async () => {
    const agency = await openAgency();
    const records = ['NFC', 'NFD'].map((form) =>
      kyeroRecord(form, {
        type: 'Cortijó'.normalize(form),
        features: `<feature>${'Jardín árabe'.normalize(form)}</feature>`,
      }),
    );
    expect((await load(agency, kyeroFeed(records))).skipped).toBe(0);
    const { results } = await operator.server.db
      .prepare(
        `SELECT code FROM property_types WHERE account_id = ?1 AND code LIKE 'Cortij%'
         UNION ALL SELECT code FROM features WHERE account_id = ?1 AND code LIKE 'Jard%'`,
      )
      .bind(agency.id)
      .all();
    expect(results).toEqual([{ code: 'Cortijó' }, { code: 'Jardín árabe' }]);
  });

  test('with features in several languages, and new types and features: they become entries', async () => {
    const agency = await openAgency();
    const features =
      '<feature><es>Huerto</es><en>Orchard</en><fi>x</fi></feature><feature><de>Weinkeller</de></feature>';
    await load(agency, kyeroFeed([kyeroRecord('K1', { type: 'Castle', features })]));
    const vocabulary = (await documents(agency)).filter(({ kind }) => kind !== 'property' && kind !== 'category');
    expect(vocabulary).toEqual([
      { kind: 'type', code: 'Castle', labels: { uk: { older_type: 'Castle', type: 'Castle', subtype: null } } },
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

function pictures(count: number): string {
  return Array.from(
    { length: count },
    (_, i) => `<image id="${i + 1}"><url>https://p.example/${i + 1}.jpg</url></image>`,
  ).join('');
}

describe('a Kyero feed imported again', () => {
  test('with nodes that are empty now: what they said is gone', async () => {
    const agency = await openAgency();
    const nodes = { postcode: '29600', video_url: 'https://v.example', community_fees: '90' };
    const surface_area = (terrace: string) => `<built>100</built><terrace>${terrace}</terrace>`;
    await load(agency, kyeroFeed([kyeroRecord('K', { ...nodes, surface_area: surface_area('20') })]));
    const empty = { postcode: '', video_url: '', community_fees: '' };
    await load(agency, kyeroFeed([kyeroRecord('K', { ...empty, surface_area: surface_area('') })]));
    const { postcode, video_url, community_fees, terrace_area, built_area } = await theProperty(agency);
    expect([postcode, video_url, community_fees, terrace_area, built_area]).toEqual([null, null, null, null, 100]);
  });

  test('changes nothing and moves no revision', async () => {
    const agency = await openAgency();
    const feed = kyeroFeed([
      kyeroRecord('a', { features: '<feature>Pool View</feature><feature>New one</feature>', date: null }),
      kyeroRecord('b', { price_freq: 'week' }),
    ]);
    await load(agency, feed);
    const before = await everything(agency);
    expect(await load(agency, feed)).toMatchObject({ written: 0, unchanged: 2, withdrawn: 0 });
    expect(await everything(agency)).toEqual(before);
  });

  test('changes what it says, and leaves what the format has no word for', async () => {
    const agency = await openAgency();
    await load(agency, kyeroFeed([kyeroRecord('a', { baths: '4', beds: '1', postcode: '29660', desc: '<en>x</en>' })]));
    const [stored] = await properties(agency);
    const own: PropertyDocument = {
      ...stored!,
      bath: 4.5,
      rented: true,
      on_own_website: false,
      status: 'Under Offer',
      listed_at: '2020-01-01T00:00:00Z',
      has_garage: true,
      ibi_fees: 700,
      offers: { ...stored!.offers, sale: { price: 250_000, minimum_price: 200_000 } },
      texts: { ...stored!.texts, pl: { description: 'Willa', url: null } },
      sale_updated_at: '2026-01-01T00:00:00Z',
    };
    await writePortfolio(operator.server.db, agency.id, [own]);
    await load(
      agency,
      kyeroFeed([kyeroRecord('a', { baths: '4', price: '260000', date: '2026-04-01 00:00:00', desc: '<es>y</es>' })]),
    );
    const after = await theProperty(agency);
    expect(after.sale_updated_at! > own.sale_updated_at!).toBe(true);
    expect(after).toEqual({
      ...own,
      beds: 0,
      source_changed_at: '2026-04-01T00:00:00Z',
      offers: { ...own.offers, sale: { price: 260_000, minimum_price: 200_000 } },
      texts: { es: { description: 'y', url: null }, pl: { description: 'Willa', url: null } },
      sale_updated_at: after.sale_updated_at,
    });
  });

  test('brings a withdrawn property back, and keeps how far a sale has come', async () => {
    const agency = await openAgency();
    const { db } = operator.server;
    await load(agency, kyeroFeed(['a', 'b', 'c'].map((id) => kyeroRecord(id))));
    const status = (id: string, status: string) =>
      db
        .prepare('UPDATE properties SET status = ?3 WHERE account_id = ?1 AND identifier = ?2')
        .bind(agency.id, id, status)
        .run();
    await status('a', 'Withdrawn');
    await status('b', 'Sold');
    await status('c', 'Under Offer');
    await load(agency, kyeroFeed(['a', 'b', 'c'].map((id) => kyeroRecord(id))));
    expect((await properties(agency)).map(({ status }) => status)).toEqual(['Available', 'Available', 'Under Offer']);
  });

  test('leaves labels that the account has, unless the operator’s own table has others', async () => {
    const agency = await openAgency();
    const feed = kyeroFeed([kyeroRecord('a', { features: '<feature>Sea View</feature><feature>Helipad</feature>' })]);
    await load(agency, feed);
    await writePortfolio(operator.server.db, agency.id, [
      parseDocument({ kind: 'feature', code: 'Views: Sea', category: 'Views', labels: { uk: 'Ocean' } }),
    ]);
    await load(agency, feed);
    const labels = async () =>
      (await documents(agency)).flatMap((d) => (d.kind === 'feature' ? [[d.code, d.category, d.labels.uk]] : []));
    expect(await labels()).toEqual([
      ['Views: Sea', 'Views', 'Ocean'],
      ['Helipad', 'Features', 'Helipad'],
    ]);
    const names = await operator.file(
      'names.json',
      JSON.stringify({
        types: [{ names: ['Villa'], code: 'palace', labels: { uk: { older_type: 'Palace', type: 'Palace' } } }],
        categories: [{ code: 'Extras', labels: { uk: 'Extras' } }],
        features: [
          { names: ['Helipad'], code: 'Helipad', category: 'Extras', labels: { uk: 'Helicopter pad' } },
          { names: ['sea view'], code: 'Views: Sea', category: 'Views', labels: { uk: 'The sea' } },
        ],
      }),
    );
    await load(agency, feed, ['--names', names]);
    expect(await labels()).toEqual([
      ['Views: Sea', 'Views', 'The sea'],
      ['Helipad', 'Extras', 'Helicopter pad'],
    ]);
    expect((await theProperty(agency)).type).toBe('palace');
    const before = await everything(agency);
    await load(agency, feed, ['--names', names]);
    expect(await everything(agency)).toEqual(before);
  });

  const labelsOfFeatures = async (agency: Agency) =>
    (await documents(agency)).flatMap((d) => (d.kind === 'feature' ? [[d.code, d.category, d.labels]] : []));

  test.each(['first', 'last'])('has the labels of a new feature together, its plain name %s', async (place) => {
    const agency = await openAgency();
    const records = [
      '<feature>Zip line</feature>',
      '<feature><en>Zip line</en><es>Tirolina</es></feature>',
      '<feature><en>Zip line</en><es>Cable</es><de>Seilrutsche</de></feature>',
    ].map((features, index) => kyeroRecord(`p${index}`, { features }));
    if (place === 'last') records.push(records.shift()!);
    await load(agency, kyeroFeed(records));
    const labels = { uk: 'Zip line', es: 'Tirolina', de: 'Seilrutsche' };
    expect(await labelsOfFeatures(agency)).toEqual([['Zip line', 'Features', labels]]);
  });

  test.each([
    ['after', ['Sea View', 'views: sea']],
    ['before', ['views: sea', 'Sea View']],
  ])('takes the code of an entry for its name, %s that name', async (_, names) => {
    const agency = await openAgency();
    const features = names.map((name) => `<feature>${name}</feature>`).join('');
    await load(agency, kyeroFeed([kyeroRecord('a', { features })]));
    expect((await theProperty(agency)).features).toEqual(['Views: Sea']);
    expect(await labelsOfFeatures(agency)).toEqual([
      ['Views: Sea', 'Views', expect.objectContaining({ uk: 'Sea', es: expect.any(String) })],
    ]);
  });

  test('takes an entry of the operator’s own table by names that the built-in one has for its code', async () => {
    const agency = await openAgency();
    const own = { names: ['Ocean outlook'], code: 'Views: Sea', category: 'Views', labels: { uk: 'Ocean' } };
    const names = await operator.file('names.json', JSON.stringify({ features: [own] }));
    const features = '<feature>Sea View</feature><feature>Ocean outlook</feature>';
    await load(agency, kyeroFeed([kyeroRecord('a', { features })]), ['--names', names]);
    expect(await labelsOfFeatures(agency)).toEqual([['Views: Sea', 'Views', { uk: 'Ocean' }]]);
  });

  test.each([
    ['not there', undefined, 'ENOENT'],
    ['not JSON', '{', 'JSON'],
    ['of another shape', '{"kinds": []}', 'kinds'],
    [
      'in a category that is nowhere',
      '{"features": [{"names": ["a"], "code": "a", "category": "c", "labels": {}}]}',
      'category',
    ],
    ['with a language that is none', '{"categories": [{"code": "c", "labels": {"xx": "a"}}]}', 'xx'],
  ])('with a table of names that is %s: exit code 2, and nothing is changed', async (_, table, why) => {
    const agency = await openAgency();
    const names = table === undefined ? '/nowhere.json' : await operator.file('names.json', table);
    const file = await operator.file('import', kyeroFeed([kyeroRecord('a')]));
    const { exit, err } = await operator.run(['import', file, '--account', agency.code, '--names', names]);
    expect(err).toContain(why);
    expect([exit, await documents(agency)]).toEqual([2, []]);
  });
});

describe('a file', () => {
  const feed = kyeroFeed([kyeroRecord('a', { town: 'Peñíscola' }), kyeroRecord('b')]);

  test.each<[string, Uint8Array]>([
    ['a byte order mark', Buffer.from(`\ufeff${feed}`)],
    ['CR LF', Buffer.from(feed.replaceAll('\n', '\r\n'))],
    ['ISO-8859-1 declared', Buffer.from(feed.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['windows-1252 declared in single quotes', Buffer.from(feed.replace('"UTF-8"', "'windows-1252'"), 'latin1')],
    ['UTF-16 and a byte order mark', Buffer.from(`\ufeff${feed.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
    ['UTF-16 big-endian', Buffer.from(feed.replace('UTF-8', 'UTF-16'), 'utf16le').swap16()],
    ['no declaration', Buffer.from(feed.replace(/^.*\n/, ''))],
    ['a document type', Buffer.from(feed.replace('<root>', '<!DOCTYPE root [<!ELEMENT root ANY>]><root>'))],
    ['an agent', Buffer.from(feed.replace('</kyero>', '</kyero><agent><name>x</name></agent>'))],
  ])('with %s is read', async (_, bytes) => {
    const agency = await openAgency();
    expect(await load(agency, bytes)).toMatchObject({ records: 2, skipped: 0, ignored: [] });
    expect((await properties(agency)).map(({ town }) => town)).toEqual(['Peñíscola', 'Marbella']);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['empty', '', /^bad_file: The file is empty/],
    ['white space', ' \n\n', /^bad_file: The file is empty/],
    ['neither XML nor NDJSON', 'id;ref\n1;2\n', /^bad_file: The file is neither XML/],
    ['XML that breaks off within a record', feed.slice(0, -60), /^bad_file: The file is not well-formed XML/],
    [
      'XML that breaks off between records',
      feed.slice(0, feed.indexOf('<property>', 300)),
      /^bad_file: .*unclosed tag/,
    ],
    ['XML with a tag that is not closed', feed.replace('</town>', ''), /^bad_file: .*line 14, column/],
    [
      'XML with an unknown entity',
      feed.replace('Marbella', '&nbsp;'),
      /^bad_file: The file has an entity, at line \d+, that XML does not/,
    ],
    ['an HTML page', '<!DOCTYPE html><html><body>503</body></html>', /^bad_file: .*its first element is html/],
    ['a feed of another kind', feed.replace(/<kyero>.*<\/kyero>/, ''), /^bad_file: .*feed_version is missing/],
    ['a feed of another version', feed.replace('<feed_version>3', '<feed_version>2'), /^bad_file: .*feed_version is 2/],
    [
      'XML nested without end',
      feed.replace('Marbella', '<a>'.repeat(200)),
      /^bad_file: The record at line 15 is nested/,
    ],
    ['compressed', gzipSync(feed), /^bad_file: The file is compressed/],
    ['a ZIP archive', Buffer.from('PK\x03\x04 and more'), /^bad_file: The file is a ZIP archive/],
    ['not in the encoding that it declares', Buffer.from(feed, 'latin1'), /^bad_encoding: The file is not in utf-8/],
    ['in an unknown encoding', feed.replace('UTF-8', 'EBCDIC-X'), /^bad_encoding: .*EBCDIC-X/],
    ['NDJSON that breaks off', `${JSON.stringify(property('a'))}\n{"kind":"prop`, /^bad_file: Line 2 is not JSON/],
  ])('that is %s: exit code 1, and nothing is changed', async (_, content, message) => {
    const agency = await openAgency();
    await load(agency, kyeroFeed([kyeroRecord('there')]));
    expect(await refusal(agency, content, ['--replace', '--max-withdrawn', '100'])).toMatch(message);
  });

  test('on the standard input is read', async () => {
    const agency = await openAgency();
    const args = ['import', '--account', agency.code];
    expect(await operator.json(args, feed)).toMatchObject({ records: 2, skipped: 0 });
  });

  test.each([
    ['that is not there', '/nowhere.xml', 'ENOENT'],
    ['that is a directory', '/', 'is not a regular file'],
  ])('%s: exit code 1', async (_, file, why) => {
    const { exit, err } = await operator.run(['import', file, '--account', (await openAgency()).code]);
    expect(err).toContain(why);
    expect(exit).toBe(1);
  });

  test('leaves nothing behind on disk', async () => {
    const left = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('lindero-import-'));
    const before = await left();
    const agency = await openAgency();
    await load(agency, feed);
    await refusal(agency, feed.slice(0, -60));
    expect((await left()).filter((name) => !before.includes(name))).toEqual([]);
  });

  test('of 1,200 records is written in their order, over more than one transaction', async () => {
    const agency = await openAgency();
    const ids = Array.from({ length: 1_200 }, (_, index) => `p${(index * 7) % 1_200}`);
    expect(await load(agency, kyeroFeed(ids.map((id) => kyeroRecord(id))))).toMatchObject({
      records: 1_200,
      skipped: 0,
    });
    expect((await properties(agency)).map(({ id }) => id)).toEqual(ids);
  });
});

describe('NDJSON', () => {
  const development = { kind: 'development', id: 'd', name: 'D' };
  const unit = (name: string) => ({ kind: 'unit', development: 'd', name, status: 1, price: 1 });
  const inUnit = (id: string, name: string) => ({
    ...property(id, { unit: { development: 'd', name } }),
    sale_updated_at: null,
    rental_updated_at: null,
  });

  test('is taken in whatever order its documents stand', async () => {
    const agency = await openAgency();
    const all = [inUnit('a', 'A'), unit('A'), development, ...VOCABULARY.toReversed()];
    expect(await load(agency, lines(...all))).toMatchObject({ format: 'ndjson', records: 7, written: 7, skipped: 0 });
    expect((await theProperty(agency)).unit).toEqual({ development: 'd', name: 'A' });
    expect(await load(agency, lines(...all))).toMatchObject({ written: 0, unchanged: 7 });
  });

  test('with a record that does not fit: is skipped with its line and the reason, and the others are taken', async () => {
    const agency = await openAgency();
    const file = lines(
      ...VOCABULARY,
      property('n1', { type: 'castle' }),
      property('n2'),
      { ...property('n3'), beds: 'many', colour: 'red' },
      property('n4', { features: ['Moat'] }),
    );
    const expected = {
      records: 8,
      skipped: 3,
      skipped_records: [
        { line: 5, id: 'n1', problems: [{ field: 'type', detail: 'there is no type castle' }] },
        {
          line: 7,
          id: 'n3',
          problems: [
            { field: 'beds', detail: expect.any(String) },
            { field: '', detail: expect.stringContaining('colour') },
          ],
        },
        { line: 8, id: 'n4', problems: [{ field: 'features.0', detail: 'there is no feature Moat' }] },
      ],
    };
    expect(await refusal(agency, file, ['--strict'])).toMatch(
      /^bad_records: .*there is no type castle.*3 bad records/s,
    );
    expect(await load(agency, file, ['--dry-run'], 3)).toMatchObject({ ...expected, written: 5, dry_run: true });
    expect(await documents(agency)).toEqual([]);
    expect(await load(agency, file, [], 3)).toMatchObject({ ...expected, written: 5 });
    expect((await theProperty(agency)).id).toBe('n2');
  });

  test('with a record that needs what another, that does not fit, would give up: --dry-run tells both', async () => {
    const agency = await openAgency();
    await load(agency, lines(...VOCABULARY, development, unit('A'), unit('B'), inUnit('d', 'A')));
    const file = lines({ ...inUnit('d', 'B'), features: ['Moat'], type: 'castle' }, inUnit('a', 'A'));
    const told = await load(agency, file, ['--dry-run'], 3);
    expect(told).toMatchObject({ written: 0, skipped: 2 });
    expect(told.skipped_records.map(({ problems }) => problems.length)).toEqual([2, 1]);
    expect(await load(agency, file, [], 3)).toEqual({ ...told, dry_run: false });
  });

  test('with two properties in one unit: the later one is skipped', async () => {
    const agency = await openAgency();
    const file = lines(...VOCABULARY, development, unit('A'), inUnit('a', 'A'), inUnit('b', 'A'));
    expect((await load(agency, file, [], 3)).skipped_records).toEqual([
      { line: 8, id: 'b', problems: [{ field: 'unit', detail: 'is that of property a' }] },
    ]);
  });

  test('in which two properties far from each other exchange their units', async () => {
    const agency = await openAgency();
    const others = Array.from({ length: 600 }, (_, index) => property(`p${index}`));
    await load(
      agency,
      lines(...VOCABULARY, development, unit('A'), unit('B'), inUnit('a', 'A'), ...others, inUnit('b', 'B')),
    );
    const exchange = lines(inUnit('a', 'B'), ...others, inUnit('b', 'A'));
    expect(await load(agency, exchange, ['--strict'])).toMatchObject({ written: 2, skipped: 0 });
    const units = (await properties(agency)).flatMap(({ id, unit }) => (unit === null ? [] : [[id, unit.name]]));
    expect(units).toEqual([
      ['a', 'B'],
      ['b', 'A'],
    ]);
  });
});

describe('--replace', () => {
  const feedOf = (...ids: string[]) => kyeroFeed(ids.map((id) => kyeroRecord(id)));
  const ten = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const statuses = async (agency: Agency) =>
    Object.fromEntries((await properties(agency)).map(({ id, status }) => [id, status]));

  test('gives the unit of a property that the file does not have to one that claims it', async () => {
    const agency = await openAgency();
    const vocabulary = [
      ...VOCABULARY,
      { kind: 'development', id: 'd', name: 'D' },
      { kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 },
    ];
    const inUnit = (id: string) => property(id, { unit: { development: 'd', name: 'A' } });
    await load(agency, lines(...vocabulary, inUnit('old')));
    const file = lines(...vocabulary, inUnit('new'));
    const options = ['--replace', '--max-withdrawn', '100'];
    expect(await load(agency, file, [...options, '--dry-run'])).toMatchObject({ withdrawn: 1, skipped: 0 });
    expect(await load(agency, file, options)).toMatchObject({ withdrawn: 1, skipped: 0 });
    expect((await properties(agency)).map(({ id, status, unit }) => [id, status, unit?.name])).toEqual([
      ['old', 'Withdrawn', undefined],
      ['new', 'Available', 'A'],
    ]);
    expect(await load(agency, file, options)).toMatchObject({ written: 0, withdrawn: 0, skipped: 0 });
  });

  test('takes off the market what the file does not have, and the feed follows', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    const query = `U=OWNPROPERTIES@${agency.code}&P=${agency.password}`;
    expect((await operator.feed(query)).match(/<property>/g)).toHaveLength(10);
    expect(await load(agency, feedOf(...ten.slice(3)), ['--replace'])).toMatchObject({ withdrawn: 3, unchanged: 7 });
    expect(await statuses(agency)).toMatchObject({ p0: 'Withdrawn', p2: 'Withdrawn', p3: 'Available' });
    await new Promise((done) => setTimeout(done, 1_100));
    expect((await operator.feed(query)).match(/<property>/g)).toHaveLength(7);
    expect(await load(agency, feedOf(...ten.slice(3)), ['--replace'])).toMatchObject({ withdrawn: 0, unchanged: 7 });
  });

  test('without it, nothing is taken off', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    expect(await load(agency, feedOf('p0'))).toMatchObject({ withdrawn: 0 });
    expect(Object.values(await statuses(agency))).not.toContain('Withdrawn');
  });

  test('refuses when more than 30% would go, unless told', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    expect(await refusal(agency, feedOf('new', ...ten.slice(4)), ['--replace'])).toBe(
      'too_many_withdrawn: The file lacks 4 of 10 properties on the market, more than 30%. Nothing was changed. If they ' +
        'are to go, say so with --max-withdrawn 100.',
    );
    expect(await refusal(agency, feedOf(), ['--replace'])).toMatch(/^too_many_withdrawn: The file lacks 10 of 10/);
    const told = ['--replace', '--max-withdrawn', '40'];
    expect(await load(agency, feedOf('new', ...ten.slice(4)), told)).toMatchObject({ withdrawn: 4 });
    expect(await load(agency, feedOf(), ['--replace', '--max-withdrawn', '100'])).toMatchObject({ withdrawn: 7 });
  });

  test('keeps a property whose record is bad', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    const feed = kyeroFeed(ten.map((id) => kyeroRecord(id, id === 'p1' ? { price: '?' } : {})));
    expect(await load(agency, feed, ['--replace'], 3)).toMatchObject({ withdrawn: 0, skipped: 1 });
  });

  test('refuses where a record does not say which it is', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    const feed = kyeroFeed(ten.map((id) => kyeroRecord(id, id === 'p1' ? { id: null } : {})));
    expect(await refusal(agency, feed, ['--replace'])).toMatch(/^nameless_records: The record at line 15/);
  });

  test('leaves alone what is off the market, and other accounts', async () => {
    const [one, other] = [await openAgency(), await openAgency()];
    for (const agency of [one, other]) await load(agency, feedOf('a', 'b', 'c', 'd'));
    await operator.server.db
      .prepare("UPDATE properties SET status = 'Sold' WHERE account_id = ? AND identifier = 'a'")
      .bind(one.id)
      .run();
    expect(await load(one, feedOf('b', 'c', 'd'), ['--replace'])).toMatchObject({ withdrawn: 0 });
    expect(await statuses(one)).toMatchObject({ a: 'Sold' });
    expect(Object.values(await statuses(other))).toEqual(Array(4).fill('Available'));
  });

  test.each(['101', '-1', 'x'])('--max-withdrawn %s: exit code 2', async (percent) => {
    const { exit } = await operator.run(['import', '--account', 'x', '--replace', `--max-withdrawn=${percent}`]);
    expect(exit).toBe(2);
  });

  test('--dry-run says what would be done, and does nothing', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    const before = await everything(agency);
    const feed = kyeroFeed([
      ...ten.slice(2).map((id) => kyeroRecord(id, id === 'p5' ? { price: '1' } : {})),
      kyeroRecord('new', { type: 'Castle' }),
    ]);
    expect(await load(agency, feed, ['--replace', '--dry-run'])).toMatchObject({
      dry_run: true,
      written: 3,
      unchanged: 7,
      withdrawn: 2,
    });
    expect(await everything(agency)).toEqual(before);
  });
});

test('an import says for a person what was skipped and not taken', async () => {
  const agency = await openAgency();
  const file = await operator.file(
    'import',
    kyeroFeed([kyeroRecord('a', { floor: '2' }), kyeroRecord('b', { beds: '?' })]),
  );
  const { exit, out } = await operator.run(['import', file, '--account', agency.code]);
  expect(out).toBe(
    'Skipped: line 16, property b: beds: must be a number, not "?"\n' +
      'Not taken: floor, 1 time, first at line 14\n' +
      '2 records read: 2 written, 0 unchanged, 1 skipped, 0 taken off the market.\n',
  );
  expect(exit).toBe(3);
});

test('an import drops the snapshots that it has outdated', async () => {
  const agency = await openAgency();
  await load(agency, kyeroFeed([kyeroRecord('a')]));
  await operator.feed(`U=OWNPROPERTIES@${agency.code}&P=${agency.password}`);
  const kept = async () =>
    (await operator.server.snapshots.list()).keys.filter(({ name }) => name.includes(`/account${agency.id}/`)).length;
  await expect.poll(kept).toBe(1);
  await load(agency, kyeroFeed([kyeroRecord('a', { price: '1' })]));
  expect(await kept()).toBe(0);
});

test('an export and an import into an empty account: the feeds are the same bytes', async () => {
  await seedDemo(operator.server.db);
  const copy = await openAgency();
  const file = `${operator.directory}/demo.ndjson`;
  expect((await operator.run(['export', file, '--account', 'demo'])).exit).toBe(0);
  await operator.json(['import', file, '--account', copy.code, '--strict']);
  const piped = await operator.run(['export', '--account', copy.code]);
  expect(piped.out).toBe((await operator.run(['export', '--account', 'demo'])).out);
  for (const query of [
    '',
    'FV=2&AR=TRUE&ARP=TRUE',
    'FV=3&Language=1,2,3,4,5,6,7,8,9,10&IC=0&ShowRTA=TRUE',
    'FV=3&DisplayListingDate=TRUE',
  ]) {
    expect(await operator.feed(`U=OWNPROPERTIES@${copy.code}&P=${copy.password}&${query}`)).toBe(
      await operator.feed(`U=OWNPROPERTIES@DEMO&P=demo&${query}`),
    );
  }
});

describe('an export', () => {
  let whole: string[];
  const refused = async (lines: readonly string[]) =>
    refusal(await openAgency(), lines.map((line) => `${line}\n`).join(''));

  beforeAll(async () => {
    const { out } = await operator.run(['export', '--account', 'demo']);
    whole = out.trimEnd().split('\n');
  });

  test('begins and ends with lines that say so', () => {
    expect(whole[0]).toBe('{"kind":"portfolio"}');
    expect(whole.at(-1)).toBe(`{"kind":"end","documents":${whole.length - 2}}`);
  });

  test.each<[string, (lines: readonly string[]) => string[], string]>([
    ['its last line', (lines) => lines.slice(0, -1), 'the last line of an export is missing'],
    ['its last lines', (lines) => lines.slice(0, -9), 'the last line of an export is missing'],
    ['its first lines', (lines) => lines.slice(9), 'not all of the documents that line'],
    ['a line in its middle', (lines) => lines.toSpliced(9, 1), 'of the documents that line'],
    ['its end before another one', (lines) => [...lines.slice(0, -1), ...lines], 'begins another portfolio'],
  ])('without %s: is not imported', async (_, cut, how) => {
    const message = await refused(cut(whole));
    expect(message).toMatch(/^bad_file: The file has broken off: /);
    expect(message).toContain(how);
  });

  test('behind another one: both are imported', async () => {
    const agency = await openAgency();
    const other = (await operator.run(['export', '--account', (await openAgency()).code])).out;
    expect(await load(agency, other + whole.map((line) => `${line}\n`).join(''))).toMatchObject({
      records: whole.length - 2,
      skipped: 0,
    });
  });

  test('to a named pipe, and to a link to a file: it goes through the one and into the other', async () => {
    const { out } = await operator.run(['export', '--account', 'demo']);
    const pipe = join(operator.directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const read = readFile(pipe, 'utf8');
    expect((await operator.run(['export', pipe, '--account', 'demo'])).exit).toBe(0);
    expect([await read, (await stat(pipe)).isFIFO()]).toEqual([out, true]);

    const file = await operator.file('behind-a-link', 'what was there');
    const link = join(operator.directory, 'link');
    await symlink(file, link);
    expect((await operator.run(['export', link, '--account', 'demo'])).exit).toBe(0);
    expect([await readFile(file, 'utf8'), (await lstat(link)).isSymbolicLink()]).toEqual([out, true]);
  });

  test.each([
    ['a directory', '.', 'EISDIR'],
    ['a directory that is not there', 'nowhere/x', 'ENOENT'],
  ])('to %s: exit code 1, and the path is named', async (_, name, code) => {
    const path = join(operator.directory, name);
    const { exit, err } = await operator.run(['export', path, '--account', 'demo']);
    expect([exit, err]).toEqual([1, `${path} cannot be written: ${code}\n`]);
  });
});

test('an export of an account that is not there, and --json on the standard output', async () => {
  expect((await operator.run(['export', '--account', 'nobody'])).exit).toBe(1);
  expect((await operator.run(['export', '--account', 'demo', '--json'])).exit).toBe(2);
});

describe('an import', () => {
  const development = { kind: 'development', id: 'd', name: 'D' };
  const unit = (name: string, more: object = {}) => ({
    kind: 'unit',
    development: 'd',
    name,
    status: 1,
    price: 1,
    ...more,
  });

  async function* chunk(text: string) {
    yield new TextEncoder().encode(text);
  }

  test('a Kyero feed again leaves all that it has no node for', async () => {
    const agency = await openAgency();
    const feed = kyeroFeed([kyeroRecord('s'), kyeroRecord('w', { price_freq: 'week' })]);
    await load(agency, lines(development, unit('A')));
    await load(agency, feed);
    const own = {
      unit: { development: 'd', name: 'A' },
      on_other_websites: false,
      has_garden: true,
      terrace_area: 1,
      living_area: 2,
      built_year: 2003,
      community_fees: 4,
      garbage_tax: 5,
      cadastral_ref: '6',
      virtual_tour_url: 'https://a.example/7',
      video_url: 'https://a.example/8',
    };
    const [s, w] = await properties(agency);
    await writePortfolio(operator.server.db, agency.id, [
      { ...s!, ...own },
      { ...w!, offers: { ...w!.offers, short_term: { low: 250_000, high: 300_000, license: 'VFT/1' } } },
    ]);
    const before = await everything(agency);
    expect(await load(agency, feed)).toMatchObject({ written: 0, unchanged: 2 });
    expect(await everything(agency)).toEqual(before);
    await load(
      agency,
      kyeroFeed([kyeroRecord('s', { beds: '2' }), kyeroRecord('w', { price_freq: 'week', beds: '2' })]),
    );
    const [after, week] = await properties(agency);
    expect(after).toMatchObject(own);
    expect(week!.offers.short_term).toMatchObject({ high: 300_000, license: 'VFT/1' });
  });

  test('--replace with a record that clashes with one before it: its property stays on the market', async () => {
    const agency = await openAgency();
    await load(agency, lines(...VOCABULARY, development, unit('A'), property('a'), property('b')));
    const inA = (id: string) => property(id, { unit: { development: 'd', name: 'A' } });
    const file = lines(inA('a'), inA('b'));
    expect(await load(agency, file, ['--replace', '--max-withdrawn', '100'], 3)).toMatchObject({
      skipped: 1,
      withdrawn: 0,
    });
  });

  test('--replace of NDJSON with a bad property of no identifier is refused; with a bad type it is not', async () => {
    const agency = await openAgency();
    await load(agency, lines(...VOCABULARY, property('a'), property('b')));
    const replace = ['--replace', '--max-withdrawn', '100'];
    const { id: _, ...nameless } = property('b');
    expect(await refusal(agency, lines(property('a'), nameless), replace)).toMatch(/^nameless_records: .*line 2/);
    const bad = { kind: 'type', code: 'x', labels: { xx: 'y' } };
    expect(await load(agency, lines(property('a'), property('b'), bad), replace, 3)).toMatchObject({
      skipped: 1,
      withdrawn: 0,
    });
  });

  test('NDJSON with blank lines: bad records are told by their lines', async () => {
    const agency = await openAgency();
    const { skipped_records } = await load(agency, `{"kind":"x"}\n\n \n{"kind":"y"}\n`, [], 3);
    expect(skipped_records.map(({ line }) => line)).toEqual([1, 4]);
  });

  test.each([1, 2])('of which the database refuses batch %i fails', async (which) => {
    const agency = await openAgency();
    const { db } = operator.server;
    let seen = 0;
    const DB = new Proxy(db, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'batch') return typeof value === 'function' ? value.bind(target) : value;
        return async (statements: { statement?: string }[]) => {
          if (statements.some((one) => JSON.stringify(one).includes('INSERT INTO properties')) && ++seen === which) {
            await new Promise((done) => setTimeout(done, 50));
            throw new Error('D1_ERROR: gone');
          }
          return target.batch(statements as never);
        };
      },
    });
    const feed = kyeroFeed(Array.from({ length: 600 }, (_, index) => kyeroRecord(`p${index}`)));
    const source = await openSource(chunk(feed), () => readKyeroNames(), new Date());
    const options = { replace: false, maxWithdrawn: 30, dryRun: false, strict: false };
    await expect(
      importPortfolio(
        { DB: withOwnStatements(DB), SNAPSHOTS: operator.server.snapshots } as never,
        agency.id,
        source,
        options,
        NO_PROGRESS,
      ),
    ).rejects.toThrow('D1_ERROR: gone');
  });

  test('of 450 units and developments: an export has them all', async () => {
    const agency = await openAgency();
    const all = [
      ...Array.from({ length: 450 }, (_, index) => ({ kind: 'development', id: `d${index}`, name: 'D' })),
      development,
      ...Array.from({ length: 450 }, (_, index) => unit(`u${index}`)),
    ];
    await load(agency, lines(...all));
    const exported = await documents(agency);
    expect(
      exported.map((one) => ('name' in one && one.kind === 'unit' ? one.name : 'id' in one ? one.id : '')),
    ).toEqual(all.map((one) => ('development' in one ? one.name : (one as { id: string }).id)));
  });

  test('of a development and a unit that are changed changes them', async () => {
    const agency = await openAgency();
    await load(agency, lines(development, unit('A')));
    const changed = [{ ...development, name: 'E' }, unit('A', { status: 8, price: 2.5, directions: ['N'] })];
    expect(await load(agency, lines(...changed))).toMatchObject({ written: 2 });
    expect(await documents(agency)).toEqual(changed);
  });

  test('with more bad records than are shown says how many', async () => {
    const agency = await openAgency();
    const file = await operator.file('import', lines(...Array.from({ length: 1_010 }, () => ({ kind: 'x' }))));
    const { out } = await operator.run(['import', file, '--account', agency.code]);
    expect(out.match(/^Skipped: line /gm)).toHaveLength(50);
    expect(out).toContain('Skipped: 960 more records\n');
    const { skipped, skipped_records } = await operator.json<Report>(['import', file, '--account', agency.code], '', 3);
    expect([skipped, skipped_records.length]).toEqual([1_010, 1_000]);
  });

  test('lays records aside, and has them back in batches of so many characters', async () => {
    const spool = await Spool.create();
    try {
      for (let number = 1; number <= 5; number++) {
        await spool.add({ line: number, number, document: property(`p${number}`, { ref: 'x'.repeat(200) }) });
      }
      const batches: number[][] = [];
      const one = JSON.stringify({ line: 1, number: 1, document: property('p1', { ref: 'x'.repeat(200) }) }).length;
      for await (const batch of spool.batches('property', 200, one * 2))
        batches.push(batch.map(({ number }) => number));
      expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    } finally {
      await spool.remove();
    }
  });

  test.each<[string, PropertyDocument['status']]>([
    ['Available', 'Available'],
    ['for sale', 'Available'],
    ['For  Rent', 'Available'],
    ['under offer', 'Under Offer'],
    ['sale agreed', 'Sale Agreed'],
    ['sold', 'Sold'],
    ['Withdrawn', 'Withdrawn'],
  ])('with the status %s, which is %s, and nodes beyond Kyero’s own', async (status, expected) => {
    const agency = await openAgency();
    const nodes = {
      status,
      currency: 'gbp',
      garbage_tax: '1',
      ibi_fees: '2',
      living_area: '3',
      built_year: '2004',
      cadastral_ref: 'c',
    };
    await load(agency, kyeroFeed([kyeroRecord('a', nodes)]));
    expect(await theProperty(agency)).toMatchObject({
      status: expected,
      currency: 'GBP',
      garbage_tax: 1,
      ibi_fees: 2,
      living_area: 3,
      built_year: 2004,
      cadastral_ref: 'c',
      terrace_area: null,
    });
  });

  test.each([
    ['Line 1 is longer', `{"a":"${'x'.repeat(17 * 1024 * 1024)}"`],
    ['The record at line 4 is longer', kyeroFeed([kyeroRecord('a', { notes: 'x'.repeat(17 * 1024 * 1024) })])],
  ])('that is refused: %s than any record is', async (message, content) => {
    expect(await refusal(await openAgency(), content)).toContain(message);
  });

  test('is done though what it outdates cannot be dropped', async () => {
    const agency = await openAgency();
    await load(agency, kyeroFeed([kyeroRecord('a')]));
    const { db } = operator.server;
    const DB = new Proxy(db, {
      get(target, name) {
        if (name === 'prepare')
          return (sql: string) => {
            if (/snapshots/.test(sql)) throw new Error('D1 fails');
            return target.prepare(sql);
          };
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const source = await openSource(
      chunk(kyeroFeed([kyeroRecord('a', { beds: '9' })])),
      () => readKyeroNames(),
      new Date(),
    );
    const options = { replace: false, maxWithdrawn: 30, dryRun: false, strict: false };
    expect(
      await importPortfolio(
        { DB, SNAPSHOTS: operator.server.snapshots } as never,
        agency.id,
        source,
        options,
        NO_PROGRESS,
      ),
    ).toMatchObject({ written: 1 });
  });

  test('takes what another account has neither for a name to be used nor as in the way', async () => {
    const [one, other] = [await openAgency(), await openAgency()];
    const [villa] = VOCABULARY;
    await load(other, lines(...VOCABULARY, development, unit('A'), property('x-LT')));
    const file = lines(
      villa!,
      property('x'),
      property('y', { features: ['Sea'] }),
      property('z', { unit: { development: 'd', name: 'A' } }),
    );
    expect((await load(one, file, [], 3)).skipped_records.map(({ id, problems }) => [id, problems[0]?.detail])).toEqual(
      [
        ['y', 'there is no feature Sea'],
        ['z', 'there is no unit A of development d'],
      ],
    );
  });
  test('with a node given twice within another: it is named', async () => {
    const agency = await openAgency();
    const r = await load(
      agency,
      kyeroFeed([
        kyeroRecord('a', { location: '<latitude>1</latitude><latitude>2</latitude><longitude>1</longitude>' }),
      ]),
      [],
      3,
    );
    expect(r.skipped_records[0]?.problems).toEqual([{ field: 'location/latitude', detail: 'is given twice' }]);
  });
});
