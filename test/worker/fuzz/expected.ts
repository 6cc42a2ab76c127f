import { LANGUAGES } from '../../../src/lib/languages.ts';
import type {
  FeatureDocument,
  PortfolioDocument,
  PropertyDocument,
  TypeDocument,
  UnitDocument,
} from '../../../src/portfolio/documents.ts';
import type { XmlElement } from '../../support/xml.ts';
import type { GivenParameters } from './arbitraries.ts';
import { COMPASS, ORIENTATION } from './compass.ts';

/**
 * A node of the feed as a reader takes it in: its name, then a text, a number, or the nodes in it; a picture's node also
 * has its place.
 */
export type FeedNode = readonly [name: string, content: string | number | readonly FeedNode[], place?: string];

/** Stands for a time that the database set. */
export const SOME_TIME = 'some time';

/** The nodes whose content is a number. */
const NUMBERS = new Set([
  ...['price', 'price_minimum', 'longterm', 'shortterm_low', 'shortterm_high', 'latitude', 'longitude'],
  ...['beds', 'baths', 'Bath', 'built', 'plot', 'terrace', 'living_area', 'built_year'],
  ...['community_fees', 'garbage_tax', 'ibi_fees'],
]);

/** What a reader takes in of an element. */
export function nodeOf({ name, text, attributes, children }: XmlElement): FeedNode {
  const content = children.length > 0 ? children.map(nodeOf) : text;
  const read = typeof content === 'string' && NUMBERS.has(name) ? Number(content) : content;
  return attributes.id === undefined ? [name, read] : [name, read, attributes.id];
}

/**
 * The records that a feed of a portfolio must have, by the feed's format and nothing else: an independent reading of it,
 * in memory, that shares no code with the feed.
 */
export function expectedRecords(documents: readonly PortfolioDocument[], given: GivenParameters): FeedNode[][] {
  const catalogue = catalogueOf(documents);
  const properties = documents.filter((document) => document.kind === 'property');
  const ordered = given.DisplayListingDate
    ? properties.toReversed().sort((a, b) => Date.parse(b.listed_at) - Date.parse(a.listed_at))
    : properties;
  return ordered
    .map((property): Listed => ({ property, unit: unitOf(property, documents) }))
    .filter((listed) => isListed(listed, given))
    .flatMap((listed) => offersOf(listed, given).map((offers) => record(listed, offers, given, catalogue)));
}

interface Listed {
  readonly property: PropertyDocument;
  readonly unit: (UnitDocument & { readonly developmentName: string }) | null;
}

interface Catalogue {
  readonly types: ReadonlyMap<string, TypeDocument>;
  readonly features: ReadonlyMap<string, FeatureDocument>;
  /** Orientation first, then in their order. */
  readonly categories: readonly Extract<PortfolioDocument, { kind: 'category' }>[];
}

function catalogueOf(documents: readonly PortfolioDocument[]): Catalogue {
  const types = documents.filter((document) => document.kind === 'type');
  const features = documents.filter((document) => document.kind === 'feature');
  return {
    types: new Map(types.map((type) => [type.code, type])),
    features: new Map(features.map((feature) => [feature.code, feature])),
    categories: documents
      .filter((document) => document.kind === 'category')
      .sort((a, b) => Number(b.code === 'Orientation') - Number(a.code === 'Orientation')),
  };
}

function unitOf({ unit }: PropertyDocument, documents: readonly PortfolioDocument[]): Listed['unit'] {
  if (unit === null) return null;
  const found = documents.find(
    (document) => document.kind === 'unit' && document.development === unit.development && document.name === unit.name,
  ) as UnitDocument;
  const development = documents.find((document) => document.kind === 'development' && document.id === unit.development);
  return { ...found, developmentName: (development as { name: string }).name };
}

function statusOf({ property, unit }: Listed): string {
  if (unit === null || property.status === 'Withdrawn') return property.status;
  return { 1: 'Available', 2: 'Under Offer', 4: 'Sold', 8: 'Sale Agreed' }[unit.status];
}

function isListed(listed: Listed, given: GivenParameters): boolean {
  const { offers, rented, on_own_website, on_other_websites } = listed.property;
  const status = statusOf(listed);
  const forRent = offers.long_term !== null || offers.short_term !== null;
  const inCategory = { SALE: offers.sale !== null, RENT: forRent, All: offers.sale !== null || forRent };
  return (
    (given.OnlyAvailable ? status === 'Available' : ['Available', 'Under Offer', 'Sale Agreed'].includes(status)) &&
    inCategory[given.T ?? 'All'] &&
    !(given.ExRented && rented) &&
    !(given.NW && !(on_own_website && on_other_websites))
  );
}

type Offer = 'sale' | 'long_term' | 'short_term';

/** The offers of each record of a property. */
function offersOf({ property }: Listed, { T = 'All', AR }: GivenParameters): Offer[][] {
  const asked: Record<typeof T, Offer[]> = {
    SALE: ['sale'],
    RENT: ['long_term', 'short_term'],
    All: ['sale', 'long_term', 'short_term'],
  };
  const offers = asked[T].filter((offer) => property.offers[offer] !== null);
  return AR && T !== 'SALE' ? offers.map((offer) => [offer]) : [offers];
}

function record(listed: Listed, offers: Offer[], given: GivenParameters, catalogue: Catalogue): FeedNode[] {
  const { property: p, unit } = listed;
  const version = given.FV ?? 1;
  const v3 = version === 3;
  const { T = 'All' } = given;
  const languages = LANGUAGES.filter(({ code }) => (given.Language ?? [1, 2]).includes(code));
  const inLanguages = (text: (element: (typeof LANGUAGES)[number]['element']) => string | null | undefined) =>
    languages.flatMap(({ element }) => leaf(element, text(element) ?? null));

  const has = (offer: Offer) => offers.includes(offer);
  const sale = has('sale') ? p.offers.sale : null;
  const longTerm = has('long_term') ? p.offers.long_term : null;
  const shortTerm = has('short_term') ? p.offers.short_term : null;
  const suffix = !given.AR || T === 'SALE' || sale ? '' : longTerm ? '-LT' : '-ST';
  const salePrice = unit === null ? (sale?.price ?? null) : unit.price;
  const headlines = [
    ['sale', sale, salePrice],
    ['month', longTerm, longTerm?.rent ?? null],
    ['week', shortTerm, null],
  ] as const;
  const offered = headlines.filter(([, offer]) => offer !== null);
  const [frequency, , price] = offered.find(([, , known]) => known !== null) ?? offered[0]!;
  const rentals = T !== 'SALE';

  const type = catalogue.types.get(p.type)!;
  const currentTypes = v3 || given.NPT === true;
  const subtype = inLanguages((element) => type.labels[element]?.subtype);
  const toilets = v3 || version === 2;
  const allEnergy = v3 || given.ER_ShowAll === true;
  const tours = given.VT === undefined ? (v3 ? 2 : 0) : Number(given.VT);

  return [
    ['id', p.id + suffix],
    ['ref', readable(p.ref)],
    ['last_updated', updatedAt(p, T)],
    ...(given.DisplayListingDate ? leaf('listing_date', dateTime(p.listed_at)) : []),
    ...(v3 ? [...leaf('status', statusOf(listed)), ...leaf('availability', statusOf(listed))] : []),
    ['currency', p.currency],
    ...leaf('price', price),
    ['price_freq', frequency],
    ...(v3 ? leaf('price_minimum', sale?.minimum_price ?? 0) : []),
    ...leaf('longterm', longTerm?.rent ?? null),
    ...(rentals && given.ARP
      ? [...leaf('shortterm_low', shortTerm?.low ?? null), ...leaf('shortterm_high', shortTerm?.high ?? null)]
      : []),
    ...(rentals && given.ShowRTA ? leaf('rental_license', shortTerm?.license ?? null) : []),
    always(
      'type',
      inLanguages((element) => type.labels[element]?.[currentTypes ? 'type' : 'older_type']),
    ),
    ...(currentTypes ? branch('subtype', subtype) : []),
    ...leaf('development_name', unit?.developmentName ?? null),
    ...leaf('unit_name', unit?.name ?? null),
    ['town', readable(p.town)],
    ...leaf('area', p.area),
    ['province', readable(p.province)],
    ...leaf('country', p.country),
    ...leaf('postcode', p.postcode),
    ...(v3 && p.location
      ? branch('location', [...leaf('latitude', p.location.latitude), ...leaf('longitude', p.location.longitude)])
      : []),
    ['beds', p.beds],
    ['baths', Math.floor(p.bath)],
    ['Bath', toilets ? p.bath : Math.floor(p.bath)],
    ...branch('surface_area', [
      ...leaf('built', p.built_area),
      ...leaf('plot', p.plot_area),
      ...(v3 || given.ST ? leaf('terrace', p.terrace_area) : []),
    ]),
    ...(v3
      ? [
          ...leaf('terrace', p.terrace_area),
          ...leaf('living_area', p.living_area),
          ...leaf('built_year', p.built_year),
          ...leaf('community_fees', p.community_fees),
          ...leaf('garbage_tax', p.garbage_tax),
          ...leaf('ibi_fees', p.ibi_fees),
          ...leaf('cadastral_ref', p.cadastral_ref),
        ]
      : []),
    ['has_pool', p.has_pool ? '1' : '0'],
    ['has_garden', p.has_garden ? '1' : '0'],
    ['has_garage', p.has_garage ? '1' : '0'],
    ...(allEnergy || given.ER_Show
      ? branch('energy_rating', [['emissions', p.emissions], ...(allEnergy ? leaf('consumption', p.consumption) : [])])
      : []),
    ...(tours >= 1 ? leaf('virtual_tour_url', p.virtual_tour_url) : []),
    ...(tours === 2 ? leaf('video_url', p.video_url) : []),
    ...branch(
      'description',
      inLanguages((element) => p.texts[element]?.description),
    ),
    ...branch('characteristics', characteristics(listed, catalogue, inLanguages)),
    ...branch(
      'images',
      p.pictures
        .slice(0, given.IC || (given.IC === 0 ? undefined : 10))
        .map(readable)
        .filter((url) => url !== '')
        .map((url, index): FeedNode => ['image', [['url', url]], String(index + 1)]),
    ),
  ];
}

function characteristics(
  { property, unit }: Listed,
  { categories, features }: Catalogue,
  inLanguages: (text: (element: (typeof LANGUAGES)[number]['element']) => string | null | undefined) => FeedNode[],
): FeedNode[] {
  const own = property.features.map((code) => features.get(code)!);
  const fromUnit = (unit?.directions ?? []).flat().flatMap((direction) => {
    const value = inLanguages((element) => COMPASS[element][direction] ?? direction);
    return branch('value', value);
  });
  const orientation = inLanguages((element) => ORIENTATION[element]);
  return [
    ...(fromUnit.length > 0 ? branch('category', [always('name', orientation), ...fromUnit]) : []),
    ...categories
      .filter(({ code }) => unit === null || code !== 'Orientation')
      .flatMap((category) => {
        const values = own
          .filter((feature) => feature.category === category.code)
          .flatMap((feature) =>
            branch(
              'value',
              inLanguages((element) => feature.labels[element]),
            ),
          );
        const name = inLanguages((element) => category.labels[element]);
        return values.length > 0 ? branch('category', [always('name', name), ...values]) : [];
      }),
  ];
}

/** A time is known where the portfolio fixed every one that counts. */
function updatedAt(property: PropertyDocument, category: 'SALE' | 'RENT' | 'All'): string {
  const { sale_updated_at: sale, rental_updated_at: rental } = property;
  const times = { SALE: [sale], RENT: [rental], All: [sale, rental] }[category];
  if (times.some((time) => time === null)) return SOME_TIME;
  return dateTime((times as string[]).sort().at(-1)!);
}

/** `YYYY-MM-DD hh:mm:ss` of an ISO 8601 time in UTC. */
function dateTime(time: string): string {
  return time.replace('T', ' ').replace('Z', '');
}

function leaf(name: string, value: string | number | null): FeedNode[] {
  // JSON and SQLite know one zero.
  const content = typeof value === 'string' ? readable(value) : value === 0 ? 0 : value;
  return content === null || content === '' ? [] : [[name, content]];
}

function branch(name: string, children: readonly FeedNode[]): FeedNode[] {
  return children.length === 0 ? [] : [[name, children]];
}

/** A node that is there though nothing is in it. */
function always(name: string, children: readonly FeedNode[]): FeedNode {
  return [name, children.length === 0 ? '' : children];
}

/** What XML 1.0 can hold of a text: section 2.2. */
function readable(text: string): string {
  return [...text].filter((character) => isXmlCharacter(character.codePointAt(0)!)).join('');
}

function isXmlCharacter(point: number): boolean {
  return (
    point === 0x9 ||
    point === 0xa ||
    point === 0xd ||
    (point >= 0x20 && point <= 0xd7ff) ||
    (point >= 0xe000 && point <= 0xfffd) ||
    point >= 0x10000
  );
}
