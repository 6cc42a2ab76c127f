import { isoTime } from '../../lib/iso-time.ts';
import { LANGUAGES, type LanguageElement } from '../../lib/languages.ts';
import { type PortfolioDocumentInput, type PropertyDocument, parseDocument } from '../../portfolio/documents.ts';
import { featureCode } from '../../vocabulary/entries.ts';
import { describe } from './descriptions.ts';
import type { Topic } from './phrases/topics.ts';
import type { Place } from './places.ts';
import type { Random } from './random.ts';
import { type DemoType, featuresOf } from './vocabulary.ts';

/** In development, the Worker serves the pictures. */
const PICTURES = 'http://localhost:8787/demo/pictures';

const SCENES = ['front', 'pool', 'living', 'kitchen', 'bedroom', 'bathroom', 'terrace', 'garden', 'view'];

const TEN = LANGUAGES.map(({ element }) => element);

/** The languages of a property's texts. */
const LANGUAGE_SETS: readonly (readonly LanguageElement[])[] = [
  TEN,
  ['uk', 'es'],
  ['uk', 'es', 'de'],
  ['uk'],
  TEN,
  ['uk', 'es', 'fr', 'nl'],
  ['uk', 'da', 'sv', 'no'],
  ['es'],
  ['uk', 'ru', 'pl'],
  ['de', 'fr'],
  [],
];

const PICTURE_COUNTS = [10, 0, 1, 2, 5, 9, 11, 12, 15, 20, 25, 30, 33, 40, 60];

/** Text that needs escaping, or that XML cannot represent. */
const AWKWARD = [
  'Terms & conditions: "plot" > 500 m² and <b>not</b> \'rustic\'.',
  'As the deed has it: ]]> & so on &amp; so forth.',
  'First line\r\nsecond line\rthird line\n\tindented.',
  'Control characters \u0000\u0001\u0008\u000b\u001f and \ufffe\uffff that no document may hold.',
  'Sun ☀️, beach 🏖️ and a family 👨‍👩‍👧‍👦 under one roof 🏡.',
];

type Input = Extract<PortfolioDocumentInput, { kind: 'property' }>;

/** The fields that the feed's parameters filter by. */
export interface Terms extends Pick<Input, 'status' | 'rented' | 'on_own_website' | 'on_other_websites' | 'unit'> {
  readonly forSale: boolean;
  readonly longTerm: boolean;
  readonly shortTerm: boolean;
}

/** A property of a demo agency; `index`, from 0, cycles through what is not random. */
export function demoProperty(
  random: Random,
  index: number,
  prefix: string,
  type: DemoType,
  place: Place,
  terms: Terms,
): PropertyDocument {
  const { forSale, longTerm, shortTerm, ...rest } = terms;
  const home = type.nature === 'flat' || type.nature === 'house';
  const beds = bedrooms(random, type);
  const baths = home ? Math.max(1, random.integer(Math.ceil(beds / 2), beds)) : 0;
  const built = builtArea(random, type, beds);
  const plot = plotArea(random, type);
  const terrace = home && index % 3 !== 2 ? random.integer(6, 90) : null;
  const newBuild = rest.unit !== undefined && rest.unit !== null;
  const price = salePrice(random, type, place, built, plot);
  const rent = Math.max(250, Math.round((price * 0.0042) / 50) * 50);
  const listed =
    Date.UTC(2024, 0, 8, 9) / 1000 +
    Math.floor(index / 2) * 2 * 86_400 +
    (index % 16 < 2 ? 0 : random.integer(0, 30_000));
  const updated = listed + random.integer(1, 400) * 86_400 + random.integer(0, 86_399);
  const features = chooseFeatures(random, type, place, index);
  const languages = LANGUAGE_SETS[index % LANGUAGE_SETS.length] as readonly LanguageElement[];
  const reference = `${prefix}-${1001 + index}`;
  const hasPool = features.some((code) => code.startsWith('Pool: ') && code !== featureCode('Pool', 'Room For Pool'));
  const topics = chooseTopics(random, type, index, features, {
    newBuild,
    terrace: terrace !== null,
    rental: longTerm || shortTerm,
  });
  const id = `R${4_100_001 + index * 7}`;
  return parseDocument({
    kind: 'property',
    id,
    ref: reference,
    type: type.code,
    ...rest,
    listed_at: isoTime(listed),
    source_changed_at: isoTime(updated),
    sale_updated_at: forSale ? isoTime(updated) : null,
    rental_updated_at: longTerm || shortTerm ? isoTime(updated + (index % 5) * 3600) : null,
    town: place.town,
    area: index % 29 === 4 ? `Urb. "Las Lomas" & <Golf> 'Sur'` : index % 7 === 6 ? null : random.pick(place.areas),
    province: place.province,
    country: index % 13 === 12 ? null : 'Spain',
    postcode: index % 11 === 10 ? null : place.postcode,
    location:
      index % 9 === 8
        ? null
        : {
            latitude: round(place.latitude + (random.next() - 0.5) / 60, 6),
            longitude: round(place.longitude + (random.next() - 0.5) / 60, 6),
          },
    beds,
    bath: baths + (baths > 0 && index % 2 === 1 ? 0.5 : 0),
    built_area: type.nature === 'plot' ? null : built,
    plot_area: plot,
    terrace_area: terrace,
    living_area: home && index % 4 !== 3 ? Math.round(built * 0.82) : null,
    built_year: type.nature === 'plot' || index % 10 === 9 ? null : newBuild ? 2026 : random.integer(1968, 2024),
    community_fees:
      type.nature === 'flat' || index % 4 === 1 ? random.integer(30, 420) + (index % 5 === 0 ? 0.5 : 0) : null,
    garbage_tax: home ? round(random.integer(6000, 26_000) / 100, 2) : null,
    ibi_fees: type.nature === 'plot' ? null : round((price * 0.0031 * random.integer(80, 120)) / 100, 2),
    cadastral_ref: index % 3 === 0 ? cadastralReference(random) : null,
    new_build: newBuild,
    has_pool: hasPool,
    has_garden: type.nature === 'house' || features.some((code) => code.startsWith('Garden: ')),
    has_garage:
      features.includes(featureCode('Parking', 'Garage')) || features.includes(featureCode('Parking', 'Underground')),
    emissions: index % 4 === 0 ? 'X' : random.pick(['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const),
    consumption: index % 6 === 0 ? 'X' : random.pick(['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const),
    virtual_tour_url: index % 4 === 1 || index % 4 === 3 ? `https://tours.example.com/show?id=${id}&mode=full` : null,
    video_url: index % 4 === 2 || index % 4 === 3 ? `https://video.example.com/watch?v=${id}` : null,
    offers: {
      sale: forSale
        ? {
            price: index % 97 === 40 ? null : price,
            minimum_price: index % 2 === 0 ? Math.round(price * 0.00095) * 1000 : 0,
          }
        : null,
      long_term: longTerm ? { rent } : null,
      short_term: shortTerm
        ? {
            low: index % 5 === 1 ? null : Math.round((rent * 0.45) / 10) * 10,
            high: index % 5 === 2 ? null : Math.round((rent * 0.95) / 10) * 10,
            license: index % 3 === 1 ? null : `VFT/MA/${String(10_000 + index * 13).padStart(5, '0')}`,
          }
        : null,
    },
    texts: Object.fromEntries(
      languages.map((element) => {
        const text = describe(
          element,
          { type, town: place.town, beds, baths, built, topics },
          index % 2 === 0 ? '\n' : '\r\n',
        );
        const awkward = index % 6 === 0 ? AWKWARD[(index / 6) % AWKWARD.length] : undefined;
        return [
          element,
          {
            description: awkward === undefined ? text : `${text}\n\n${awkward}`,
            url: `https://www.example.com/${element}/${reference}`,
          },
        ];
      }),
    ),
    pictures: pictureAddresses(reference, PICTURE_COUNTS[index % PICTURE_COUNTS.length] as number),
    features,
  }) as PropertyDocument;
}

function bedrooms(random: Random, type: DemoType): number {
  switch (type.nature) {
    case 'flat':
      return random.integer(1, 4);
    case 'house':
      return TERRACED.includes(type.code) ? random.integer(2, 4) : random.integer(2, 7);
    default:
      return 0;
  }
}

/** Square metres; null for a flat, which has no plot of its own. */
function plotArea(random: Random, type: DemoType): number | null {
  if (RURAL.includes(type.code)) return random.integer(30, 400) * 100;
  if (TERRACED.includes(type.code)) return random.integer(6, 30) * 10;
  if (type.nature === 'house' || type.nature === 'plot') return random.integer(40, 250) * 10;
  return null;
}

const TERRACED: readonly string[] = ['townhouse'];
const RURAL: readonly string[] = ['land'];

function builtArea(random: Random, type: DemoType, beds: number): number {
  switch (type.nature) {
    case 'flat':
      return 32 + beds * random.integer(24, 34) + random.integer(0, 12);
    case 'house':
      return 60 + beds * random.integer(35, 60) + random.integer(0, 40);
    case 'plot':
      return 0;
  }
}

function salePrice(random: Random, type: DemoType, place: Place, built: number, plot: number | null): number {
  const condition = random.integer(80, 135) / 100;
  const homes = built * place.price * (type.nature === 'house' ? 1.05 : 1);
  const ground = (plot ?? 0) * place.price * (RURAL.includes(type.code) ? 0.003 : 0.05);
  return Math.max(12_000, Math.round(((homes + ground) * condition) / 1000) * 1000);
}

const POSITIONS = ['Beachfront', 'Close To Port', 'Town', 'Frontline Golf', 'Village', 'Country'];
const INLAND_POSITIONS = POSITIONS.slice(2);
const NEIGHBOURHOODS = ['Close To Shops', 'Close To Schools', 'Urbanisation'];

function chooseFeatures(random: Random, type: DemoType, place: Place, index: number): string[] {
  if (index % 23 === 22) return [];
  const home = type.nature === 'flat' || type.nature === 'house';
  const counts: Readonly<Record<string, number>> = {
    Orientation: random.integer(1, 2),
    Condition: type.nature === 'plot' ? 0 : 1,
    Pool: home && random.chance(0.7) ? 1 : 0,
    'Climate Control': type.nature === 'plot' ? 0 : random.integer(1, 3),
    Views: random.integer(1, 3),
    Features: home ? random.integer(3, 10) : 0,
    Furniture: home && random.chance(0.8) ? 1 : 0,
    Kitchen: home && random.chance(0.8) ? 1 : 0,
    Garden: home ? random.integer(0, 2) : 0,
    Security: home ? random.integer(0, 3) : 0,
    Parking: home ? random.integer(0, 2) : 0,
    Utilities: random.integer(0, 2),
    Category: random.integer(0, 2),
  };
  const setting = [
    RURAL.includes(type.code) ? 'Country' : random.pick(place.coastal ? POSITIONS : INLAND_POSITIONS),
    ...random.some(NEIGHBOURHOODS, random.integer(0, 2)),
  ];
  return [
    ...setting.map((label) => featureCode('Setting', label)),
    ...Object.entries(counts).flatMap(([category, count]) => random.some(featuresOf(category), count)),
  ].filter((code) => type.nature === 'flat' || code !== featureCode('Features', 'Lift'));
}

function chooseTopics(
  random: Random,
  type: DemoType,
  index: number,
  features: readonly string[],
  { newBuild, terrace, rental }: { newBuild: boolean; terrace: boolean; rental: boolean },
): Set<Topic> {
  const has = (category: string, label: string) => features.includes(featureCode(category, label));
  const setting: Topic = has('Setting', 'Beachfront')
    ? 'beach'
    : has('Setting', 'Frontline Golf')
      ? 'golf'
      : has('Setting', 'Country') || RURAL.includes(type.code)
        ? 'countryside'
        : 'town';
  const home = type.nature === 'flat' || type.nature === 'house';
  const always: Topic[] = home ? ['facts', setting, 'light', 'kitchen'] : [setting, 'plot', 'amenities', 'viewing'];
  const fitting: Topic[] = ['airport', 'sunshine', 'market', 'viewing', 'amenities'];
  if (home) fitting.push('living', 'bedrooms', 'bathrooms', 'climate', 'schools');
  if (terrace) fitting.push('terrace');
  if (has('Views', 'Sea')) fitting.push('sea');
  if (has('Views', 'Mountain')) fitting.push('mountain');
  if (has('Pool', 'Private') || has('Pool', 'Communal')) fitting.push('pool');
  if (type.nature === 'house') fitting.push('garden');
  if (has('Parking', 'Garage') || has('Parking', 'Underground')) fitting.push('garage');
  if (has('Features', 'Fiber Optic')) fitting.push('workspace');
  if (has('Setting', 'Urbanisation') || type.nature === 'flat') fitting.push('community');
  if (newBuild) fitting.push('newBuild');
  if (rental && home) fitting.push('rental');
  const count = index % 10 === 0 ? fitting.length : random.integer(0, fitting.length);
  return new Set([...always, ...random.some(fitting, count)]);
}

/** The first picture shows the property from the front; some URLs have a query, as in agencies' feeds. */
function pictureAddresses(reference: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const scene = SCENES[index % SCENES.length] as string;
    const query = index % 10 === 3 ? `?v=${index}&size=large` : '';
    return `${PICTURES}/${reference.toLowerCase()}-${index + 1}-${scene}.svg${query}`;
  });
}

function cadastralReference(random: Random): string {
  const digits = (count: number) => Array.from({ length: count }, () => random.integer(0, 9)).join('');
  return `${digits(7)}UF${digits(4)}N${digits(4)}XY`;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
