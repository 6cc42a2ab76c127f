import { SERVED_LANGUAGES } from '../../lib/languages.ts';
import { DEFAULT_CURRENCY } from '../../properties/documents.ts';
import { STATUSES } from '../texts/texts.ts';

/** How a field is typed in. */
export type Kind =
  | 'text'
  /** A text of several lines. */
  | 'long'
  | 'count'
  /** In square metres. */
  | 'area'
  /** Of an offer; empty is on request. */
  | 'price'
  | 'amount'
  | 'year'
  | 'postcode'
  | 'email'
  | 'link'
  /** A latitude and a longitude, or a link to a map. */
  | 'coordinates'
  | 'flag'
  /** In the list of its pointer, or not. */
  | 'entry'
  /** A list, an entry on each line. */
  | 'lines'
  | 'choice'
  /** By its name, as are features. */
  | 'type'
  | 'features';

/** A field of the form: where its value is in the document, and how it is typed in. */
export interface FormField {
  readonly name: string;
  readonly kind: Kind;
  readonly pointer: string;
  /** What it has for a new property; empty by default. */
  readonly initial?: string;
  /** Whether an empty field is an error. */
  readonly required?: true;
  /** The flag without which the field has no place in the document. */
  readonly of?: string;
  readonly choices?: readonly string[];
  /** The id of a list of what is usually typed. */
  readonly list?: string;
  /** The nodes of feeds that show the field, which findings name. */
  readonly nodes: readonly string[];
}

type More = Partial<Omit<FormField, 'name' | 'kind'>>;

function field(name: string, kind: Kind, more: More = {}): FormField {
  return { name, kind, pointer: `/${name}`, nodes: [name], ...more };
}

function inOffer(of: string, offer: string) {
  return (name: string, kind: Kind, key: string, node = name): FormField =>
    field(name, kind, { of, pointer: `/offers/${offer}/${key}`, nodes: [node] });
}

const inSale = inOffer('sale', 'sale');
const inLong = inOffer('long', 'long_term');
const inShort = inOffer('short', 'short_term');

const surface = (name: string) =>
  field(name, 'area', { pointer: `/${name}_area`, nodes: [`surface_area/${name}`] });

const letter = (name: string) =>
  field(name, 'choice', {
    initial: 'X',
    choices: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'X'],
    nodes: ['energy_rating'],
  });

const restriction = (name: string) => field(name, 'entry', { pointer: '/restrictions' });

/** The elements of the languages whose texts the form has. */
export const TEXT_LANGUAGES = SERVED_LANGUAGES.map(({ element }) => element);

function textIn(language: string, what: string, kind: Kind): FormField {
  const pointer = `/texts/${language}/${what}`;
  return field(`${what}-${language}`, kind, { pointer, nodes: [`${what}/${language}`] });
}

/** The parts of the form of a property, each with its fields, in the order of the page. */
export const FORM = {
  basics: [
    field('type', 'type', { required: true, nodes: ['type', 'subtype'], list: 'types' }),
    field('ref', 'text', { required: true }),
    field('status', 'choice', { initial: 'Available', choices: STATUSES }),
    field('new_build', 'flag'),
    field('prime', 'flag'),
    field('rented', 'flag'),
    field('leasehold', 'flag'),
    field('part_ownership', 'flag'),
  ],
  offer: [
    field('sale', 'flag', { pointer: '/offers/sale', initial: '1' }),
    inSale('price', 'price', 'price'),
    inSale('minimum', 'amount', 'minimum_price', 'price_minimum'),
    field('long', 'flag', { pointer: '/offers/long_term' }),
    inLong('rent', 'price', 'rent', 'longterm'),
    field('short', 'flag', { pointer: '/offers/short_term' }),
    inShort('low', 'price', 'low', 'shortterm_low'),
    inShort('high', 'price', 'high', 'shortterm_high'),
    inShort('license', 'text', 'license', 'rental_license'),
    field('currency', 'text', { initial: DEFAULT_CURRENCY }),
  ],
  place: [
    field('location', 'coordinates'),
    field('town', 'text', { required: true, list: 'towns' }),
    field('area', 'text'),
    field('postcode', 'postcode'),
    field('province', 'text', { required: true }),
    field('country', 'text', { initial: 'Spain' }),
    field('address', 'text'),
  ],
  rooms: [
    field('beds', 'count'),
    field('bath', 'count', { nodes: ['baths'] }),
    surface('built'),
    surface('plot'),
    surface('terrace'),
    field('living', 'area', { pointer: '/living_area', nodes: ['living_area'] }),
    field('year', 'year', { pointer: '/built_year', nodes: ['built_year'] }),
    field('floor', 'text'),
    field('pool', 'flag', { pointer: '/has_pool', nodes: ['has_pool'] }),
    field('garden', 'flag', { pointer: '/has_garden' }),
    field('garage', 'flag', { pointer: '/has_garage' }),
  ],
  energy: [
    letter('consumption'),
    letter('emissions'),
    field('energy_status', 'choice', { choices: ['', 'in_process', 'exempt'] }),
  ],
  features: [field('features', 'features', { nodes: ['characteristics'] })],
  texts: TEXT_LANGUAGES.flatMap((language) => [
    textIn(language, 'title', 'text'),
    textIn(language, 'description', 'long'),
  ]),
  portals: [
    field('own', 'flag', { pointer: '/on_own_website', initial: '1' }),
    field('others', 'flag', { pointer: '/on_other_websites', initial: '1' }),
    restriction('no_portals'),
    restriction('not_abroad'),
    restriction('no_social_media'),
    restriction('own_website_only'),
    field('channels', 'lines'),
  ],
  office: [
    field('cadastral_ref', 'text'),
    field('commission', 'text'),
    field('email', 'email'),
    field('community_fees', 'amount'),
    field('ibi_fees', 'amount'),
    field('garbage_tax', 'amount'),
    field('virtual_tour_url', 'link'),
    field('video_url', 'link'),
    field('notes', 'long'),
  ],
} as const satisfies Readonly<Record<string, readonly FormField[]>>;

/** The name of a part of the form. */
export type FormPart = keyof typeof FORM;

/** Every field of the form. */
export const FIELDS: readonly FormField[] = Object.values(FORM).flat();

/** Whether a field is a box to tick, which browsers send only if it is ticked. */
export function isBox({ kind }: FormField): boolean {
  return kind === 'flag' || kind === 'entry';
}

/** The name of the field that a finding is about; `undefined` if the form has none for it. */
export function fieldOfNode(found: string): string | undefined {
  const given = `${found.split(', ')[0]}/`;
  const isWithin = (node: string) => node.startsWith(given) || given.startsWith(node);
  return FIELDS.find(({ nodes }) => nodes.some((node) => isWithin(`${node}/`)))?.name;
}
