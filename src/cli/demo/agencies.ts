import type { NewAgency } from '../../db/operator/open-agency.ts';
import { SCOPES } from '../../oauth/scopes.ts';
import { type PropertyDocument, parseDocument, type UnitDocument } from '../../portfolio/documents.ts';
import { PLACES, type Place } from './places.ts';
import { demoProperty, type Terms } from './properties.ts';
import { type Random, randomFrom } from './random.ts';
import { demoReader } from './reader.ts';
import { DEMO_TYPES, type DemoType, vocabulary } from './vocabulary.ts';

/** Every combination of offers: for sale, long-term rental, short-term rental. */
const OFFERS = [
  [true, false, false],
  [true, true, false],
  [false, true, false],
  [true, false, true],
  [false, false, true],
  [true, true, true],
  [false, true, true],
] as const;

const LISTED = ['Available', 'Under Offer', 'Sale Agreed'] as const;
const UNLISTED = ['Sold', 'Withdrawn'] as const;

/** Shown on the own website, shown on those of other agents. */
const WEBSITES = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;

interface Project {
  readonly id: string;
  readonly name: string;
  readonly town: string;
}

const DEMO_PROJECTS: readonly Project[] = [
  { id: 'sol-azul', name: 'Residencial Sol Azul', town: 'Estepona' },
  { id: 'mirador-del-golf', name: 'Mirador del Golf & Spa', town: 'Mijas' },
  { id: 'jardines-de-burriana', name: 'Jardines de Burriana', town: 'Nerja' },
];

/**
 * The agency `DEMO`, password `demo`: properties on the Costa del Sol in every state that the feed's parameters distinguish,
 * three developments, and a reader. Always the same documents.
 */
export function demoAgency(): NewAgency {
  const random = randomFrom(20_260_501);
  const listed = Array.from({ length: 198 }, (_, index) => anyProperty(random, index, 'CS', listedTerms(index)));
  const unlisted = Array.from({ length: 12 }, (_, index) =>
    anyProperty(random, listed.length + index, 'CS', {
      ...listedTerms(index),
      status: UNLISTED[index % 2] as (typeof UNLISTED)[number],
    }),
  );
  const properties = [...listed, ...unlisted];
  return {
    ...agency('DEMO', 'Costa Sur Inmobiliaria', 'demo', random, DEMO_PROJECTS, properties, 'CS'),
    readers: [demoReader()],
  };
}

/** The agency `OTHER`, password `other`: small, with some of the identifiers of `DEMO`. Always the same documents. */
export function otherAgency(): NewAgency {
  const random = randomFrom(20_260_502);
  const properties = Array.from({ length: 30 }, (_, index) => anyProperty(random, index, 'MV', listedTerms(index * 5)));
  const projects = [{ id: 'mar-verde', name: 'Mar Verde', town: 'Torrox' }];
  return agency('OTHER', 'Mar Verde Homes', 'other', random, projects, properties, 'MV', 10);
}

/** Cycles through every combination of offers, status, rented and websites. */
function listedTerms(index: number): Terms {
  const [forSale, longTerm, shortTerm] = OFFERS[index % 7] as (typeof OFFERS)[number];
  const [own, others] = WEBSITES[Math.floor(index / 42) % 4] as (typeof WEBSITES)[number];
  return {
    forSale,
    longTerm,
    shortTerm,
    status: LISTED[Math.floor(index / 7) % 3] as (typeof LISTED)[number],
    rented: Math.floor(index / 21) % 2 === 1,
    on_own_website: own,
    on_other_websites: others,
  };
}

function anyProperty(random: Random, index: number, prefix: string, terms: Terms): PropertyDocument {
  const homes = DEMO_TYPES.filter(({ nature }) => nature === 'flat' || nature === 'house');
  const type =
    terms.longTerm || terms.shortTerm
      ? random.pick(homes)
      : (DEMO_TYPES[(Math.floor(index / 7) * 5) % DEMO_TYPES.length] as DemoType);
  return demoProperty(random, index, prefix, type, random.pick(PLACES), terms);
}

function agency(
  code: string,
  name: string,
  password: string,
  random: Random,
  projects: readonly Project[],
  properties: readonly PropertyDocument[],
  prefix: string,
  unitProperties = 18,
): NewAgency {
  const flats = DEMO_TYPES.filter(({ nature }) => nature === 'flat');
  const all = [...properties];
  const developments = projects.flatMap(({ id, name, town }) => {
    const place = PLACES.find((candidate) => candidate.town === town) as Place;
    const units = UNIT_NAMES.map((unit, index) => demoUnit(random, id, unit, index));
    units.slice(0, unitProperties).forEach(({ name: unit }, index) => {
      all.push(
        demoProperty(random, all.length, prefix, random.pick(flats), place, {
          forSale: true,
          longTerm: false,
          shortTerm: index % 6 === 5,
          status: 'Available',
          rented: false,
          on_own_website: true,
          on_other_websites: index % 5 !== 4,
          unit: { development: id, name: unit },
        }),
      );
    });
    return [parseDocument({ kind: 'development', id, name }), ...units];
  });
  const login = code.toLowerCase();
  return {
    account: { code, name, password },
    clients: [{ id: `${login}-client`, secret: `${login}-secret`, scopes: SCOPES }],
    readers: [],
    documents: [...vocabulary(), ...developments, ...all],
  };
}

/** Two blocks of two floors with five flats each: `A-101` to `B-205`. */
const UNIT_NAMES = ['A', 'B'].flatMap((block) =>
  [1, 2].flatMap((floor) => [1, 2, 3, 4, 5].map((door) => `${block}-${floor}0${door}`)),
);

const UNIT_STATUSES = [1, 1, 2, 8, 4, 1] as const;

const UNIT_DIRECTIONS: readonly UnitDocument['directions'][] = [
  ['S'],
  ['SE', 'S'],
  ['W'],
  [['N', 'E'], 'SW'],
  [],
  ['NE'],
  [['S', 'SW']],
  ['NW', 'PATIO'],
];

function demoUnit(random: Random, development: string, name: string, index: number): UnitDocument {
  return parseDocument({
    kind: 'unit',
    development,
    name,
    status: UNIT_STATUSES[index % UNIT_STATUSES.length] as UnitDocument['status'],
    price: random.integer(240, 690) * 1000 + (index % 7 === 3 ? 950 : 0),
    directions: UNIT_DIRECTIONS[index % UNIT_DIRECTIONS.length] as UnitDocument['directions'],
  }) as UnitDocument;
}
