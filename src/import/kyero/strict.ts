import { INTERPRETATIONS, type InterpretationKind } from '../values/interpretation.ts';

/** Nodes whose values `--strict` checks: those of the format's schema, and those that many programs add. */
const CHECKED: ReadonlySet<string> = new Set([
  ...['id', 'ref', 'date', 'price', 'currency', 'price_freq', 'new_build', 'type', 'town', 'province', 'country'],
  ...['location', 'location_detail', 'beds', 'baths', 'pool', 'surface_area', 'energy_rating', 'url', 'desc'],
  ...['features', 'images', 'status', 'postcode', 'catastral', 'virtual_tour_url', 'video_url', 'community_fees'],
  ...['garbage_tax', 'ibi_fees', 'living_area', 'built_year', 'texts', 'pictures', 'area'],
]);

/** Interpretations that `--strict` allows. */
const ALLOWED: ReadonlySet<InterpretationKind> = new Set<InterpretationKind>([
  'no_date',
  'no_coordinates',
  'coordinates_swapped',
  'link_extracted',
  'text_split',
  'language',
]);

/** Whether a record is rejected with `--strict` because a node was interpreted. */
export function failsStrict(path: string, kind: InterpretationKind): boolean {
  const isPicture = path === 'images/image' && (kind === 'spelling' || kind === 'repeated');
  return CHECKED.has(path.split(/[/.]/)[0]!) && !ALLOWED.has(kind) && !isPicture;
}

/** The reason as text. */
export function strictDetail(kind: InterpretationKind, text: string): string {
  const given = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return given === '' ? INTERPRETATIONS[kind] : `"${given}": ${INTERPRETATIONS[kind]}`;
}
