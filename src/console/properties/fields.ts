type Kind =
  | 'text'
  | 'long'
  | 'number'
  | 'coordinates'
  | 'flag'
  | 'entry'
  | 'lines'
  | 'choice'
  | 'type'
  | 'features';

/** A field of the form: where its value is in the document, and how it is typed in. */
export interface FormField {
  readonly name: string;
  readonly pointer: string;
  /**
   * A long text can have several lines, a number can be grouped, coordinates are a latitude and a longitude, lines are a list, an
   * entry is in the list of its pointer or not, and types and features are typed in by their names.
   */
  readonly kind: Kind;
  /** What it has for a new property; empty by default. */
  readonly initial?: string;
  /** Whether an empty field is an error. */
  readonly required?: true;
  /** The flag without which the field has no place in the document. */
  readonly of?: string;
  readonly choices?: readonly string[];
  /** The nodes of feeds that show the field, which findings name, unless there is one with the same name. */
  readonly nodes?: readonly string[];
}

/** The parts of the form of a property, each with its fields, in the order of the page. */
export const PARTS = {
  offer: [
    { name: 'type', pointer: '/type', kind: 'type', required: true, nodes: ['type', 'subtype'] },
    { name: 'ref', pointer: '/ref', kind: 'text', required: true },
    { name: 'currency', pointer: '/currency', kind: 'text', initial: 'EUR' },
    {
      name: 'status',
      pointer: '/status',
      kind: 'choice',
      initial: 'Available',
      choices: ['Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn'],
    },
    { name: 'sale', pointer: '/offers/sale', kind: 'flag', initial: '1' },
    { name: 'price', pointer: '/offers/sale/price', kind: 'number', of: 'sale' },
    {
      name: 'minimum',
      pointer: '/offers/sale/minimum_price',
      kind: 'number',
      of: 'sale',
      nodes: ['price_minimum'],
    },
    { name: 'long', pointer: '/offers/long_term', kind: 'flag' },
    {
      name: 'rent',
      pointer: '/offers/long_term/rent',
      kind: 'number',
      of: 'long',
      nodes: ['longterm'],
    },
    { name: 'short', pointer: '/offers/short_term', kind: 'flag' },
    {
      name: 'low',
      pointer: '/offers/short_term/low',
      kind: 'number',
      of: 'short',
      nodes: ['shortterm_low'],
    },
    {
      name: 'high',
      pointer: '/offers/short_term/high',
      kind: 'number',
      of: 'short',
      nodes: ['shortterm_high'],
    },
    {
      name: 'license',
      pointer: '/offers/short_term/license',
      kind: 'text',
      of: 'short',
      nodes: ['rental_license'],
    },
  ],
  place: [
    { name: 'town', pointer: '/town', kind: 'text', required: true },
    { name: 'area', pointer: '/area', kind: 'text' },
    { name: 'province', pointer: '/province', kind: 'text', required: true },
    { name: 'postcode', pointer: '/postcode', kind: 'text' },
    { name: 'country', pointer: '/country', kind: 'text', initial: 'Spain' },
    { name: 'address', pointer: '/address', kind: 'text' },
    { name: 'location', pointer: '/location', kind: 'coordinates' },
  ],
  facts: [
    { name: 'beds', pointer: '/beds', kind: 'number' },
    { name: 'bath', pointer: '/bath', kind: 'number', nodes: ['baths'] },
    { name: 'built', pointer: '/built_area', kind: 'number', nodes: ['surface_area/built'] },
    { name: 'plot', pointer: '/plot_area', kind: 'number', nodes: ['surface_area/plot'] },
    { name: 'terrace', pointer: '/terrace_area', kind: 'number', nodes: ['surface_area/terrace'] },
    { name: 'living', pointer: '/living_area', kind: 'number', nodes: ['living_area'] },
    { name: 'year', pointer: '/built_year', kind: 'number', nodes: ['built_year'] },
    {
      name: 'consumption',
      pointer: '/consumption',
      kind: 'choice',
      initial: 'X',
      choices: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'X'],
      nodes: ['energy_rating'],
    },
    {
      name: 'emissions',
      pointer: '/emissions',
      kind: 'choice',
      initial: 'X',
      choices: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'X'],
      nodes: ['energy_rating'],
    },
    { name: 'pool', pointer: '/has_pool', kind: 'flag', nodes: ['has_pool'] },
    { name: 'garden', pointer: '/has_garden', kind: 'flag' },
    { name: 'garage', pointer: '/has_garage', kind: 'flag' },
    { name: 'features', pointer: '/features', kind: 'features', nodes: ['characteristics'] },
  ],
  shown: [
    { name: 'own', pointer: '/on_own_website', kind: 'flag', initial: '1' },
    { name: 'others', pointer: '/on_other_websites', kind: 'flag', initial: '1' },
    { name: 'no_portals', pointer: '/restrictions', kind: 'entry' },
    { name: 'not_abroad', pointer: '/restrictions', kind: 'entry' },
    { name: 'no_social_media', pointer: '/restrictions', kind: 'entry' },
    { name: 'own_website_only', pointer: '/restrictions', kind: 'entry' },
    { name: 'rented', pointer: '/rented', kind: 'flag' },
    { name: 'channels', pointer: '/channels', kind: 'lines' },
  ],
  more: [
    { name: 'floor', pointer: '/floor', kind: 'text' },
    { name: 'community_fees', pointer: '/community_fees', kind: 'number' },
    { name: 'ibi_fees', pointer: '/ibi_fees', kind: 'number' },
    { name: 'garbage_tax', pointer: '/garbage_tax', kind: 'number' },
    { name: 'cadastral_ref', pointer: '/cadastral_ref', kind: 'text' },
    {
      name: 'energy_status',
      pointer: '/energy_status',
      kind: 'choice',
      choices: ['', 'in_process', 'exempt'],
    },
    { name: 'virtual_tour_url', pointer: '/virtual_tour_url', kind: 'text' },
    { name: 'video_url', pointer: '/video_url', kind: 'text' },
    { name: 'commission', pointer: '/commission', kind: 'text' },
    { name: 'email', pointer: '/email', kind: 'text' },
    { name: 'new_build', pointer: '/new_build', kind: 'flag' },
    { name: 'leasehold', pointer: '/leasehold', kind: 'flag' },
    { name: 'part_ownership', pointer: '/part_ownership', kind: 'flag' },
    { name: 'prime', pointer: '/prime', kind: 'flag' },
    { name: 'notes', pointer: '/notes', kind: 'long' },
  ],
} as const satisfies Readonly<Record<string, readonly FormField[]>>;
