import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { parseDocument } from '../../../src/portfolio/documents.ts';
import { fetchFeed } from '../../support/feed.ts';
import { property } from '../../support/portfolio.ts';

const TYPES = {
  translated: {
    uk: { older_type: 'Villa', older_subtype: 'Detached', type: 'House', subtype: 'Detached Villa' },
    de: { older_type: 'Villa', older_subtype: 'Freistehend', type: 'Haus', subtype: 'Freistehende Villa' },
  },
  // The type is translated, the subtype is not.
  partly: {
    uk: { older_type: 'Plot', older_subtype: 'Land', type: 'Plot', subtype: 'Land' },
    de: { older_type: 'Grundstück', type: 'Grundstück' },
  },
  german: { de: { older_type: 'Haus', type: 'Haus' } },
  italian: { it: { older_type: 'Casa', type: 'Casa', subtype: 'Masseria' } },
  // XML can represent no character of the English label.
  control: { uk: { older_type: '\u0001', type: '\u0001' }, fr: { older_type: 'Maison', type: 'Maison' } },
  bare: {},
};

const FEATURES = {
  translated: { uk: 'Sea', de: 'Meer' },
  english: { uk: 'Lake' },
  spanish: { es: 'Huerto' },
  bare: {},
};

beforeAll(async () => {
  const id = await createAccount(env.DB, { code: 'LABELS', name: 'Labels', password: 'labels' });
  await writePortfolio(env.DB, id, [
    ...Object.entries(TYPES).map(([code, labels]) => parseDocument({ kind: 'type', code, labels })),
    parseDocument({ kind: 'category', code: 'Views', labels: { es: 'Vistas' } }),
    parseDocument({ kind: 'category', code: 'Extras', labels: {} }),
    ...Object.entries(FEATURES).map(([code, labels]) =>
      parseDocument({ kind: 'feature', code, category: code === 'spanish' ? 'Extras' : 'Views', labels }),
    ),
    ...Object.keys(TYPES).map((type) => property(type, { type, features: Object.keys(FEATURES) })),
    property('named', { type: 'bare', features: ['bare'] }),
  ]);
});

async function nodesOf(query: Readonly<Record<string, string>>, node: string): Promise<string[]> {
  const { status, xml } = await fetchFeed({ U: 'OWNPROPERTIES@LABELS', P: 'labels', ...query });
  expect(status).toBe(200);
  return xml
    .split('<property>')
    .slice(1)
    .map((record) => record.match(new RegExp(`<${node}>.*?</${node}>`))?.[0] ?? '');
}

test.each([
  ['1', { FV: '1' }],
  ['2', { FV: '2' }],
])(
  'GET version %s in German and Polish: older types and subtypes, in English or else in any language',
  async (_, query) => {
    const parameters = { ...query, Language: '3,9' };
    expect(await nodesOf(parameters, 'type')).toEqual([
      '<type><de>Villa</de><pl>Villa</pl></type>',
      '<type><de>Grundstück</de><pl>Plot</pl></type>',
      '<type><de>Haus</de><pl>Haus</pl></type>',
      '<type><de>Casa</de><pl>Casa</pl></type>',
      '<type><de>Maison</de><pl>Maison</pl></type>',
      '<type><de>bare</de><pl>bare</pl></type>',
      '<type><de>bare</de><pl>bare</pl></type>',
    ]);
    expect(await nodesOf(parameters, 'subtype')).toEqual([
      '<subtype><de>Freistehend</de><pl>Detached</pl></subtype>',
      '<subtype><de>Land</de><pl>Land</pl></subtype>',
      ...Array(5).fill(''),
    ]);
  },
);

test.each([
  ['version 3', { FV: '3' }],
  ['NPT', { FV: '1', NPT: 'TRUE' }],
])('GET %s in German and Polish: current types and subtypes, in English or else in any language', async (_, query) => {
  const parameters = { ...query, Language: '3,9' };
  expect((await nodesOf(parameters, 'type'))[0]).toBe('<type><de>Haus</de><pl>House</pl></type>');
  expect(await nodesOf(parameters, 'subtype')).toEqual([
    '<subtype><de>Freistehende Villa</de><pl>Detached Villa</pl></subtype>',
    '<subtype><de>Land</de><pl>Land</pl></subtype>',
    '',
    '<subtype><de>Masseria</de><pl>Masseria</pl></subtype>',
    ...Array(3).fill(''),
  ]);
});

test('GET in German and Polish: categories and features in English or else in any language; without a label, none', async () => {
  const [first, ...others] = await nodesOf({ Language: '3,9' }, 'characteristics');
  expect(first).toBe(
    '<characteristics><category><name><de>Vistas</de><pl>Vistas</pl></name>' +
      '<value><de>Meer</de><pl>Sea</pl></value><value><de>Lake</de><pl>Lake</pl></value></category>' +
      '<category><name><de>Extras</de><pl>Extras</pl></name>' +
      '<value><de>Huerto</de><pl>Huerto</pl></value></category></characteristics>',
  );
  expect(others.at(-1)).toBe('');
});
