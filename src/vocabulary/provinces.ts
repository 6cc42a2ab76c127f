import { lazy } from '../lib/lazy.ts';
import { countryNamed } from './countries.ts';
import { nameKey } from './name-key.ts';
import ROWS from './provinces.json' with { type: 'json' };

/**
 * A province of Spain: its postcode prefix, and the box of latitudes and longitudes that contains
 * it.
 */
export interface Province {
  readonly prefix: string;
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/**
 * By name. A row of the table is a province: the first two digits of its postcodes (its number at
 * the Instituto Nacional de Estadística), then south, west, north and east in tenths of a degree,
 * rounded outward, then its names in Spanish, the regional language and English.
 */
const provinces = lazy(
  () =>
    new Map(
      ROWS.flatMap(([prefix, ...cells]) => {
        const [south = 0, west = 0, north = 0, east = 0] = cells
          .slice(0, 4)
          .map((tenths) => Number(tenths) / 10);
        return cells
          .slice(4)
          .map(
            (name) =>
              [
                nameKey(String(name)),
                { prefix: String(prefix), south, west, north, east },
              ] as const,
          );
      }),
    ),
);

/**
 * The province of Spain with a name, as feeds write it: `Málaga`, `malaga`, `Alicante/Alacant`,
 * `Málaga (Province)`.
 */
export function findProvince(name: string): Province | undefined {
  const [first = ''] = name.split(/[/(,]/);
  return provinces().get(nameKey(first));
}

/**
 * Whether a property is in Spain, where that is known: feeds of this market often omit the country.
 */
export function isInSpain({
  country,
  province,
}: {
  readonly country: string | null;
  readonly province: string;
}): boolean {
  if (country === null || country.trim() === '') return findProvince(province) !== undefined;
  return countryNamed(country)?.code === 'ES';
}

export function isWithinProvince(province: Province, latitude: number, longitude: number): boolean {
  const { south, west, north, east } = province;
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}
