import type { CategoryDocument, FeatureDocument, TypeDocument } from '../../portfolio/documents.ts';
import {
  CATEGORY_ENTRIES,
  categoryDocument,
  FEATURE_ENTRIES,
  featureCode,
  featureDocument,
  TYPE_ENTRIES,
  type TypeEntry,
  typeDocument,
} from '../../vocabulary/entries.ts';

/** How a type of property is built, priced and described. */
export type Nature = 'flat' | 'house' | 'plot';

/** A type of property of the demo agencies. */
export interface DemoType extends TypeEntry {
  readonly nature: Nature;
}

/** The types that public readers know by their older and their current names alike. */
const NATURES: Readonly<Record<string, Nature>> = {
  'apartment-ground': 'flat',
  'apartment-middle': 'flat',
  penthouse: 'flat',
  'penthouse-duplex': 'flat',
  villa: 'house',
  townhouse: 'house',
  'plot-residential': 'plot',
  land: 'plot',
};

/** The types that the demo agencies sell and let. */
export const DEMO_TYPES: readonly DemoType[] = TYPE_ENTRIES.flatMap((entry) => {
  const nature = NATURES[entry.code];
  return nature === undefined ? [] : [{ ...entry, nature }];
});

/** The features of the demo agencies' properties, by category, in the order in which records list them. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  Setting: [
    ...['Beachfront', 'Frontline Golf', 'Town', 'Country', 'Village', 'Close To Port', 'Close To Shops'],
    ...['Close To Sea', 'Close To Schools', 'Urbanisation'],
  ],
  Orientation: ['North', 'North East', 'East', 'South East', 'South', 'South West', 'West', 'North West'],
  Condition: ['Excellent', 'Good', 'Renovation Required', 'Recently Renovated'],
  Pool: ['Communal', 'Private', 'Heated', 'Room For Pool'],
  'Climate Control': ['Air Conditioning', 'Hot A/C', 'Central Heating', 'Fireplace', 'U/F Heating'],
  Views: ['Sea', 'Mountain', 'Golf', 'Port', 'Panoramic', 'Garden', 'Pool', 'Street'],
  Features: [
    ...['Covered Terrace', 'Lift', 'Fitted Wardrobes', 'Private Terrace', 'Solarium', 'Gym', 'Tennis Court'],
    ...['Storage Room', 'Utility Room', 'Ensuite Bathroom', 'Marble Flooring', 'Jacuzzi', 'Barbeque'],
    ...['Double Glazing', 'Fiber Optic'],
  ],
  Furniture: ['Fully Furnished', 'Part Furnished', 'Not Furnished', 'Optional'],
  Kitchen: ['Fully Fitted', 'Partially Fitted', 'Kitchen-Lounge'],
  Garden: ['Communal', 'Private', 'Landscaped', 'Easy Maintenance'],
  Security: ['Gated Complex', 'Electric Blinds', 'Entry Phone', 'Alarm System', '24 Hour Security', 'Safe'],
  Parking: ['Underground', 'Garage', 'Covered', 'Street', 'Communal', 'Private'],
  Utilities: ['Electricity', 'Drinkable Water', 'Telephone', 'Photovoltaic solar panels'],
  Category: ['Holiday Homes', 'Investment', 'Luxury', 'Resale'],
};

/** The codes of a category's features. */
export function featuresOf(category: string): string[] {
  return (FEATURES[category] ?? []).map((label) => featureCode(category, label));
}

/** The documents of types, categories and features, in ten languages each. */
export function vocabulary(): (TypeDocument | CategoryDocument | FeatureDocument)[] {
  const codes = new Set(Object.keys(FEATURES).flatMap(featuresOf));
  return [
    ...DEMO_TYPES.map(typeDocument),
    ...CATEGORY_ENTRIES.map(categoryDocument),
    ...FEATURE_ENTRIES.filter(({ code }) => codes.has(code)).map(featureDocument),
  ];
}
