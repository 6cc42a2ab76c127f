import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CodedMessage, message } from '../../../src/messages/messages.ts';
import {
  documentKey,
  type PortfolioDocument,
  type PropertyDocument,
  parseDocument,
} from '../../../src/properties/documents.ts';
import { readStored } from '../../../src/properties/store/read.ts';
import { FULL, property, store } from '../../support/accounts/portfolio.ts';
import { newAccount, storedIn } from './account.ts';

const db = env.DB;
let account: number;

beforeAll(async () => {
  account = await newAccount();
});

async function counted(...writing: Parameters<typeof store>) {
  const { changed, unchanged } = await store(...writing);
  return { written: changed.length, unchanged: unchanged.length };
}

const stored = <D extends PortfolioDocument>(document: D, accountId = account) =>
  storedIn(accountId, document);

/** How many numbers of an account a change takes. */
async function taken(accountId: number, change: () => Promise<unknown>): Promise<number> {
  const last = () =>
    db
      .prepare('SELECT changes FROM accounts WHERE id = ?')
      .bind(accountId)
      .first<number>('changes');
  const before = await last();
  await change();
  return (await last())! - before!;
}

/** A property with a distinct value in every field. */
const full: PropertyDocument = property('full', {
  ...FULL,
  rented: true,
  on_own_website: false,
  on_other_websites: false,
  restrictions: ['no_portals', 'not_abroad'],
  source_changed_at: '2026-02-02T00:00:00Z',
  updated_at: '2026-04-04T04:04:04Z',
  currency: 'GBP',
  location: { latitude: 36.5101234567891, longitude: -4.8824 },
  community_fees: 0.1 + 0.2,
  garbage_tax: 1e12,
  ibi_fees: 1 / 3,
  offers: {
    sale: { price: 123456.789, minimum_price: 5e-324 },
    long_term: { rent: 1500.5 },
    short_term: { low: 700, high: null, license: 'VFT/MA/01234' },
  },
  texts: {
    es: {
      description: 'Ático con señorío, <b>&"\'\r\n\u0000\u0001\ufffe 😀',
      url: 'https://agency.example/es',
    },
    no: { description: null, url: 'https://agency.example/no' },
    ru: { description: 'Вилла' },
  },
  pictures: [...FULL.pictures, FULL.pictures[0]],
  features: ['Golf', 'Sea'],
  channels: ['coast', 'idealista'],
});

describe('write of a document', () => {
  test.each([
    parseDocument({
      kind: 'type',
      code: 'flat',
      labels: { ru: { older_type: 'Квартира', type: 'Жильё' } },
    }),
    parseDocument({ kind: 'type', code: 'bare', labels: {} }),
    parseDocument({
      kind: 'category',
      code: 'Setting',
      labels: { uk: 'Setting', no: 'Beliggenhet' },
    }),
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
    if (document.kind === 'property' && document.updated_at === null) {
      expect({ ...back, updated_at: null }).toEqual(document);
    } else {
      expect(back).toEqual(document);
    }
    expect(await taken(account, () => store(db, account, [document]))).toBe(0);
    expect(await counted(db, account, [document])).toEqual({ written: 0, unchanged: 1 });
  });

  test('only the channels differ: written; without channels, they stay', async () => {
    const id = await newAccount();
    const write = (channels: string[] | null) =>
      store(db, id, [property('a', { channels }), property('b')]);
    await write(null);
    expect((await write(['inland', 'coast', 'inland'])).changed).toHaveLength(1);
    expect((await write(null)).unchanged).toHaveLength(2);
    expect((await stored(property('a'), id)).channels).toEqual(['coast', 'inland']);
    const { results } = await db
      .prepare('SELECT name FROM channels WHERE account_id = ? ORDER BY 1')
      .bind(id)
      .all();
    expect(results.map(({ name }) => name)).toEqual(['coast', 'inland']);
  });

  test('stores any finite number exactly', async () => {
    const id = await newAccount();
    await store(db, id, [{ kind: 'development', id: 'd', name: 'D' }]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
          minLength: 100,
          maxLength: 200,
        }),
        async (prices) => {
          const units = prices.map((price, index) =>
            parseDocument({ kind: 'unit', development: 'd', name: `u${index}`, status: 1, price }),
          );
          await store(db, id, units);
          const back = await readStored(db, id, units);
          expect(
            units.map(
              (unit) => (back.get(documentKey(unit)) as typeof unit & { price: number }).price,
            ),
          ).toEqual(prices.map((price) => price + 0));
        },
      ),
      { seed: 1, numRuns: 20 },
    );
  });

  test('stores unit names in NFC, and finds them by other forms', async () => {
    const id = await newAccount();
    const unit = (name: string) =>
      parseDocument({
        kind: 'unit',
        development: 'd',
        name,
        status: 8,
        price: 1,
        directions: ['N', ['SE', 'é']],
      });
    await store(db, id, [{ kind: 'development', id: 'd', name: 'D' }, unit('Ático 1')]);
    expect(await counted(db, id, [unit('A\u0301tico 1')])).toEqual({ written: 0, unchanged: 1 });
    const flat = property('flat', { unit: { development: 'd', name: 'A\u0301tico 1' } });
    await store(db, id, [flat]);
    expect((await stored(flat, id)).unit).toEqual({ development: 'd', name: 'Ático 1' });
  });

  test('affects its own account only', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    await store(db, one, [property('same', { beds: 1 })]);
    await store(db, other, [property('same', { beds: 2 })]);
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
  ])(
    'stays as it is while that of this one is %s',
    async (_, documents, known = portfolio('Ronda', 1)) => {
      const [id, other] = [await newAccount(), await newAccount()];
      await store(db, id, known);
      await store(db, other, portfolio('Ronda', 1));
      const before = await readStored(db, other, portfolio('Ronda', 1));
      expect(await taken(other, () => store(db, id, documents))).toBe(0);
      expect(await readStored(db, other, portfolio('Ronda', 1))).toEqual(before);
      expect(await counted(db, id, documents)).toEqual({ written: 0, unchanged: documents.length });
    },
  );

  test('neither resolve references nor cause conflicts', async () => {
    const [id, other] = [await newAccount(), await newAccount()];
    const type = parseDocument({ kind: 'type', code: 'cave', labels: {} });
    await store(db, other, [type, property('x-LT')]);
    await expect(store(db, id, [property('x', { type: 'cave' })])).rejects.toMatchObject({
      cause: [
        {
          index: 0,
          field: 'type',
          message: { code: 'unknown_type', parameters: { name: 'cave' } },
        },
      ],
    });
    expect(await counted(db, id, [property('x')])).toEqual({ written: 1, unchanged: 0 });
  });
});

describe('write of properties', () => {
  test('assigns numbers in their order, after the existing ones', async () => {
    const id = await newAccount();
    await store(db, id, [property('z'), property('b')]);
    await store(db, id, [property('y'), property('b', { beds: 9 }), property('a'), property('c')]);
    const { results } = await db
      .prepare('SELECT identifier, number FROM properties WHERE account_id = ? ORDER BY number')
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

  test('one change for each property, however much of it changes', async () => {
    const id = await newAccount();
    const before = property('p', {
      texts: { uk: { description: 'One' } },
      pictures: ['a', 'b'],
      features: ['Sea'],
    });
    expect(await taken(id, () => store(db, id, [before]))).toBe(1);
    const after = property('p', {
      beds: 5,
      texts: { uk: { description: 'Two' } },
      pictures: ['b', 'c', 'd'],
      features: ['Golf', 'Sea'],
    });
    expect(await taken(id, () => store(db, id, [after, property('q')]))).toBe(2);
    expect(await stored(after, id)).toEqual({ ...after, updated_at: expect.any(String) });
  });

  test('keep what they were before each change, and who changed them', async () => {
    const id = await newAccount();
    const one = property('p', { beds: 1, pictures: ['a'], texts: { uk: { description: 'One' } } });
    await store(db, id, [one]);
    const ana = { kind: 'person', name: 'Ana' } as const;
    await store(db, id, [{ ...one, beds: 2 }], { actor: ana });
    await store(db, id, [{ ...one, beds: 2, pictures: ['b'] }], {
      actor: { kind: 'client', name: 'crm' },
    });
    const { results } = await db
      .prepare(`SELECT actor, document ->> '$.beds' AS beds, pictures, texts FROM property_history
                 WHERE account_id = ? ORDER BY change`)
      .bind(id)
      .all();
    expect(results).toEqual([
      { actor: 'person:Ana', beds: 1, pictures: null, texts: null },
      { actor: 'client:crm', beds: 2, pictures: '["a"]', texts: null },
    ]);
  });

  test('of more than 1,500,000 bytes: an error, and nothing is written', async () => {
    const id = await newAccount();
    const description = 'x'.repeat(65_000);
    const languages = [
      'uk',
      'es',
      'de',
      'fr',
      'nl',
      'da',
      'ru',
      'sv',
      'pl',
      'no',
      'it',
      'pt',
      'fi',
      'ca',
    ];
    const texts = Object.fromEntries(languages.map((language) => [language, { description }]));
    const pictures = Array.from({ length: 700 }, (_, index) =>
      `https://e.example/${index}`.padEnd(1_000, 'p'),
    );
    const fits = property('p', { texts, pictures: pictures.slice(0, 500) });
    expect((await store(db, id, [fits])).changed).toHaveLength(1);
    await expect(store(db, id, [property('q', { texts, pictures })])).rejects.toMatchObject({
      cause: [{ index: 0, field: '', message: { code: 'large_property' } }],
    });
    expect(await stored(property('q'), id)).toBeUndefined();
  });

  test('whose price jumps by a factor of three: noted until it comes back', async () => {
    const id = await newAccount();
    const jumps = async () => {
      const read = db.prepare(
        'SELECT price_before, price_after FROM price_jumps WHERE account_id = ?',
      );
      return (await read.bind(id).all()).results;
    };
    const write = (price: number) =>
      store(db, id, [property('p', { offers: { sale: { price } } })]);
    await write(100_000);
    await write(299_000);
    expect(await jumps()).toEqual([]);
    await write(99_000);
    await write(900_000);
    expect(await jumps()).toEqual([{ price_before: 299_000, price_after: 900_000 }]);
    await write(290_000);
    expect(await jumps()).toEqual([]);
  });

  test('from an older export: times of changed properties advance, others stay the same', async () => {
    const id = await newAccount();
    const offers = (price: number) => ({ sale: { price }, long_term: { rent: 1 } });
    await store(db, id, [property('p', { offers: offers(1) })]);
    const exported = (await stored(property('p'), id)) as PropertyDocument;
    const time = async () => ((await stored(property('p'), id)) as PropertyDocument).updated_at!;
    for (const [round, given] of [
      exported,
      { ...exported, updated_at: '2001-01-01T00:00:00Z' },
    ].entries()) {
      // An older change: a row that is written with its number counts as none.
      const older =
        'UPDATE properties SET changed_at = changed_at - 10, change = change + 1 WHERE account_id = ?';
      await db.prepare(older).bind(id).run();
      const before = await time();
      await store(db, id, [
        { ...given, offers: { ...given.offers, sale: { price: round + 2, minimum_price: 0 } } },
      ]);
      expect((await time()) > before).toBe(true);
    }
    const after = (await stored(property('p'), id)) as PropertyDocument;
    const old = { ...after, updated_at: '2001-01-01T00:00:00Z' };
    expect(await counted(db, id, [old])).toEqual({ written: 0, unchanged: 1 });
    expect(await stored(property('p'), id)).toEqual(after);
  });

  test('that exchange their units: both are updated', async () => {
    const id = await newAccount();
    const pair = (one: string, other: string) => [
      property('one', { unit: { development: 'd', name: one } }),
      property('other', { unit: { development: 'd', name: other } }),
    ];
    await store(db, id, [
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
        pictures: Array.from(
          { length: 100 },
          (_, picture) => `https://pictures.example/${index}/${picture}.jpg`,
        ),
      }),
    );
    expect(await counted(db, id, many)).toEqual({ written: 20, unchanged: 0 });
    expect(await counted(db, id, many)).toEqual({ written: 0, unchanged: 20 });
  });
});

describe('write of labels', () => {
  test('a change for the vocabulary, and one for each property that shows them', async () => {
    const id = await newAccount();
    await store(db, id, [property('p', { features: ['Sea'] }), property('q')]);
    const sea = (labels: object) =>
      parseDocument({ kind: 'feature', code: 'Sea', category: 'Views', labels });
    expect(await taken(id, () => store(db, id, [sea({ uk: 'Sea', es: 'El mar' })]))).toBe(2);
    expect(await taken(id, () => store(db, id, [sea({ es: 'El mar', uk: 'Sea' })]))).toBe(0);
    expect(await taken(id, () => store(db, id, [sea({ uk: 'Sea' })]))).toBe(2);
    expect(await stored(sea({}), id)).toEqual(sea({ uk: 'Sea' }));
  });
});

describe('write of documents with conflicts', () => {
  const unit = parseDocument({ kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 });
  const inUnit = (id: string, name = 'A') => property(id, { unit: { development: 'd', name } });

  beforeAll(async () => {
    await store(db, account, [
      { kind: 'development', id: 'd', name: 'D' },
      unit,
      inUnit('held'),
      property('x-LT'),
    ]);
  });

  test.each<[string, PortfolioDocument[], number, string, CodedMessage]>([
    [
      'an unknown type',
      [property('n1', { type: 'castle' })],
      0,
      'type',
      message('unknown_type', { name: 'castle' }),
    ],
    [
      'an unknown feature',
      [property('n1', { features: ['Sea', 'Moat'] })],
      0,
      'features.1',
      message('unknown_feature', { name: 'Moat' }),
    ],
    [
      'an unknown unit',
      [property('n1', { unit: { development: 'd', name: 'Z' } })],
      0,
      'unit',
      message('unknown_unit', { name: 'Z', development: 'd' }),
    ],
    [
      'an unknown development',
      [{ ...unit, development: 'e' } as PortfolioDocument],
      0,
      'development',
      message('unknown_development', { name: 'e' }),
    ],
    [
      'an unknown category',
      [parseDocument({ kind: 'feature', code: 'f', category: 'g', labels: {} })],
      0,
      'category',
      message('unknown_category', { name: 'g' }),
    ],
    [
      'a unit of a stored property',
      [inUnit('n1')],
      0,
      'unit',
      message('unit_taken', { development: 'd', name: 'A', property: 'held' }),
    ],
    [
      'a unit of two properties',
      [{ ...unit, name: 'B' } as PortfolioDocument, ...['n1', 'n2'].map((id) => inUnit(id, 'B'))],
      2,
      'unit',
      message('unit_taken', { development: 'd', name: 'B', property: 'n1' }),
    ],
    [
      'a stored identifier with -LT',
      [property('n1'), property('x')],
      1,
      'id',
      message('suffix_conflict', { property: 'x-LT' }),
    ],
    [
      'two identifiers that differ in -ST',
      [property('y'), property('y-ST')],
      1,
      'id',
      message('suffix_conflict', { property: 'y' }),
    ],
  ])(
    '%s: an error that names it, and nothing is written',
    async (_, documents, index, field, told) => {
      const good = property('good');
      const attempt = store(db, account, [...documents, good]);
      await expect(attempt).rejects.toMatchObject({ cause: [{ index, field, message: told }] });
      expect(await stored(good)).toBeUndefined();
    },
  );
});
