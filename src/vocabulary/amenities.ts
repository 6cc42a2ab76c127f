import { FEATURE_ENTRIES } from './entries.ts';

/**
 * The codes of the built-in features of a category: those of unknown ones are names, such as
 * `Pool: ask`.
 */
const codesIn = (category: string, except: string): ReadonlySet<string> =>
  new Set(
    FEATURE_ENTRIES.flatMap((entry) =>
      entry.category === category && entry.code !== except ? [entry.code] : [],
    ),
  );

const POOLS = codesIn('Pool', 'Pool: Room For Pool');
const GARDENS = codesIn('Garden', 'Garden: Automatic Irrigation');

/** What the codes of a property's features say of its amenities. */
export function amenitiesOf(codes: readonly string[]) {
  return {
    has_pool: codes.some((code) => POOLS.has(code)),
    has_garden: codes.some((code) => GARDENS.has(code)),
    has_garage: codes.includes('Parking: Garage'),
  };
}
