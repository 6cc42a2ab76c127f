import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { readStored } from '../../../src/db/portfolio/read.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import {
  documentKey,
  type PortfolioDocument,
  type PortfolioDocumentInput,
  type PropertyDocument,
  parseDocument,
} from '../../../src/portfolio/documents.ts';
import { FULL, property } from '../../support/accounts/portfolio.ts';
import { newAccount, storedIn } from './account.ts';

const db = env.DB;
let account: number;

beforeAll(async () => {
  account = await newAccount();
});

async function counted(...writing: Parameters<typeof writePortfolio>) {
  const { changed, unchanged } = await writePortfolio(...writing);
  return { written: changed.length, unchanged: unchanged.length };
}

const stored = <D extends PortfolioDocument>(document: D, accountId = account) => storedIn(accountId, document);

interface Revisions {
  sale: number;
  rental: number;
}

async function revisions(accountId = account): Promise<Revisions> {
  return (await db
    .prepare('SELECT sale_revision AS sale, rental_revision AS rental FROM accounts WHERE id = ?')
    .bind(accountId)
    .first<Revisions>())!;
}

async function moved(accountId: number, change: () => Promise<unknown>): Promise<Revisions> {
  const before = await revisions(accountId);
  await change();
  const after = await revisions(accountId);
  return { sale: after.sale - before.sale, rental: after.rental - before.rental };
}

/** A property with a distinct value in every field. */
const full: PropertyDocument = property('full', {
  ...FULL,
  rented: true,
  on_own_website: false,
  on_other_websites: false,
  restrictions: ['no_portals', 'not_abroad'],
  source_changed_at: '2026-02-02T00:00:00Z',
  sale_updated_at: '2026-03-03T03:03:03Z',
  rental_updated_at: '2026-04-04T04:04:04Z',
  currency: 'GBP',
  location: { latitude: 36.5101234567891, longitude: -4.8824 },
  community_fees: 0.1 + 0.2,
  garbage_tax: 1e300,
  ibi_fees: -1 / 3,
  offers: {
    sale: { price: 123456.789, minimum_price: 5e-324 },
    long_term: { rent: 1500.5 },
    short_term: { low: 700, high: null, license: 'VFT/MA/01234' },
  },
  texts: {
    es: { description: 'Ático con señorío, <b>&"\'\r\n\u0000\u0001\ufffe 😀', url: 'https://agency.example/es' },
    no: { description: null, url: 'https://agency.example/no' },
    ru: { description: 'Вилла' },
  },
  pictures: [...FULL.pictures, FULL.pictures[0]],
  features: ['Golf', 'Sea'],
  channels: ['coast', 'idealista'],
});

describe('write of a document', () => {
  test.each([
    parseDocument({ kind: 'type', code: 'flat', labels: { ru: { older_type: 'Квартира', type: 'Жильё' } } }),
    parseDocument({ kind: 'type', code: 'bare', labels: {} }),
    parseDocument({ kind: 'category', code: 'Setting', labels: { uk: 'Setting', no: 'Beliggenhet' } }),
    parseDocument({ kind: 'feature', code: 'Beach', category: 'Views', labels: { pl: 'Plaża' } }),
    parseDocument({ kind: 'development', id: 'dév/1', name: 'Sol & Azul' }),
    parseDocument({
      kind: 'development',
      id: 'detailed',
      name: 'Mar',
      details: {
        building: 'houses',
        stage: 'paving',
        finished: true,
        starts_on: '2026-02-28',
        keys_in: '2027-01',
        location: { latitude: 36.5, longitude: -4.9 },
        energy: 'A',
        texts: { es: { description: 'Casas.' }, ua: { description: 'Будинки' } },
        pictures: ['https://e.example/1.jpg'],
      },
    }),
    full,
    property('least'),
  ])('reads back as it was: $kind $code$id', async (document) => {
    expect(await counted(db, account, [document])).toEqual({ written: 1, unchanged: 0 });
    const back = await stored(document);
    if (document.kind === 'property' && document.sale_updated_at === null) {
      expect({ ...back, sale_updated_at: null, rental_updated_at: null }).toEqual(document);
    } else {
      expect(back).toEqual(document);
    }
    expect(await moved(account, () => writePortfolio(db, account, [document]))).toEqual({ sale: 0, rental: 0 });
    expect(await counted(db, account, [document])).toEqual({ written: 0, unchanged: 1 });
  });

  test('only the channels differ: no revision of the account advances, but those of the channels', async () => {
    const id = await newAccount();
    const revisionsOfChannels = async () => {
      const { results } = await db
        .prepare('SELECT name, revision FROM channels WHERE account_id = ? ORDER BY name')
        .bind(id)
        .all();
      return results;
    };
    const write = (channels: string[] | null) => writePortfolio(db, id, [property('a', { channels }), property('b')]);
    await write(null);
    expect(await moved(id, () => write(['coast', 'inland']))).toEqual({ sale: 0, rental: 0 });
    expect(await revisionsOfChannels()).toEqual([
      { name: 'coast', revision: 1 },
      { name: 'inland', revision: 1 },
    ]);
    expect(await moved(id, () => write(['inland', 'inland']))).toEqual({ sale: 0, rental: 0 });
    expect(await revisionsOfChannels()).toEqual([
      { name: 'coast', revision: 2 },
      { name: 'inland', revision: 1 },
    ]);
    expect((await write(null)).unchanged).toHaveLength(2);
    expect((await stored(property('a'), id)).channels).toEqual(['inland']);
  });

  test('stores any finite number exactly', async () => {
    const id = await newAccount();
    await writePortfolio(db, id, [{ kind: 'development', id: 'd', name: 'D' }]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 100, maxLength: 200 }),
        async (prices) => {
          const units = prices.map((price, index) =>
            parseDocument({ kind: 'unit', development: 'd', name: `u${index}`, status: 1, price }),
          );
          await writePortfolio(db, id, units);
          const back = await readStored(db, id, units);
          expect(units.map((unit) => (back.get(documentKey(unit)) as typeof unit & { price: number }).price)).toEqual(
            prices.map((price) => price + 0),
          );
        },
      ),
      { seed: 1, numRuns: 20 },
    );
  });

  test('stores unit names in NFC, and finds them by other forms', async () => {
    const id = await newAccount();
    const unit = (name: string) =>
      parseDocument({ kind: 'unit', development: 'd', name, status: 8, price: 1, directions: ['N', ['SE', 'é']] });
    await writePortfolio(db, id, [{ kind: 'development', id: 'd', name: 'D' }, unit('Ático 1')]);
    expect(await counted(db, id, [unit('A\u0301tico 1')])).toEqual({ written: 0, unchanged: 1 });
    const flat = property('flat', { unit: { development: 'd', name: 'A\u0301tico 1' } });
    await writePortfolio(db, id, [flat]);
    expect((await stored(flat, id)).unit).toEqual({ development: 'd', name: 'Ático 1' });
  });

  test('affects its own account only', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    await writePortfolio(db, one, [property('same', { beds: 1 })]);
    await writePortfolio(db, other, [property('same', { beds: 2 })]);
    expect((await stored(property('same'), one)).beds).toBe(1);
    expect((await stored(property('same'), other)).beds).toBe(2);
  });
});

describe('documents of another account with the same names', () => {
  const portfolio = (town: string, price: number): PortfolioDocument[] => [
    { kind: 'development', id: 'd', name: town },
    parseDocument({ kind: 'unit', development: 'd', name: 'A', status: 1, price }),
    { ...full, town, unit: { development: 'd', name: 'A' } },
    property('p', { ref: town, offers: { sale: { price } } }),
  ];

  test.each<[string, PortfolioDocument[], stored?: PortfolioDocument[]]>([
    ['written', portfolio('Nerja', 2), []],
    ['rewritten', portfolio('Nerja', 2)],
    ['amended', [property('p', { ref: 'Ronda', offers: { sale: { price: 3 } } })]],
  ])('stays as it is while that of this one is %s', async (_, documents, known = portfolio('Ronda', 1)) => {
    const [id, other] = [await newAccount(), await newAccount()];
    await writePortfolio(db, id, known);
    await writePortfolio(db, other, portfolio('Ronda', 1));
    await db.prepare('UPDATE properties SET sale_updated_at = 4000000000 WHERE account_id = ?').bind(other).run();
    const before = await readStored(db, other, portfolio('Ronda', 1));
    const unmoved = await moved(other, () => writePortfolio(db, id, documents));
    expect(unmoved).toEqual({ sale: 0, rental: 0 });
    expect(await readStored(db, other, portfolio('Ronda', 1))).toEqual(before);
    expect(await counted(db, id, documents)).toEqual({ written: 0, unchanged: documents.length });
  });

  test('neither resolve references nor cause conflicts', async () => {
    const [id, other] = [await newAccount(), await newAccount()];
    const type = parseDocument({ kind: 'type', code: 'cave', labels: {} });
    await writePortfolio(db, other, [type, property('x-LT')]);
    await expect(writePortfolio(db, id, [property('x', { type: 'cave' })])).rejects.toMatchObject({
      cause: [{ index: 0, field: 'type', detail: 'there is no type cave' }],
    });
    expect(await counted(db, id, [property('x')])).toEqual({ written: 1, unchanged: 0 });
  });
});

describe('write of properties', () => {
  test('assigns sequence numbers in their order, after the existing ones', async () => {
    const id = await newAccount();
    await writePortfolio(db, id, [property('z'), property('b')]);
    await writePortfolio(db, id, [property('y'), property('b', { beds: 9 }), property('a'), property('c')]);
    const { results } = await db
      .prepare('SELECT identifier, sequence_number FROM properties WHERE account_id = ? ORDER BY sequence_number')
      .bind(id)
      .all();
    expect(results.map(Object.values)).toEqual([
      ['z', 1],
      ['b', 2],
      ['y', 3],
      ['a', 4],
      ['c', 5],
    ]);
  });

  test('counts one change per property, however many parts of it change', async () => {
    const id = await newAccount();
    const before = property('p', { texts: { uk: { description: 'One' } }, pictures: ['a', 'b'], features: ['Sea'] });
    expect(await moved(id, () => writePortfolio(db, id, [before]))).toEqual({ sale: 1, rental: 0 });
    const after = property('p', {
      beds: 5,
      texts: { uk: { description: 'Two' } },
      pictures: ['b', 'c', 'd'],
      features: ['Golf', 'Sea'],
    });
    expect(await moved(id, () => writePortfolio(db, id, [after]))).toEqual({ sale: 2, rental: 0 });
    expect(await stored(after, id)).toEqual({
      ...after,
      sale_updated_at: expect.any(String),
      rental_updated_at: expect.any(String),
    });
  });

  const both = { sale: { price: 5, minimum_price: 1 }, long_term: { rent: 7 } };
  const texts = { uk: { description: 'One' }, es: { url: 'https://example.com/es' } };

  test.each<[string, Partial<PortfolioDocumentInput>, { sale: number; rental: number }]>([
    ['the price', { offers: { ...both, sale: { price: 6, minimum_price: 1 } } }, { sale: 1, rental: 0 }],
    ['the rent', { offers: { ...both, long_term: { rent: 8 } } }, { sale: 0, rental: 1 }],
    ['a removed rent', { offers: { sale: both.sale } }, { sale: 0, rental: 1 }],
    ['a removed sale offer', { offers: { long_term: both.long_term } }, { sale: 1, rental: 1 }],
    ['a new short-term offer', { offers: { ...both, short_term: { low: 1 } } }, { sale: 0, rental: 1 }],
    ['URLs of pages', { texts: { uk: { description: 'One', url: 'https://example.com' } } }, { sale: 2, rental: 2 }],
    ['the time of the source', { source_changed_at: '2026-02-02T00:00:00Z' }, { sale: 0, rental: 0 }],
    ['new_build', { new_build: true }, { sale: 1, rental: 1 }],
    ['the commission', { commission: '2' }, { sale: 0, rental: 0 }],
  ])(
    'that changes only %s: advances the revisions of the feeds that show it, and no others',
    async (_, change, expected) => {
      const id = await newAccount();
      const before = property('p', { offers: both, texts, pictures: ['a'], features: ['Sea'] });
      await writePortfolio(db, id, [before]);
      const after = property('p', { offers: both, texts, pictures: ['a'], features: ['Sea'], ...change } as object);
      expect(await moved(id, () => writePortfolio(db, id, [after]))).toEqual(expected);
      const times = { sale_updated_at: expect.anything(), rental_updated_at: expect.anything() };
      expect({ ...(await stored(after, id)), ...times }).toEqual({ ...after, ...times });
      expect(await counted(db, id, [after])).toEqual({ written: 0, unchanged: 1 });
    },
  );

  test('advances no revision while they are withdrawn', async () => {
    const id = await newAccount();
    const sold = property('p', { status: 'Sold', offers: { sale: {}, long_term: { rent: 1 } } });
    expect(await moved(id, () => writePortfolio(db, id, [sold]))).toEqual({ sale: 0, rental: 0 });
    const withdrawn: PropertyDocument = { ...sold, status: 'Withdrawn', sale_updated_at: '2026-01-01T00:00:00Z' };
    expect(await moved(id, () => writePortfolio(db, id, [withdrawn]))).toEqual({ sale: 0, rental: 0 });
    expect((await stored(withdrawn, id)).sale_updated_at).toBe('2026-01-01T00:00:00Z');
  });

  test('from an older export: times of changed properties advance, others stay the same', async () => {
    const id = await newAccount();
    const offers = (price: number) => ({ sale: { price }, long_term: { rent: 1 } });
    await writePortfolio(db, id, [property('p', { offers: offers(1) })]);
    const exported = (await stored(property('p'), id)) as PropertyDocument;
    const times = async () => {
      const { sale_updated_at, rental_updated_at } = (await stored(property('p'), id)) as PropertyDocument;
      return [sale_updated_at!, rental_updated_at!].sort()[1]!;
    };
    for (const [round, given] of [exported, { ...exported, sale_updated_at: '2001-01-01T00:00:00Z' }].entries()) {
      const before = await times();
      await writePortfolio(db, id, [
        { ...given, offers: { ...given.offers, sale: { price: round + 2, minimum_price: 0 } } },
      ]);
      expect((await times()) > before).toBe(true);
    }
    const after = await stored(property('p'), id);
    expect(
      await counted(db, id, [{ ...(after as PropertyDocument), sale_updated_at: exported.sale_updated_at }]),
    ).toEqual({ written: 0, unchanged: 1 });
    expect(await stored(property('p'), id)).toEqual(after);
  });

  test('that exchange their units: both are updated', async () => {
    const id = await newAccount();
    const pair = (one: string, other: string) => [
      property('one', { unit: { development: 'd', name: one } }),
      property('other', { unit: { development: 'd', name: other } }),
    ];
    await writePortfolio(db, id, [
      { kind: 'development', id: 'd', name: 'D' },
      parseDocument({ kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 }),
      parseDocument({ kind: 'unit', development: 'd', name: 'B', status: 1, price: 1 }),
      ...pair('A', 'B'),
    ]);
    expect(await counted(db, id, pair('B', 'A'))).toEqual({ written: 2, unchanged: 0 });
    expect((await stored(property('one'), id)).unit?.name).toBe('B');
  });

  test('that exceed one parameter: all are written', async () => {
    const id = await newAccount();
    const description = '€'.repeat(21_000);
    const many = Array.from({ length: 20 }, (_, index) =>
      property(`p${index}`, {
        texts: { uk: { description }, de: { description: '\u0001'.repeat(65_536) } },
        pictures: Array.from({ length: 100 }, (_, picture) => `https://pictures.example/${index}/${picture}.jpg`),
      }),
    );
    expect(await counted(db, id, many)).toEqual({ written: 20, unchanged: 0 });
    expect(await counted(db, id, many)).toEqual({ written: 0, unchanged: 20 });
  });
});

describe('write of labels', () => {
  test('advances the revisions of the segments that show them, once per changed label', async () => {
    const id = await newAccount();
    await writePortfolio(db, id, [property('p', { features: ['Sea'] })]);
    const sea = (labels: object) => parseDocument({ kind: 'feature', code: 'Sea', category: 'Views', labels });
    expect(await moved(id, () => writePortfolio(db, id, [sea({ uk: 'Sea', es: 'El mar' })]))).toEqual({
      sale: 1,
      rental: 0,
    });
    expect(await moved(id, () => writePortfolio(db, id, [sea({ uk: 'Sea' })]))).toEqual({ sale: 1, rental: 0 });
    expect(await stored(sea({}), id)).toEqual(sea({ uk: 'Sea' }));
  });
});

describe('write of documents with conflicts', () => {
  const unit = parseDocument({ kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 });
  const inUnit = (id: string, name = 'A') => property(id, { unit: { development: 'd', name } });

  beforeAll(async () => {
    await writePortfolio(db, account, [
      { kind: 'development', id: 'd', name: 'D' },
      unit,
      inUnit('held'),
      property('x-LT'),
    ]);
  });

  test.each<[string, PortfolioDocument[], number, string, string]>([
    ['an unknown type', [property('n1', { type: 'castle' })], 0, 'type', 'there is no type castle'],
    [
      'an unknown feature',
      [property('n1', { features: ['Sea', 'Moat'] })],
      0,
      'features.1',
      'there is no feature Moat',
    ],
    [
      'an unknown unit',
      [property('n1', { unit: { development: 'd', name: 'Z' } })],
      0,
      'unit',
      'there is no unit Z of development d',
    ],
    [
      'an unknown development',
      [{ ...unit, development: 'e' } as PortfolioDocument],
      0,
      'development',
      'there is no development e',
    ],
    [
      'an unknown category',
      [parseDocument({ kind: 'feature', code: 'f', category: 'g', labels: {} })],
      0,
      'category',
      'there is no category g',
    ],
    [
      'a unit of a stored property',
      [inUnit('n1')],
      0,
      'unit',
      'unit A of development d is already assigned to property held',
    ],
    [
      'a unit of two properties',
      [{ ...unit, name: 'B' } as PortfolioDocument, ...['n1', 'n2'].map((id) => inUnit(id, 'B'))],
      2,
      'unit',
      'unit B of development d is already assigned to property n1',
    ],
    [
      'a stored identifier with -LT',
      [property('n1'), property('x')],
      1,
      'id',
      'conflicts with property x-LT: the ids differ only by the suffix -LT or -ST',
    ],
    [
      'two identifiers that differ in -ST',
      [property('y'), property('y-ST')],
      1,
      'id',
      'conflicts with property y: the ids differ only by the suffix -LT or -ST',
    ],
  ])('%s: an error that names it, and nothing is written', async (_, documents, index, field, detail) => {
    const good = property('good');
    const attempt = writePortfolio(db, account, [...documents, good]);
    await expect(attempt).rejects.toMatchObject({ cause: [{ index, field, detail }] });
    expect(await stored(good)).toBeUndefined();
  });
});
