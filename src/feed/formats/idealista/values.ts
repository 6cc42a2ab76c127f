import type { DevelopmentDetails } from '../../../properties/development.ts';
import { TYPES_OF, type Typed } from '../../../rules/types.ts';

/** Idealista's names of the kinds of developments, by our names. */
export const BUILDINGS: Readonly<Record<DevelopmentDetails['building'], string>> = {
  new_building: 'new_building',
  restored_building: 'restored_building',
  houses: 'house',
  mixed: 'mixed_promos',
};

/** Idealista's names of the stages of developments, by our names. */
export const STAGES: Readonly<Record<NonNullable<DevelopmentDetails['stage']>, string>> = {
  groundwork: 'land_move',
  foundations: 'foundation',
  structure: 'carpentry',
  show_home: 'pilot',
  paving: 'paving',
  fittings: 'equipment',
  handover: 'keydelivery',
};

/** Idealista's names of languages, by the codes of ours. */
export const LANGUAGE_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'english'],
  [2, 'spanish'],
  [3, 'german'],
  [4, 'french'],
  [5, 'dutch'],
  [6, 'danish'],
  [7, 'russian'],
  [8, 'swedish'],
  [9, 'polish'],
  [11, 'italian'],
  [12, 'portuguese'],
  [13, 'finnish'],
  [14, 'catalan'],
]);

/** Names of Idealista with the codes of the built-in types or features that mean them. */
export type Codes = Readonly<Record<string, readonly string[]>>;

/** Idealista's types; the first that has a type counts. */
const TYPES: Codes = {
  flat: TYPES_OF.apartment,
  house: ['house', 'quad', 'city-palace', 'wooden-cabin', 'wooden-house', 'mobile-home'],
  house_independent: ['villa', 'bungalow'],
  house_semidetached: ['semi-detached'],
  house_terraced: ['townhouse', 'townhouse-corner'],
  rustic_cortijo: ['finca'],
  rustic_castle: ['castle'],
  rustic_village: ['village-house'],
  rustic_house: ['country-house', 'farmhouse', 'cave-house'],
  land: ['plot', 'land', 'land-with-ruin'],
  land_urban: ['plot-residential', 'plot-commercial'],
  land_countrynonbuildable: ['plot-rustic'],
  storage: ['storage'],
  garage: ['garage', 'parking', 'car-park'],
  office: ['office'],
  premises_industrial: ['warehouse', 'industrial-unit'],
  premises_commercial: TYPES_OF.business,
};

/** Fields that say what kind of flat it is, by its type. */
export const FLATS: Codes = {
  featuresDuplex: ['duplex', 'penthouse-duplex'],
  featuresPenthouse: ['penthouse', 'penthouse-duplex'],
  featuresStudio: ['studio', 'studio-ground', 'studio-middle', 'studio-top'],
};

/** Fields of a home that our features answer. */
export const FEATURES: Codes = {
  featuresConditionedAir: [
    'Climate Control: Air Conditioning',
    'Climate Control: Hot A/C',
    'Climate Control: Cold A/C',
    'Climate Control: Hot And Cold A/C',
    'Climate Control: Central Air Conditioning',
  ],
  featuresLiftAvailable: ['Features: Lift'],
  featuresTerrace: [
    'Features: Terrace',
    'Features: Covered Terrace',
    'Features: Private Terrace',
    'Features: Roof Terrace',
    'Features: Glazed Terrace',
  ],
  featuresBalcony: ['Features: Balcony'],
  featuresStorage: ['Features: Storage', 'Features: Storage Room'],
  featuresWardrobes: [
    'Features: Wardrobes',
    'Features: Fitted Wardrobes',
    'Features: Walk-In Wardrobe',
  ],
  featuresChimney: ['Climate Control: Fireplace'],
  featuresHandicapAdaptedAccess: ['Features: Access for people with reduced mobility'],
  featuresDoorman: ['Security: Concierge'],
  featuresOrientationNorth: [
    'Orientation: North',
    'Orientation: North East',
    'Orientation: North West',
  ],
  featuresOrientationSouth: [
    'Orientation: South',
    'Orientation: South East',
    'Orientation: South West',
  ],
  featuresOrientationEast: [
    'Orientation: East',
    'Orientation: North East',
    'Orientation: South East',
  ],
  featuresOrientationWest: [
    'Orientation: West',
    'Orientation: North West',
    'Orientation: South West',
  ],
};

/** Like {@link FEATURES}, fields that Idealista takes of homes for rent only. */
export const RENTALS: Codes = {
  featuresEquippedKitchen: ['Kitchen: Fully Fitted', 'Kitchen: Fitted'],
  featuresEquippedWithFurniture: ['Furniture: Fully Furnished', 'Furniture: Furnished'],
};

/** Idealista's states of a home by our features; the first that a home has counts. */
export const CONSERVATION: Codes = {
  toRestore: ['Condition: Renovation Required', 'Condition: Restoration Required'],
  good: [
    'Condition: Excellent',
    'Condition: Good',
    'Condition: Renovated',
    'Condition: Recently Renovated',
    'Condition: Recently Refurbished',
    'Condition: New Construction',
    'Condition: Ready To Move In',
  ],
};

/** The names of which one of these codes means each. */
export function namesFor(names: Codes, codes: ReadonlySet<string>): string[] {
  return Object.keys(names).filter((name) => names[name]!.some((code) => codes.has(code)));
}

export function typeOf({ builtInType }: Typed): string {
  const [type] = namesFor(TYPES, new Set([builtInType ?? '']));
  if (type === undefined) throw new Error('Idealista has no such type');
  return type;
}

/** Idealista's names of floors, with what agencies write. */
const FLOORS: readonly (readonly [name: string, words: RegExp])[] = [
  ['bj', /^(0|pb|bajo|(planta )?baja|ground( floor)?)$/i],
  ['en', /^(entreplanta|entresuelo|mezzanine)$/i],
  ['ss', /^semi-?s[oó]tano$/i],
  ['st', /^(s[oó]tano|basement)$/i],
];

/** The numbers that Idealista allows, as agencies write them: `3`, `3ª`, `Planta 3`, `3rd floor`. */
const NUMBERED =
  /^(?:planta|piso|floor)? ?(-[12]|[1-9]|[1-5]\d|60) ?(?:[ºª°.]|st|nd|rd|th)? ?(?:planta|piso|floor)?$/i;

/** Idealista's name of a floor; `undefined` if it has none. */
export function floorOf(text: string): string | undefined {
  const floor = text.trim();
  return FLOORS.find(([, words]) => words.test(floor))?.[0] ?? NUMBERED.exec(floor)?.[1];
}
