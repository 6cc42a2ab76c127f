import type { DevelopmentDetails } from '../../../portfolio/development.ts';
import type { Listing } from '../../../rules/listing.ts';
import { typeKind, typeNames } from '../../../rules/listing.ts';

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

/** Idealista's types with the words of our English and Spanish names that mean them, within each kind of type. */
const TYPES: Readonly<Record<ReturnType<typeof typeKind>, readonly (readonly [type: string, words: RegExp])[]>> = {
  apartment: [['flat', /^/]],
  house: [
    ['house_semidetached', /semi-?detached|pareado/],
    ['house_terraced', /terraced|townhouse|town house|adosad/],
    ['rustic_cortijo', /cortijo/],
    ['rustic_castle', /castle|castillo/],
    ['rustic_village', /village|pueblo/],
    ['rustic_house', /country|finca|farm|cave|rural/],
    ['house_independent', /villa|detached|chalet|bungalow/],
    ['house', /^/],
  ],
  plot: [
    ['land_urban', /residential|residencial|urban|commercial|comercial/],
    ['land_countrynonbuildable', /rustic|rústic/],
    ['land', /^/],
  ],
  parking: [
    ['storage', /storage|trastero/],
    ['garage', /^/],
  ],
  business: [
    ['office', /office|oficina/],
    ['premises_industrial', /warehouse|industrial|nave/],
    ['premises_commercial', /^/],
  ],
  unknown: [],
};

export function typeOf(listing: Listing): string {
  const names = typeNames(listing);
  const found = TYPES[typeKind(listing)].find(([, words]) => words.test(names));
  if (found === undefined) throw new Error('Idealista has no such type');
  return found[0];
}

/** What Idealista asks of a property and our features answer, by its field: matched against `category: label` in English. */
export const FEATURES: readonly (readonly [field: string, words: RegExp])[] = [
  ['featuresConditionedAir', /air conditioning|hot\/?cold|a\/c/i],
  ['featuresLiftAvailable', /lift|elevator/i],
  ['featuresTerrace', /terrace/i],
  ['featuresBalcony', /balcony/i],
  ['featuresStorage', /storage/i],
  ['featuresWardrobes', /wardrobe/i],
  ['featuresEquippedKitchen', /^kitchen: fully fitted/i],
  ['featuresEquippedWithFurniture', /^furniture: fully furnished/i],
  ['featuresChimney', /fireplace|chimney/i],
  ['featuresHandicapAdaptedAccess', /disabled|adapted/i],
  ['featuresOrientationNorth', /^orientation: north/i],
  ['featuresOrientationSouth', /^orientation: south/i],
  ['featuresOrientationEast', /^orientation: (north |south )?east/i],
  ['featuresOrientationWest', /^orientation: (north |south )?west/i],
];

/** Idealista's names of the kinds and stages of developments, by ours. */
export const BUILDINGS: Readonly<Record<DevelopmentDetails['building'], string>> = {
  new_building: 'new_building',
  restored_building: 'restored_building',
  houses: 'house',
  mixed: 'mixed_promos',
};
export const STAGES: Readonly<Record<NonNullable<DevelopmentDetails['stage']>, string>> = {
  groundwork: 'land_move',
  foundations: 'foundation',
  structure: 'carpentry',
  show_home: 'pilot',
  paving: 'paving',
  fittings: 'equipment',
  handover: 'keydelivery',
};
