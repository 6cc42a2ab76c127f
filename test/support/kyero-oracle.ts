import { featureName, type KyeroType, kyeroType } from '../../src/feed/formats/kyero/names.ts';
import { STORED_LANGUAGES } from '../../src/lib/languages.ts';
import type {
  FeatureDocument,
  PortfolioDocument,
  PropertyDocument,
  UnitDocument,
} from '../../src/portfolio/documents.ts';
import { COMPASS } from './compass.ts';
import { type FeedNode, type FeedParameters, isListedWith, readable, updatedAt } from './oracle.ts';

/** The nodes whose content is a number. */
export const KYERO_NUMBERS: ReadonlySet<string> = new Set([
  ...['price', 'latitude', 'longitude', 'beds', 'baths', 'built', 'plot', 'terrace', 'living_area', 'built_year'],
  ...['community_fees', 'garbage_tax', 'ibi_fees'],
]);

/** Codes of languages with their names in documents and in the format. */
const LANGUAGES = [
  ...([
    [1, 'uk', 'en'],
    [2, 'es', 'es'],
    [3, 'de', 'de'],
    [4, 'fr', 'fr'],
    [5, 'nl', 'nl'],
    [6, 'da', 'da'],
  ] as const),
  ...([
    [7, 'ru', 'ru'],
    [8, 'sv', 'sv'],
    [10, 'no', 'no'],
    [11, 'it', 'it'],
    [12, 'pt', 'pt'],
    [13, 'fi', 'fi'],
  ] as const),
  [14, 'ca', 'ca'] as const,
];

/**
 * The records that the Kyero feed of a portfolio must have, in order: an independent implementation of the format. Only the
 * names of types and features are those of the Worker; a test of their own compares these with the vocabulary.
 */
export function expectedKyeroRecords(documents: readonly PortfolioDocument[], given: FeedParameters): FeedNode[][] {
  const category = given.T ?? 'All';
  return documents
    .filter((document) => document.kind === 'property')
    .map((property) => ({ property, unit: unitOf(property, documents) }))
    .filter(({ property }) => isListedWith(property, documents, given))
    .flatMap(({ property, unit }) =>
      (
        [
          ['', 'sale', property.offers.sale && { price: unit === null ? property.offers.sale.price : unit.price }],
          ['-LT', 'month', property.offers.long_term && { price: property.offers.long_term.rent }],
          [
            '-ST',
            'week',
            given.ShortTerm === 'TRUE' && property.offers.short_term ? { price: property.offers.short_term.low } : null,
          ],
        ] as const
      ).flatMap(([suffix, frequency, offer]) =>
        offer === null || (category === 'SALE' && suffix !== '') || (category === 'RENT' && suffix === '')
          ? []
          : [record(property, unit, { suffix, frequency, price: offer.price }, documents, given)],
      ),
    );
}

interface Offer {
  readonly suffix: string;
  readonly frequency: string;
  readonly price: number | null;
}

function record(
  p: PropertyDocument,
  unit: UnitDocument | null,
  { suffix, frequency, price }: Offer,
  documents: readonly PortfolioDocument[],
  given: FeedParameters,
): FeedNode[] {
  const asked = (given.Language ?? '1,2,3,4,5,6,7,8,10,11,12,13,14').split(',').map(Number);
  const languages = LANGUAGES.filter(([code]) => asked.includes(code));
  const isKnown = ['EUR', 'GBP', 'USD'].includes(p.currency);
  const whole = Math.round(price ?? 0);
  const most = Number(given.IC ?? '50') || Number.POSITIVE_INFINITY;
  const status = statusOf(p, unit);
  const flag = (value: boolean) => (value ? '1' : '0');
  return [
    ['id', p.id + suffix],
    ['date', dateOf(updatedAt(p, (given.T ?? 'All') as 'SALE' | 'RENT' | 'All'))],
    ['ref', (readable(p.ref) || readable(p.id)) + (isFirstOffer(p, frequency) ? '' : suffix)],
    ['price', isKnown && whole > 0 ? whole : 0],
    ['currency', isKnown ? p.currency : 'EUR'],
    ['price_freq', frequency],
    ['part_ownership', flag(p.part_ownership)],
    ['leasehold', flag(p.leasehold)],
    ['new_build', flag(p.new_build)],
    ['type', typeOf(p.type, documents).name],
    ['town', readable(p.town) || '-'],
    ['province', readable(p.province) || '-'],
    ['country', readable(first50(p.country) ?? '') || 'Spain'],
    ...(p.location === null
      ? []
      : [
          [
            'location',
            [
              ['latitude', degrees(p.location.latitude)],
              ['longitude', degrees(p.location.longitude)],
            ],
          ] as FeedNode,
        ]),
    ...leaf('location_detail', first50(p.area)),
    ['beds', p.beds],
    ['baths', Math.floor(p.bath)],
    ['pool', flag(p.has_pool)],
    ...branch('surface_area', [...leaf('built', p.built_area), ...leaf('plot', p.plot_area)]),
    [
      'energy_rating',
      [
        ['consumption', p.consumption],
        ['emissions', p.emissions],
      ],
    ],
    ...branch(
      'url',
      languages.flatMap(([, stored, name]) => leaf(name, page(p.texts[stored]?.url ?? null))),
    ),
    ['desc', listOrText(languages.flatMap(([, stored, name]) => leaf(name, p.texts[stored]?.description ?? null)))],
    ...branch('features', featuresOf(p, unit, status, documents)),
    [
      'images',
      listOrText(
        p.pictures
          .flatMap(picture)
          .slice(0, most)
          .map((url, index): FeedNode => ['image', [['url', url]], String(index + 1)]),
      ),
    ],
    ...leaf('notes', p.notes),
    ...(given.Extended === 'TRUE'
      ? [
          ...leaf('subtype', typeOf(p.type, documents).detail || null),
          ['status', status] as FeedNode,
          ...leaf('postcode', p.postcode),
          ...leaf('terrace', p.terrace_area),
          ...leaf('living_area', p.living_area),
          ...leaf('built_year', p.built_year),
          ...leaf('community_fees', p.community_fees),
          ...leaf('garbage_tax', p.garbage_tax),
          ...leaf('ibi_fees', p.ibi_fees),
          ...leaf('catastral', p.cadastral_ref),
          ...leaf('virtual_tour_url', p.virtual_tour_url),
          ...leaf('video_url', p.video_url),
        ]
      : []),
  ];
}

/** The sale comes before the long-term rental, and that before the short-term one. */
function isFirstOffer({ offers }: PropertyDocument, frequency: string): boolean {
  if (frequency === 'sale') return true;
  return offers.sale === null && (frequency === 'month' || offers.long_term === null);
}

/** Kyero's years end with 2099. */
function dateOf(time: string): string {
  return /^\d/.test(time) && time > '2099-12-31 23:59:59' ? '2099-12-31 23:59:59' : time;
}

function unitOf({ unit }: PropertyDocument, documents: readonly PortfolioDocument[]): UnitDocument | null {
  const found = documents.find(
    (document) => document.kind === 'unit' && document.development === unit?.development && document.name === unit.name,
  );
  return (found as UnitDocument | undefined) ?? null;
}

function statusOf({ status }: PropertyDocument, unit: UnitDocument | null): string {
  return unit === null ? status : { 1: 'Available', 2: 'Under Offer', 4: 'Sold', 8: 'Sale Agreed' }[unit.status];
}

function typeOf(code: string, documents: readonly PortfolioDocument[]): KyeroType {
  const type = documents.find((document) => document.kind === 'type' && document.code === code);
  const labels = type?.kind === 'type' ? type.labels : {};
  const label = STORED_LANGUAGES.flatMap(({ element }) => labels[element] ?? []).find(({ type: name }) => isText(name));
  return kyeroType(code, label?.subtype ?? label?.type ?? code);
}

function featuresOf(
  p: PropertyDocument,
  unit: UnitDocument | null,
  status: string,
  documents: readonly PortfolioDocument[],
): FeedNode[] {
  const all = documents
    .filter((document): document is FeatureDocument => document.kind === 'feature')
    .flatMap(({ code, category, labels }) => {
      const label = STORED_LANGUAGES.map(({ element }) => labels[element] ?? '').find(isText);
      return label === undefined ? [] : [{ code, category, label: spaced(label) }];
    });
  const nameOf = ({ category, label }: (typeof all)[number]) => {
    const name = featureName(category, label);
    const isShared = all.some(
      (other) => other.category !== category && featureName(other.category, other.label) === name,
    );
    return isShared ? `${category} - ${label}` : name;
  };
  const own = p.features
    .map((code) => all.find((feature) => feature.code === code))
    .filter((feature) => feature !== undefined && !(unit !== null && feature.category === 'Orientation'))
    .map((feature) => nameOf(feature!));
  const directions = (unit?.directions ?? [])
    .flat()
    .filter((direction) => readable(direction) !== '' && spaced(direction) !== '')
    .map((direction) => featureName('Orientation', spaced(COMPASS.uk[direction] ?? direction)));
  const { detail, isBuiltIn } = typeOf(p.type, documents);
  const names = [
    ...(status === 'Available' ? [] : [status]),
    ...(isBuiltIn && detail !== '' ? [detail] : []),
    ...directions,
    ...own,
  ].map(readable);
  return [...new Set(names)].slice(0, 50).map((name) => ['feature', name]);
}

function isText(text: string): boolean {
  return readable(text.trim()) !== '';
}

/** White space as a single space. */
function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function page(url: string | null): string | null {
  const text = url === null || url.includes('\n') ? '' : xmlSpaced(url);
  return /^https?:\/\//.test(text) && [...text].length <= 255 ? text : null;
}

function picture(url: string): string[] {
  const text = readable(xmlSpaced(url));
  if (!/^(https?|ftp):\/\//.test(text)) return [];
  return [/\.(gif|jpe?g|png|GIF|JPE?G|PNG)$/.test(text) ? text : `${text}#.jpg`];
}

function xmlSpaced(text: string): string {
  return text.replaceAll(/[ \t\r\n]+/g, ' ').replaceAll(/^ | $/g, '');
}

function first50(text: string | null): string | null {
  return text === null ? null : [...text].slice(0, 50).join('');
}

function degrees(value: number): number {
  const rounded = Number(value.toFixed(12));
  return rounded === 0 ? 0 : rounded;
}

function leaf(name: string, value: string | number | null): FeedNode[] {
  const content = typeof value === 'string' ? readable(value) : value === 0 ? 0 : value;
  return content === null || content === '' ? [] : [[name, content]];
}

function branch(name: string, children: readonly FeedNode[]): FeedNode[] {
  return children.length === 0 ? [] : [[name, children]];
}

/** What is read of an element that may have no children. */
function listOrText(children: readonly FeedNode[]): FeedNode[1] {
  return children.length === 0 ? '' : children;
}
