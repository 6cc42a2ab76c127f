/** What rules need to know of a type: a home has rooms, a house also a plot, a plot neither. */
export type TypeKind = 'apartment' | 'house' | 'plot' | 'parking' | 'business' | 'unknown';

/** The built-in types of each kind by their codes. */
export const TYPES_OF: Readonly<Record<Exclude<TypeKind, 'unknown'>, readonly string[]>> = {
  apartment: [
    'apartment',
    'apartment-ground',
    'apartment-middle',
    'apartment-top',
    'penthouse',
    'penthouse-duplex',
    'duplex',
    'triplex',
    'loft',
    'studio',
    'studio-ground',
    'studio-middle',
    'studio-top',
  ],
  house: [
    'house',
    'villa',
    'semi-detached',
    'townhouse',
    'townhouse-corner',
    'bungalow',
    'quad',
    'castle',
    'city-palace',
    'wooden-cabin',
    'wooden-house',
    'mobile-home',
    'cave-house',
    'village-house',
    'finca',
    'country-house',
    'farmhouse',
  ],
  plot: ['plot', 'plot-residential', 'plot-commercial', 'plot-rustic', 'land', 'land-with-ruin'],
  parking: ['parking', 'garage', 'car-park', 'storage'],
  business: [
    'commercial',
    'commercial-premises',
    'commercial-with-residence',
    'commercial-other',
    'business',
    'bar',
    'beach-bar',
    'chiringuito',
    'restaurant',
    'cafe',
    'night-club',
    'hotel',
    'hostel',
    'aparthotel',
    'guest-house',
    'bed-and-breakfast',
    'campsite',
    'apartment-complex',
    'residential-home',
    'building',
    'shop',
    'kiosk',
    'hairdressers',
    'photography-studio',
    'laundry',
    'mechanics',
    'mooring',
    'office',
    'warehouse',
    'industrial-unit',
    'farm',
    'stables',
    'vineyard',
    'olive-grove',
  ],
};

const KINDS: ReadonlyMap<string, TypeKind> = new Map(
  Object.entries(TYPES_OF).flatMap(([kind, codes]) =>
    codes.map((code) => [code, kind as TypeKind] as const),
  ),
);

/** A property with the code of the built-in type that its type means; `null` if it means none. */
export interface Typed {
  readonly builtInType: string | null;
}

export function typeKind({ builtInType }: Typed): TypeKind {
  return KINDS.get(builtInType ?? '') ?? 'unknown';
}

export function isHome(property: Typed): boolean {
  const kind = typeKind(property);
  return kind === 'apartment' || kind === 'house';
}
