import { readTime } from '../../values/date.ts';
import { DOUBTFUL, type InterpretationKind } from '../../values/interpretation.ts';
import { isAboutStatus } from '../../values/status.ts';
import { ownText, words } from '../../xml/node.ts';
import { childrenByName } from '../../xml/reading.ts';
import { withLineFeeds } from '../../xml/texts.ts';
import { singleText } from '../../xml/value.ts';
import { type FieldNodes, optional, required } from '../fields.ts';
import { recordFormat } from '../nodes.ts';
import { country, location } from '../places.ts';
import { type Input, type Reader, read, text } from '../readers.ts';

/**
 * A text that is stored unchanged; an empty one clears the field, and so do `-`, which required
 * nodes have, and the `0` that programs print for no text, except as the floor.
 */
function plain(field: keyof Input): Reader {
  return text(field, (given) =>
    given === '-' || (given === '0' && field !== 'floor') ? '' : withLineFeeds(given),
  );
}

/** Nodes that are one value of one field. */
const FIELDS: FieldNodes = {
  ref: required('ref'),
  town: required('town'),
  area: required('location_detail'),
  province: required('province'),
  country: required('country'),
  postcode: optional('postcode', 'postal_code'),
  built_area: required('built', 'built_area'),
  plot_area: required('plot', 'plot_area'),
  terrace_area: optional('terrace', 'terrace_area'),
  living_area: optional('living_area'),
  built_year: optional('built_year'),
  community_fees: optional('community_fees'),
  garbage_tax: optional('garbage_tax'),
  ibi_fees: optional('ibi_fees'),
  cadastral_ref: optional(
    'catastral',
    'cadastralRef',
    'cadastral_ref',
    'cadastral_reference',
    'catrastal_reference',
  ),
  has_pool: required('pool'),
  virtual_tour_url: optional('virtual_tour_url'),
  video_url: optional('video_url'),
  new_build: required('new_build'),
  leasehold: required('leasehold'),
  part_ownership: required('part_ownership'),
  prime: optional('prime'),
  address: optional('address', 'full_address'),
  floor: optional('floor'),
  email: optional('email'),
  notes: optional('notes'),
};

/** Nodes that Kyero's format has, and that programs add to it. */
export const KYERO = recordFormat(
  FIELDS,
  plain,
  {
    date: read('source_changed_at', readTime),
    location: location(false),
    country,
    /**
     * The commission as one text, which may have a share and notes:
     * `5.0, split 50, by arrangement`.
     */
    commission(node, reporting) {
      const names = ['value', 'split', 'notes'] as const;
      const found = childrenByName({ ...node, text: '' }, names, reporting);
      const [amount, share, more] = names.map((name) =>
        words(singleText(found[name], `${node.name}/${name}`, reporting) ?? ''),
      );
      const parts = [ownText(node), amount, share && `split ${share}`, more];
      return { commission: parts.filter((part) => part !== '').join(', ') || null };
    },
  },
  ['type', 'subtype', 'price', 'price_freq', 'url', 'desc', 'title', 'features'],
  {
    description: 'desc',
    descriptions: 'desc',
    bedrooms: 'beds',
    bathrooms: 'baths',
    year_built: 'built_year',
    year_build: 'built_year',
    location_detail_1: 'location_detail',
    address_detail: 'address',
    city: 'town',
    zip: 'postcode',
    sub_type: 'subtype',
    photos: 'images',
    pictures: 'images',
    videos: 'video_url',
    energy: 'energy_rating',
    views360: 'virtual_tour_url',
    virtual_tour: 'virtual_tour_url',
  },
  ['location', 'emissions', 'consumption'],
);

/**
 * Nodes whose values `--strict` checks: those of the format's schema, and those that many programs
 * add.
 */
const CHECKED: ReadonlySet<string> = new Set([
  'id',
  'ref',
  'date',
  'price',
  'currency',
  'price_freq',
  'new_build',
  'type',
  'town',
  'province',
  'country',
  'location',
  'location_detail',
  'beds',
  'baths',
  'pool',
  'surface_area',
  'built',
  'plot',
  'energy_rating',
  'url',
  'desc',
  'features',
  'images',
  'status',
  'postcode',
  'catastral',
  'virtual_tour_url',
  'video_url',
  'community_fees',
  'garbage_tax',
  'ibi_fees',
  'living_area',
  'built_year',
  'texts',
  'pictures',
  'area',
]);

/** Interpretations that `--strict` allows. */
const ALLOWED: ReadonlySet<InterpretationKind> = new Set<InterpretationKind>([
  'no_date',
  'no_coordinates',
  'coordinates_swapped',
  'link_extracted',
  'text_split',
  'language',
  'floor_plan',
  'not_an_image',
]);

/** Whether a record is rejected with `--strict` because a node was interpreted: whatever is doubtful, in any node. */
export function failsStrict(path: string, kind: InterpretationKind): boolean {
  const first = path.replace(/^@/, '').split(/[/.@]/)[0]!;
  const node = isAboutStatus(first) ? 'status' : (KYERO.aliases.get(first) ?? first.toLowerCase());
  const isPicture = node === 'images' && (kind === 'spelling' || kind === 'repeated');
  return DOUBTFUL.has(kind) || (CHECKED.has(node) && !ALLOWED.has(kind) && !isPicture);
}
