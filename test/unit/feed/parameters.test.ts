import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pickParameters, spellingsOf } from '../../../src/feed/formats/parameters.ts';
import {
  RESALES_PARAMETERS,
  type ResalesParameters,
} from '../../../src/feed/formats/resales/parameters.ts';

const { canonicalName, parameterNames } = RESALES_PARAMETERS;

function parse(query: string): { parameters: ResalesParameters; errors: string[] } {
  const picked = pickParameters(new URLSearchParams(query), spellingsOf(parameterNames));
  const { parameters, errors } = RESALES_PARAMETERS.parse(picked.given);
  return { parameters, errors: [...picked.errors, ...errors].map(({ parameter }) => parameter) };
}

const DEFAULTS: ResalesParameters = {
  version: 1,
  languages: [1, 2],
  category: 'All',
  onWebsites: false,
  listingDate: false,
  shortTerm: true,
  terrace: false,
  separateRentals: false,
  seasonalPrices: false,
  pictures: 10,
  currentTypes: false,
  emissions: false,
  consumption: false,
  rentalLicense: false,
  tours: 0,
  withoutRented: false,
  availableOnly: false,
  municipality: false,
  annualCosts: false,
};
const DEFAULTS_3: ResalesParameters = {
  ...DEFAULTS,
  version: 3,
  terrace: true,
  currentTypes: true,
  emissions: true,
  consumption: true,
  tours: 2,
};

/** Queries that select the defaults. */
const PLAIN = `
  FV=1 FV=&T=&NW=&Language= FV=%20&T=+&NW=%20&Language=+&IC=%20 Colour=red&Colour=blue NW=FALSE T=ALL
  DisplayListingDate=FALSE Language=2&Language=1,2 ST=FALSE AR=FALSE ARP=FALSE ShowRTA=FALSE IC=010 NPT=FALSE ER_Show=FALSE
  ER_ShowAll=FALSE VT=0 VT=FALSE ExRented=FALSE OnlyAvailable=FALSE LocationVersion=1 N=100 P_PageNo=2 Ref=R1
  I=1&P_PageSize=10&P_Inc=1&Sandbox=TRUE&P_Sandbox=TRUE&p1=1&p2=2
`;

const ALLOWED: [query: string, parameters: ResalesParameters][] = [
  ...['', ...PLAIN.trim().split(/\s+/)].map((query): [string, ResalesParameters] => [
    query,
    DEFAULTS,
  ]),
  ['FV=2', { ...DEFAULTS, version: 2 }],
  ['FV=3', DEFAULTS_3],
  ['fv=3&lAnGuAgE=1,2', DEFAULTS_3],
  ['FV=&FV=3', DEFAULTS_3],
  ['NW=TRUE', { ...DEFAULTS, onWebsites: true }],
  ['nw=true', { ...DEFAULTS, onWebsites: true }],
  ['T=SALE', { ...DEFAULTS, category: 'SALE' }],
  ['T=rent', { ...DEFAULTS, category: 'RENT' }],
  ['DisplayListingDate=TRUE', { ...DEFAULTS, listingDate: true }],
  ['Language=3', { ...DEFAULTS, languages: [3] }],
  ['Language=10,1, 4', { ...DEFAULTS, languages: [1, 4, 10] }],
  ['Language=1,2,3,4,5,6,7,8,9,10', { ...DEFAULTS, languages: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }],
  ['ST=TRUE', { ...DEFAULTS, terrace: true }],
  ['FV=3&ST=FALSE&NPT=FALSE&ER_Show=FALSE&ER_ShowAll=FALSE', DEFAULTS_3],
  ['AR=TRUE', { ...DEFAULTS, separateRentals: true }],
  ['ARP=TRUE', { ...DEFAULTS, seasonalPrices: true }],
  ['ShowRTA=TRUE', { ...DEFAULTS, rentalLicense: true }],
  ['T=SALE&AR=TRUE&ARP=TRUE&ShowRTA=TRUE', { ...DEFAULTS, category: 'SALE' }],
  ['IC=0', { ...DEFAULTS, pictures: 0 }],
  ['IC=999', { ...DEFAULTS, pictures: 999 }],
  ['NPT=TRUE', { ...DEFAULTS, currentTypes: true }],
  ['ER_Show=TRUE', { ...DEFAULTS, emissions: true }],
  ['ER_ShowAll=TRUE', { ...DEFAULTS, emissions: true, consumption: true }],
  ['ER_Show=FALSE&ER_ShowAll=TRUE', { ...DEFAULTS, emissions: true, consumption: true }],
  ['VT=1', { ...DEFAULTS, tours: 1 }],
  ['VT=2', { ...DEFAULTS, tours: 2 }],
  ['VT=TRUE', { ...DEFAULTS, tours: 1 }],
  ['FV=3&VT=0', { ...DEFAULTS_3, tours: 0 }],
  ['ExRented=TRUE', { ...DEFAULTS, withoutRented: true }],
  ['OnlyAvailable=TRUE', { ...DEFAULTS, availableOnly: true }],
  [
    'FV=2&LocationVersion=2&CS=TRUE',
    { ...DEFAULTS, version: 2, municipality: true, annualCosts: true },
  ],
];

/** By the parameters that are invalid, in the order of the errors. */
const INVALID = Object.entries({
  FV: ['FV=0', 'FV=4', 'FV=3.0', 'FV=3&FV=3'],
  T: ['T=LET', 'T=constructor'],
  NW: ['NW=1', 'NW=YES'],
  AR: ['AR=TRUE&ar=TRUE'],
  DisplayListingDate: ['DisplayListingDate=2'],
  Language: ['Language=0', 'Language=11', 'Language=1,,2', 'Language=en'],
  ST: ['ST=T'],
  ARP: ['ARP=-', 'T=SALE&ARP=maybe'],
  IC: ['IC=-1', 'IC=1000', 'IC=1e2', 'IC=ten'],
  NPT: ['NPT=0'],
  ER_Show: ['ER_Show=0'],
  ER_ShowAll: ['FV=3&ER_ShowAll=0'],
  ShowRTA: ['ShowRTA=0'],
  VT: ['VT=3'],
  ExRented: ['ExRented=0'],
  OnlyAvailable: ['OnlyAvailable=0'],
  'U, P': ['U=a&U=b&P=1&p=1'],
  N: ['N=0', 'N=-1', 'N=ten', 'N=1&n=1'],
  P_PageNo: ['P_PageNo=0', 'P_PageNo=1.5'],
  p1: ['p1=0'],
  Ref: ['Ref=a&Ref=b'],
  LocationVersion: ['LocationVersion=3', 'FV=3&LocationVersion=2'],
  CS: ['CS=1'],
  'FV, T, IC': ['FV=9&IC=x&T=z'],
}).flatMap(([names, queries]) =>
  queries.map((query): [string, string[]] => [query, names.split(', ')]),
);

describe('valid query: its parameters', () => {
  test.each(ALLOWED)('%s', (query, parameters) => {
    expect(parse(query)).toEqual({ parameters, errors: [] });
  });
});

describe('invalid query: an error for each invalid parameter', () => {
  test.each(INVALID)('%s', (query, parameters) => {
    expect(parse(query).errors).toEqual(parameters);
  });
});

test('ST=FALSE in version 3, which has no choice: ignored; LocationVersion=2: an error that names the versions that have it', () => {
  expect(parse('FV=3&ST=FALSE')).toEqual(parse('FV=3'));
  const { errors } = RESALES_PARAMETERS.parse({ FV: '3', LocationVersion: '2' });
  expect(errors.map(({ problem }) => problem.code)).toEqual(['not_in_version_3']);
});

test('both tables cover every parameter of the specification', () => {
  const named = (table: [string, unknown][]) =>
    new Set(
      table.flatMap(([query]) =>
        [...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()),
      ),
    );
  for (const name of parameterNames) {
    expect(named(ALLOWED)).toContain(name.toLowerCase());
    expect(named(INVALID)).toContain(name.toLowerCase());
  }
});

const flag = fc.constantFrom('TRUE', 'FALSE', 'true', '', ' ');
/** Random queries of each property. */
const RUNS = Number(process.env.FUZZ_CASES ?? 500);

const query = fc.record(
  {
    NW: flag,
    T: fc.constantFrom('SALE', 'RENT', 'All', 'sale', ''),
    DisplayListingDate: flag,
    FV: fc.constantFrom('1', '2', ' 3 ', '', '  '),
    Language: fc
      .array(fc.integer({ min: 1, max: 10 }), { maxLength: 4 })
      .map((codes) => codes.join(',')),
    ST: flag,
    AR: flag,
    ARP: flag,
    IC: fc.oneof(
      fc.constantFrom('', '0', '10', '999'),
      fc.integer({ min: 0, max: 999 }).map(String),
    ),
    NPT: flag,
    ER_Show: flag,
    ER_ShowAll: flag,
    ShowRTA: flag,
    VT: fc.constantFrom('0', '1', '2', 'TRUE', 'FALSE', ''),
    ExRented: flag,
    OnlyAvailable: flag,
  },
  { requiredKeys: [] },
);

test('two queries: one canonical name if and only if their parameters are equal', () => {
  fc.assert(
    fc.property(query, query, (a, b) => {
      const [first, second] = [a, b].map(
        (given) => parse(new URLSearchParams(given).toString()).parameters,
      );
      expect(canonicalName(first!) === canonicalName(second!)).toBe(
        JSON.stringify(first) === JSON.stringify(second),
      );
    }),
    { seed: 1, numRuns: RUNS },
  );
});

test('a query that is copied from HTML, with its ampersands as there: the same', () => {
  expect(parse('FV=3&amp;T=SALE&AMP;Language=1&amp;IC=x')).toEqual(
    parse('FV=3&T=SALE&Language=1&IC=x'),
  );
  expect(parse('FV=3&amp;T=SALE').parameters).toMatchObject({ version: 3, category: 'SALE' });
});

test('one parameter set in other letter case and order: the same canonical name, short plain ASCII', () => {
  fc.assert(
    fc.property(query, fc.integer({ min: 0, max: 15 }), (given, turn) => {
      const entries = Object.entries(given);
      const turned = [...entries.slice(turn), ...entries.slice(0, turn)].map(([name, value]) => [
        name.toLowerCase(),
        value.toLowerCase(),
      ]) as [string, string][];
      const name = canonicalName(parse(new URLSearchParams(entries).toString()).parameters);
      expect(canonicalName(parse(new URLSearchParams(turned).toString()).parameters)).toBe(name);
      expect(name).toMatch(/^[!#-+\--~]{1,200}$/);
    }),
    { seed: 1, numRuns: RUNS },
  );
});
