import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../src/db/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio.ts';
import { fetchFeed } from '../../support/feed.ts';
import { property, VOCABULARY } from '../../support/portfolio.ts';

const TIMES = { sale_updated_at: '2026-03-04T05:06:07Z', rental_updated_at: '2026-02-03T04:05:06Z' };

beforeAll(async () => {
  const id = await createAccount(env.DB, { code: 'GOLDEN', name: 'Golden', password: 'golden' });
  await writePortfolio(env.DB, id, [
    ...VOCABULARY,
    { kind: 'category', code: 'Orientation', labels: { uk: 'Orientation', es: 'Orientación' } },
    { kind: 'feature', code: 'South', category: 'Orientation', labels: { uk: 'South', es: 'Sur' } },
    { kind: 'development', id: 'sol', name: 'Sol & Mar' },
    {
      kind: 'unit',
      development: 'sol',
      name: 'A-1',
      status: 8,
      price: 315_000.5,
      directions: ['SE', ['N', 'sea side']],
    },
    { kind: 'unit', development: 'sol', name: 'A-2', status: 4, price: 1, directions: [] },
    property('1', {
      ...TIMES,
      area: 'Nueva Andalucía',
      country: 'Spain',
      postcode: '29660',
      location: { latitude: 36.5, longitude: -4.25 },
      beds: 5,
      bath: 4.5,
      built_area: 320,
      plot_area: 1_100,
      terrace_area: 60,
      living_area: 290,
      built_year: 2004,
      community_fees: 120.5,
      garbage_tax: 90,
      ibi_fees: 1_200,
      cadastral_ref: '9872023VH5797S0006XS',
      has_pool: true,
      has_garden: true,
      has_garage: true,
      emissions: 'B',
      consumption: 'C',
      virtual_tour_url: 'https://tours.example/1?a=1&b=2',
      video_url: 'https://video.example/1',
      offers: {
        sale: { price: 1_250_000, minimum_price: 1_200_000 },
        long_term: { rent: 4_500 },
        short_term: { low: 2_100, high: 3_900, license: 'VFT/MA/01234' },
      },
      texts: {
        uk: { description: 'A <b>villa</b> by the sea & the "Golf" ]]> it\'s bright.\r\nÑ ß ø Ж ł 🏡\u0001' },
        es: { description: 'Una villa junto al mar.' },
      },
      pictures: ['https://pictures.example/1.jpg?v=1&w=2', 'https://pictures.example/2.jpg'],
      features: ['Golf', 'South', 'Sea'],
    }),
    property('2', { ...TIMES, unit: { development: 'sol', name: 'A-1' }, features: ['South'] }),
    property('3', { ...TIMES, unit: { development: 'sol', name: 'A-2' } }),
    property('4', { ...TIMES, offers: { short_term: { low: null, high: null } }, status: 'Under Offer' }),
    property('5', { ...TIMES, status: 'Withdrawn' }),
  ]);
});

test.each(['1', '2', '3'])('version %s with everything asked for → the golden document', async (FV) => {
  const { xml } = await fetchFeed({
    U: 'OWNPROPERTIES@GOLDEN',
    P: 'golden',
    FV,
    AR: 'TRUE',
    ARP: 'TRUE',
    ShowRTA: 'TRUE',
    DisplayListingDate: 'TRUE',
    VT: 2,
  });
  await expect(xml.replaceAll('><', '>\n<')).toMatchFileSnapshot(`golden/feed-v${FV}.xml`);
});
