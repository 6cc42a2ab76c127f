import { STORED_LANGUAGES, type StoredLanguage } from '../../../src/lib/languages.ts';
import type {
  FeatureDocument,
  PortfolioDocument,
  PropertyDocument,
  TypeDocument,
  UnitDocument,
} from '../../../src/properties/documents.ts';
import { addressOf } from '../../../src/properties/pictures.ts';
import { COMPASS, ORIENTATION, pointNamed } from './compass.ts';
import type { XmlElement } from './xml.ts';

/** A node of a record: its name, then its text, number or children; the node of a picture also has its `id`. */
export type FeedNode = readonly [
  name: string,
  content: string | number | readonly FeedNode[],
  id?: string,
];

/** The parameters of a feed as its URL gives them, in capital letters where case does not matter. */
export type FeedParameters = Readonly<Partial<Record<string, string>>>;

/** A placeholder for a time that the database set. */
const SOME_TIME = 'some time';

const LANGUAGES = ['uk', 'es', 'de', 'fr', 'nl', 'da', 'ru', 'sv', 'pl', 'no'] as const;

type Language = (typeof LANGUAGES)[number];

type TextIn = (language: Language) => string | null | undefined;

type Category = 'SALE' | 'RENT' | 'All';

/** The nodes whose content is a number. */
const NUMBERS = new Set([
  ...[
    'price',
    'price_minimum',
    'longterm',
    'shortterm_low',
    'shortterm_high',
    'latitude',
    'longitude',
  ],
  ...['beds', 'baths', 'Bath', 'built', 'plot', 'terrace', 'living_area', 'built_year'],
  ...['community_fees', 'garbage_tax', 'ibi_fees', 'basura_tax'],
]);

/**
 * The records that the feed of a portfolio must have, in order: an independent implementation of the feed's format, in
 * memory, that shares no code with the Worker.
 *
 * @param firstKeepsId whether the record of a property's first offer has its own identifier, as in Kyero's format; by default
 * only that of a sale
 */
export function expectedRecords(
  documents: readonly PortfolioDocument[],
  parameters: FeedParameters,
  firstKeepsId = false,
): FeedNode[][] {
  const choice = { ...choiceOf(parameters), firstKeepsId };
  const catalogue = catalogueOf(documents);
  const properties = documents.filter((document) => document.kind === 'property');
  const ordered = choice.byListingDate
    ? properties.toReversed().sort((a, b) => Date.parse(b.listed_at) - Date.parse(a.listed_at))
    : properties;
  return ordered
    .map((property): Listed => ({ property, unit: unitOf(property, documents) }))
    .filter((listed) => isListed(listed, choice))
    .flatMap((listed) =>
      offersOf(listed, choice).map((offers) => record(listed, offers, choice, catalogue)),
    );
}

/**
 * The records of a document that was read, in the same form.
 *
 * @param expected where a time of these is one that the database set, that of the record read is not compared
 */
export function recordsRead(
  document: XmlElement,
  expected: readonly FeedNode[][] = [],
): FeedNode[][] {
  return document.all('property').map((property, index) => {
    const record = property.children.map((child) => nodeOf(child));
    const anyTime = expected[index]?.find(([, content]) => content === SOME_TIME)?.[0];
    return record.map((node) => (node[0] === anyTime ? [node[0], SOME_TIME] : node));
  });
}

function nodeOf({ name, text, attributes, children }: XmlElement): FeedNode {
  const content = children.length > 0 ? children.map((child) => nodeOf(child)) : text;
  const read = typeof content === 'string' && NUMBERS.has(name) ? Number(content) : content;
  return attributes.id === undefined ? [name, read] : [name, read, attributes.id];
}

/** The requested parameters, with the defaults of their version. */
function choiceOf(parameters: FeedParameters) {
  const { FV = '1', Language = '1,2', IC = '10', T = 'All' } = parameters;
  const v3 = FV === '3';
  const is = (name: string) => parameters[name] === 'TRUE';
  const tours = parameters.VT ?? (v3 ? '2' : '0');
  const codes = Language.split(',').map(Number);
  return {
    v3,
    savedBath: FV !== '1',
    category: T as Category,
    languages: LANGUAGES.filter((_, index) => codes.includes(index + 1)),
    pictures: Number(IC) || Number.POSITIVE_INFINITY,
    virtualTour: ['1', '2', 'TRUE'].includes(tours),
    video: tours === '2',
    currentTypes: v3 || is('NPT'),
    terrace: v3 || is('ST'),
    emissions: v3 || is('ER_Show') || is('ER_ShowAll'),
    consumption: v3 || is('ER_ShowAll'),
    byListingDate: is('DisplayListingDate'),
    ownAndOtherWebsites: is('NW'),
    recordPerOffer: is('AR') && T !== 'SALE',
    shortTermPrices: is('ARP'),
    license: is('ShowRTA'),
    withoutRented: is('ExRented'),
    onlyAvailable: is('OnlyAvailable'),
    municipality: parameters.LocationVersion === '2',
    annualCosts: is('CS'),
  };
}

type Choice = ReturnType<typeof choiceOf> & { readonly firstKeepsId: boolean };

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

function unitOf(
  { unit }: PropertyDocument,
  documents: readonly PortfolioDocument[],
): Listed['unit'] {
  if (unit === null) return null;
  const found = documents.find(
    (document) =>
      document.kind === 'unit' &&
      document.development === unit.development &&
      document.name === unit.name,
  ) as UnitDocument;
  const development = documents.find(
    (document) => document.kind === 'development' && document.id === unit.development,
  );
  return { ...found, developmentName: (development as { name: string }).name };
}

function statusOf({ property, unit }: Listed): string {
  if (unit === null || property.status === 'Withdrawn') return property.status;
  return { 1: 'Available', 2: 'Under Offer', 4: 'Sold', 8: 'Sale Agreed' }[unit.status];
}

function isListed(listed: Listed, choice: Choice): boolean {
  const { offers, rented, on_own_website, on_other_websites } = listed.property;
  const status = statusOf(listed);
  const forRent = offers.long_term !== null || offers.short_term !== null;
  const inCategory = {
    SALE: offers.sale !== null,
    RENT: forRent,
    All: offers.sale !== null || forRent,
  };
  return (
    (choice.onlyAvailable
      ? status === 'Available'
      : ['Available', 'Under Offer', 'Sale Agreed'].includes(status)) &&
    inCategory[choice.category] &&
    !(choice.withoutRented && rented) &&
    !(choice.ownAndOtherWebsites && !(on_own_website && on_other_websites))
  );
}

const OFFERS = ['sale', 'long_term', 'short_term'] as const;

type Offer = (typeof OFFERS)[number];

/** The offers of each record of a property. */
function offersOf({ property }: Listed, { category, recordPerOffer }: Choice): Offer[][] {
  const asked: Record<Category, readonly Offer[]> = {
    SALE: ['sale'],
    RENT: ['long_term', 'short_term'],
    All: OFFERS,
  };
  const offers = asked[category].filter((offer) => property.offers[offer] !== null);
  return recordPerOffer ? offers.map((offer) => [offer]) : [offers];
}

function record(listed: Listed, offers: Offer[], choice: Choice, catalogue: Catalogue): FeedNode[] {
  const { property: p, unit } = listed;
  const { v3, currentTypes } = choice;
  const inLanguages = (text: TextIn) =>
    choice.languages.flatMap((language) => leaf(language, text(language) ?? null));

  const has = (offer: Offer) => offers.includes(offer);
  const sale = has('sale') ? p.offers.sale : null;
  const longTerm = has('long_term') ? p.offers.long_term : null;
  const shortTerm = has('short_term') ? p.offers.short_term : null;
  const ofOwnId = choice.firstKeepsId ? OFFERS.find((offer) => p.offers[offer] !== null)! : 'sale';
  const suffix = !choice.recordPerOffer || has(ofOwnId) ? '' : longTerm ? '-LT' : '-ST';
  const salePrice = unit === null ? (sale?.price ?? null) : unit.price;
  const headlines = [
    ['sale', sale, salePrice],
    ['month', longTerm, longTerm?.rent ?? null],
    ['week', shortTerm, shortTerm?.low ?? null],
  ] as const;
  const offered = headlines.filter(([, offer]) => offer !== null);
  const [frequency, , price] = offered.find(([, , known]) => known !== null) ?? offered[0]!;

  const type = catalogue.types.get(p.type)!;

  return [
    ['id', p.id + suffix],
    ['ref', readable(p.ref)],
    ['last_updated', updatedAt(p)],
    ...(choice.byListingDate ? leaf('listing_date', dateTime(p.listed_at)) : []),
    ...(v3 ? [...leaf('status', statusOf(listed)), ...leaf('availability', statusOf(listed))] : []),
    ['currency', p.currency],
    ['price', price === null || price <= 0 ? 0 : price],
    ['price_freq', frequency],
    ...(v3 ? leaf('price_minimum', sale?.minimum_price ?? 0) : []),
    ...leaf('longterm', longTerm?.rent ?? null),
    ...(choice.shortTermPrices
      ? [
          ...leaf('shortterm_low', shortTerm?.low ?? null),
          ...leaf('shortterm_high', shortTerm?.high ?? null),
        ]
      : []),
    ...(choice.license ? leaf('rental_license', shortTerm?.license ?? null) : []),
    [
      'type',
      inLanguages(labelOf(type, (label) => label[currentTypes ? 'type' : 'older_type'], type.code)),
    ],
    ...branch(
      'subtype',
      inLanguages(labelOf(type, (label) => label[currentTypes ? 'subtype' : 'older_subtype'])),
    ),
    ...leaf('development_name', unit?.developmentName ?? null),
    ...leaf('unit_name', unit?.name ?? null),
    ['town', readable(p.town)],
    ...leaf('area', p.area),
    ['province', readable(p.province)],
    ...leaf('country', p.country),
    ...leaf('postcode', p.postcode),
    ...(choice.municipality ? [...leaf('municipality', p.town), ...leaf('location', p.area)] : []),
    ...(v3 && p.location
      ? branch('location', [
          ...leaf('latitude', p.location.latitude),
          ...leaf('longitude', p.location.longitude),
        ])
      : []),
    ['beds', p.beds],
    ['baths', Math.floor(p.bath)],
    ['Bath', choice.savedBath ? p.bath : Math.floor(p.bath)],
    ...branch('surface_area', [
      ...leaf('built', p.built_area),
      ...leaf('plot', p.plot_area),
      ...(choice.terrace ? leaf('terrace', p.terrace_area) : []),
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
    ...(choice.annualCosts
      ? branch('annual_costs', [
          ...leaf('ibi_fees', p.ibi_fees),
          ...leaf('basura_tax', p.garbage_tax),
          ...leaf('community_fees', aYear(p.community_fees)),
        ])
      : []),
    ['has_pool', p.has_pool ? '1' : '0'],
    ['has_garden', p.has_garden ? '1' : '0'],
    ['has_garage', p.has_garage ? '1' : '0'],
    ...(choice.emissions
      ? branch('energy_rating', [
          ['emissions', p.emissions],
          ...(choice.consumption ? leaf('consumption', p.consumption) : []),
        ])
      : []),
    ...(choice.virtualTour ? leaf('virtual_tour_url', p.virtual_tour_url) : []),
    ...(choice.video ? leaf('video_url', p.video_url) : []),
    ...branch(
      'description',
      inLanguages((language) => p.texts[language]?.description),
    ),
    ...branch('characteristics', characteristics(listed, catalogue, inLanguages)),
    ...branch(
      'images',
      p.pictures
        .slice(0, choice.pictures)
        .map((picture) => readable(addressOf(picture)))
        .filter((url) => url !== '')
        .map((url, index): FeedNode => ['image', [['url', url]], String(index + 1)]),
    ),
  ];
}

function characteristics(
  { property, unit }: Listed,
  { categories, features }: Catalogue,
  inLanguages: (text: TextIn) => FeedNode[],
): FeedNode[] {
  const own = property.features.map((code) => features.get(code)!);
  const fromUnit = (unit?.directions ?? []).flat().flatMap((direction) => {
    const point = pointNamed(direction);
    const value = inLanguages((language) => COMPASS[language][point] ?? point);
    return branch('value', value);
  });
  const orientation = inLanguages((language) => ORIENTATION[language]);
  return [
    ...(fromUnit.length > 0 ? branch('category', [['name', orientation], ...fromUnit]) : []),
    ...categories
      .filter(({ code }) => unit === null || code !== 'Orientation')
      .flatMap((category) => {
        const values = own
          .filter((feature) => feature.category === category.code)
          .flatMap((feature) => branch('value', inLanguages(labelOf(feature, (label) => label))));
        const name = inLanguages(labelOf(category, (label) => label, category.code));
        return values.length > 0 ? branch('category', [['name', name], ...values]) : [];
      }),
  ];
}

/** Known if the portfolio states it. */
function updatedAt({ updated_at: time }: PropertyDocument): string {
  return time === null ? SOME_TIME : dateTime(time);
}

/** `YYYY-MM-DD hh:mm:ss` of an ISO 8601 time in UTC. */
function dateTime(time: string): string {
  return time.replace('T', ' ').replace('Z', '');
}

/** Twelve months' fees, to the cent, if a number can hold them. */
function aYear(month: number | null): number | null {
  const year = Number(((month ?? Number.NaN) * 12).toFixed(2));
  return Number.isFinite(year) ? year : null;
}

function leaf(name: string, value: string | number | null): FeedNode[] {
  // JSON and SQLite have no negative zero.
  const content = typeof value === 'string' ? readable(value) : value === 0 ? 0 : value;
  return content === null || content === '' ? [] : [[name, content]];
}

function branch(name: string, children: readonly FeedNode[]): FeedNode[] {
  return children.length === 0 ? [] : [[name, children]];
}

/** The label of an entry in each language: in that language, else in English, else in any; without any, its code. */
function labelOf<Label>(
  entry: { readonly labels: Readonly<Partial<Record<StoredLanguage, Label>>> },
  textOf: (label: Label) => string | null | undefined,
  code = '',
): TextIn {
  const textIn = (language: StoredLanguage) => {
    const label = entry.labels[language];
    return label === undefined ? '' : readable(textOf(label) ?? '');
  };
  const anyText = () =>
    STORED_LANGUAGES.map(({ element }) => textIn(element)).find((text) => text !== '');
  const unlabelled = () => (code === '' ? '' : readable(code) || '-');
  return (language) => textIn(language) || (anyText() ?? unlabelled());
}

/** A text without the characters that XML 1.0 forbids (section 2.2). */
function readable(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
}
