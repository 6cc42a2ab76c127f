import type { DemoEvent, Happening } from './types.ts';

const ANA = 'Ana Ruiz';
const TOM = 'Tom Baker';
const CRM = 'demo-client';

/** An event that many days ago, at a time of the day. */
function on(daysAgo: number, at: string, who: string, what: Happening): DemoEvent {
  return { daysAgo, at, who, ...what };
}

/** What has happened at the demo agency, the oldest first. No two events have the same time. */
export const EVENTS: readonly DemoEvent[] = [
  on(15, '08:00', '', { kind: 'begin' }),

  on(14, '08:40', ANA, { kind: 'join' }),
  on(14, '09:05', TOM, { kind: 'join' }),
  on(14, '10:15', ANA, { kind: 'connect', portal: 'kyero' }),
  on(14, '10:40', ANA, { kind: 'connect', portal: 'idealista' }),
  on(14, '11:30', TOM, { kind: 'connect', portal: 'website' }),
  on(14, '16:20', TOM, { kind: 'connect', portal: 'thinkspain' }),

  on(13, '09:30', ANA, {
    kind: 'facts',
    property: 'R4100022',
    changes: { 'offers.sale.price': [525_000, 503_000] },
  }),
  on(13, '12:10', CRM, {
    kind: 'unit',
    development: 'sol-azul',
    unit: 'B-203',
    price: [545_000, 530_000],
  }),
  on(13, '15:00', TOM, {
    kind: 'assign',
    channel: 'sea-views',
    properties: [
      'R4100001',
      'R4100008',
      'R4100057',
      'R4100106',
      'R4100148',
      'R4100183',
      'R4100232',
    ],
  }),
  on(13, '15:10', TOM, { kind: 'connect', portal: 'a-place-in-the-sun' }),

  on(12, '10:05', TOM, {
    kind: 'facts',
    property: 'R4100064',
    changes: { status: ['Available', 'Under Offer'] },
  }),
  on(12, '13:45', CRM, {
    kind: 'unit',
    development: 'sol-azul',
    unit: 'A-204',
    status: [1, 2],
  }),

  on(11, '09:15', ANA, {
    kind: 'facts',
    property: 'R4100337',
    changes: { status: ['Available', 'Withdrawn'] },
  }),
  on(11, '17:20', TOM, {
    kind: 'text',
    property: 'R4100085',
    language: 'uk',
    words: ['the terace that everbody asks for', 'the terrace that everybody asks for'],
  }),

  on(10, '08:50', ANA, {
    kind: 'import units',
    file: 'mirador-del-golf.ndjson',
    units: [
      { development: 'mirador-del-golf', unit: 'A-103', status: [1, 2] },
      { development: 'mirador-del-golf', unit: 'B-105', status: [8, 2] },
      { development: 'mirador-del-golf', unit: 'B-203', price: [335_000, 320_000] },
      { development: 'mirador-del-golf', unit: 'B-205', price: [469_000, 455_000] },
    ],
  }),

  on(9, '11:00', CRM, {
    kind: 'unit',
    development: 'sol-azul',
    unit: 'A-105',
    status: [8, 4],
  }),
  on(9, '16:05', ANA, {
    kind: 'facts',
    property: 'R4100344',
    changes: { status: ['Sale Agreed', 'Sold'] },
  }),

  on(8, '09:40', TOM, {
    kind: 'facts',
    property: 'R4100330',
    changes: { 'offers.long_term.rent': [750, 700] },
  }),
  on(8, '14:30', CRM, {
    kind: 'unit',
    development: 'sol-azul',
    unit: 'B-201',
    status: [1, 8],
  }),

  on(7, '10:10', TOM, { kind: 'assign', channel: 'sea-views', properties: ['R4100316'] }),

  on(6, '09:20', ANA, {
    kind: 'facts',
    property: 'R4100246',
    changes: { 'offers.sale.price': [398_000, 385_000] },
  }),
  on(6, '12:00', CRM, {
    kind: 'unit',
    development: 'mirador-del-golf',
    unit: 'A-205',
    status: [2, 8],
  }),

  on(5, '09:35', TOM, {
    kind: 'facts',
    property: 'R4100008',
    changes: { 'offers.sale.price': [595_000, 581_000] },
  }),
  on(5, '15:25', ANA, {
    kind: 'facts',
    property: 'R4100211',
    changes: { status: ['Available', 'Under Offer'] },
  }),

  on(4, '08:45', ANA, {
    kind: 'import prices',
    file: 'land-prices.xml',
    prices: { R4100155: [129_000, 121_000], R4100295: [86_000, 83_000] },
    rejected: [
      '<property><id>R4100155</id><ref>CS-1023</ref><price>125000</price><price_freq>sale</price_freq>' +
        '<type>Land</type><town>Ojén</town><province>Málaga</province></property>',
      '<property><id></id><price>95000</price><type>Plot</type><town>Mijas</town></property>',
    ],
  }),
  on(4, '11:40', CRM, {
    kind: 'unit',
    development: 'sol-azul',
    unit: 'B-105',
    status: [1, 2],
  }),

  on(3, '10:30', ANA, {
    kind: 'facts',
    property: 'R4100092',
    changes: { 'offers.short_term.low': [2_800, 2_970] },
  }),
  on(3, '16:10', TOM, {
    kind: 'facts',
    property: 'R4100176',
    changes: { status: ['Under Offer', 'Sale Agreed'] },
  }),

  on(2, '09:50', CRM, {
    kind: 'unit',
    development: 'jardines-de-burriana',
    unit: 'A-202',
    price: [379_000, 370_000],
  }),
  on(2, '12:15', TOM, {
    kind: 'facts',
    property: 'R4100358',
    changes: { status: ['Sale Agreed', 'Sold'] },
  }),

  on(1, '09:05', ANA, {
    kind: 'facts',
    property: 'R4100183',
    changes: { 'offers.sale.price': [905_000, 880_000] },
  }),
  on(1, '11:45', CRM, {
    kind: 'unit',
    development: 'sol-azul',
    unit: 'B-102',
    price: [499_000, 490_000],
  }),
  on(1, '17:30', TOM, {
    kind: 'facts',
    property: 'R4100225',
    changes: { status: ['Under Offer', 'Sale Agreed'] },
  }),
];
