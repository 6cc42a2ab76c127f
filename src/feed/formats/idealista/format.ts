import { ELEMENTS } from '../../../lib/languages.ts';
import { message } from '../../../messages/messages.ts';
import { type PictureEntry, pictureOf } from '../../../properties/pictures.ts';
import {
  asLine,
  hasPlace,
  isInDevelopment,
  isWithin,
  IDEALISTA as LIMITS,
} from '../../../rules/about/idealista.ts';
import { isRefusedBy } from '../../../rules/check.ts';
import {
  type Dictionary,
  dictionaryOf,
  LISTED_FIELDS,
  type Listing,
  listingOfRow,
} from '../../../rules/listing.ts';
import { isHome, typeKind } from '../../../rules/types.ts';
import { COMPASS, directionsIn, ORIENTATION } from '../../../vocabulary/orientation.ts';
import { isInSpain } from '../../../vocabulary/provinces.ts';
import type { FeedField, FeedProperty, ShownDevelopment } from '../../build/feed-properties.ts';
import type { FeedFormat, PartPage } from '../format.ts';
import { shortId } from '../offers.ts';
import {
  CATEGORY,
  choice,
  declareParameters,
  FILTERS,
  LANGUAGE,
  list,
  PICTURES,
  parametersOf,
  pattern,
} from '../parameters.ts';
import WORDS from './parameters.json' with { type: 'json' };
import {
  BUILDINGS,
  CONSERVATION,
  type Codes,
  FEATURES,
  FLATS,
  floorOf,
  LANGUAGE_NAMES,
  namesFor,
  RENTALS,
  STAGES,
  typeOf,
} from './values.ts';

const { parameter } = parametersOf(WORDS);

const CODES = [...LANGUAGE_NAMES.keys()];
const EMAIL = /^[a-zA-Z0-9_.-]{1,60}@([a-zA-Z0-9_-]{1,60}\.){1,5}[a-zA-Z]{2,5}$/;

const IDEALISTA_PARAMETERS = declareParameters({
  customerCode: parameter(
    'CustomerCode',
    pattern(/^ilc[a-z0-9]{40}$/, message('customer_code')),
    '',
  ),
  country: parameter(
    'CustomerCountry',
    choice({ Spain: 'Spain', Italy: 'Italy', Portugal: 'Portugal' }),
    'Spain',
  ),
  email: parameter('ContactEmail', pattern(EMAIL, message('email')), ''),
  phone: parameter('ContactPhone', pattern(/^[0-9]{5,12}$/, message('phone')), ''),
  category: parameter('T', CATEGORY, 'All'),
  languages: parameter<readonly number[]>(LANGUAGE, list(CODES), CODES),
  pictures: parameter('IC', PICTURES, 0),
  ...FILTERS,
} as const);

type IdealistaParameters = ReturnType<typeof IDEALISTA_PARAMETERS.parse>['parameters'];

/** Between two properties or developments. */
const SEPARATOR = ',\n';

const FIELDS = [
  ...LISTED_FIELDS,
  'has_garden',
  'has_garage',
] as const satisfies readonly FeedField[];

type Field = (typeof FIELDS)[number];

/** A property with what this format shows of it, or decides by. */
type IdealistaProperty = FeedProperty<Field>;

export const IDEALISTA: FeedFormat<IdealistaParameters, Dictionary, Field> = {
  name: 'idealista',
  title: () => ['Idealista JSON', 6],
  file: 'idealista.json',
  about: {
    operationId: 'getIdealistaFeed',
    summary: "The properties and new developments of an account in Idealista's format",
    description:
      'The same feed as JSON, version 6: what Idealista accepts of the properties, and the ' +
      'developments with their units. `GET /v1/report?format=idealista` has the reason for ' +
      'everything that is left out. `CustomerCode` is required: in the request, in the preset ' +
      'of the reader, or set for the account with `lindero format set`. A portal that sends no ' +
      'credentials fetches `/feeds/<account code>/<key>/idealista.json`.',
    errors: [
      [
        'bad_parameter',
        '`CustomerCode` is missing, a value is not allowed, or a parameter is repeated.',
        'CustomerCode is missing: Idealista gives each agency one, ilc and 40 letters or ' +
          'digits. Store it with lindero format set.',
      ],
    ],
  },
  documentFormat: 6,
  mediaType: 'application/json',
  separator: SEPARATOR,
  // Without developments, the document has no list of them.
  developments: '\n],"customerNewDevelopments":[\n',
  ...IDEALISTA_PARAMETERS,
  accountParameters: ['CustomerCode', 'CustomerCountry', 'ContactEmail', 'ContactPhone'],
  missing: ({ customerCode }) =>
    customerCode === ''
      ? [{ parameter: 'CustomerCode', problem: message('no_customer_code') }]
      : [],
  // Whose the properties are.
  head({ customerCode, country, email, phone }) {
    const contact = {
      contactEmail: email || undefined,
      contactPrimaryPhoneNumber: phone || undefined,
    };
    const customer = { customerCountry: country, customerCode, customerContact: contact };
    return `${JSON.stringify(customer).slice(0, -1)},"customerProperties":[\n`;
  },
  tail: '\n]}\n',
  fields: FIELDS,
  withAddresses: false,
  withDevelopments: true,
  renderDictionary: dictionaryOf,
  /**
   * The properties that Idealista accepts, in their order, once for each offer: those that the rules refuse are left out. Units
   * of a development are in the development's own part, with the development around them.
   */
  writeProperties(properties, parameters, dictionary, page) {
    const records = properties.flatMap((property) => {
      const listing = listingOfRow(property, parameters.languages, dictionary);
      if (isRefusedBy('idealista', listing)) return [];
      if (page !== undefined && isInDevelopment(listing) !== (page.development !== null)) return [];
      const common = commonOf(property, listing, parameters);
      return operationsOf(listing, parameters).map((operation) => {
        const propertyFeatures = featuresOf(property, listing, operation.operationType === 'rent');
        return JSON.stringify({ ...common, propertyFeatures, propertyOperation: operation });
      });
    });
    const text = records.join(SEPARATOR);
    return {
      text: page ? withinDevelopment(text, page, parameters) : text,
      records: records.length,
    };
  },
  schemas: [],
};

/** A value of `undefined` is not written. */
type Json = Readonly<Record<string, unknown>>;

/** A page of a development's units, with the development before the first and after the last of them; other pages as they are. */
function withinDevelopment(units: string, page: PartPage, parameters: IdealistaParameters): string {
  const { development, recordsBefore, isLast } = page;
  if (development === null || (units === '' && recordsBefore === 0)) return units;
  const end = isLast ? '\n]}' : '';
  if (recordsBefore > 0) return units + end;
  return `${developmentText(development, parameters).slice(0, -1)},"newDevelopmentTypologies":[\n${units}${end}`;
}

function developmentText(
  { id, name, details }: ShownDevelopment,
  parameters: IdealistaParameters,
): string {
  const { building, stage, finished, starts_on, keys_in, energy, texts, pictures } = details;
  const [year, month] = keys_in?.split('-').map(Number) ?? [];
  const descriptions = parameters.languages.map(
    (code) => texts[ELEMENTS.get(code)!]?.description ?? '',
  );
  const place = { ...details, town: details.town ?? '', province: details.province ?? '' };
  return JSON.stringify({
    propertyCode: shortId(id),
    propertyVisibility: 'idealista',
    propertyAddress: addressOf(place, parameters),
    propertyFeatures: {
      featuresType: 'promo',
      featuresNewDevelopmentType: BUILDINGS[building],
      featuresNewDevelopmentName: lineOf(name, 100),
      featuresBuiltPhase: stage === null ? undefined : STAGES[stage],
      featuresFinished: finished ?? undefined,
      featuresStartDate: starts_on?.replaceAll('-', '/'),
      featuresKeyDeliveryYear: year,
      featuresKeyDeliveryMonth: month,
      featuresEnergyCertificateRating:
        energy === 'in_process' ? 'inProcess' : (energy ?? undefined),
    },
    ...mediaOf(descriptions, pictures, parameters),
  });
}

/** The sale and the rental: Idealista takes two properties with one identifier for the offers of one. */
function operationsOf(
  { offers, community_fees: fees }: Listing,
  { category }: IdealistaParameters,
) {
  const { sale, long_term } = offers;
  const community = isWithin(fees, [1, 9_999])
    ? { operationPriceCommunity: Math.floor(fees!) }
    : {};
  const operation = (
    operationType: 'sale' | 'rent',
    price: number | null | undefined,
    more: object = {},
  ) =>
    isWithin(price, LIMITS.price)
      ? [{ operationType, operationPrice: Math.floor(price!), ...more }]
      : [];
  return [
    ...(category === 'RENT' ? [] : operation('sale', sale?.price, community)),
    ...(category === 'SALE' ? [] : operation('rent', long_term?.rent)),
  ];
}

function commonOf(
  property: IdealistaProperty,
  listing: Listing,
  parameters: IdealistaParameters,
): Json {
  return {
    propertyCode: property.id,
    propertyReference: lineOf(listing.ref, 50) || undefined,
    propertyVisibility: 'idealista',
    // A unit can be where its development is.
    propertyAddress: hasPlace(listing)
      ? { ...addressOf(listing, parameters), addressFloor: floorOf(listing.floor ?? '') }
      : undefined,
    ...mediaOf(property.descriptions, listing.pictures, parameters),
  };
}

/** @param texts in the order of the languages */
function mediaOf(
  texts: readonly (string | null)[],
  pictures: readonly PictureEntry[],
  parameters: IdealistaParameters,
) {
  const descriptions = parameters.languages.flatMap((code, index) => {
    const text = lineOf(texts[index] ?? '', LIMITS.description);
    return text === ''
      ? []
      : [{ descriptionLanguage: LANGUAGE_NAMES.get(code)!, descriptionText: text }];
  });
  const most = Math.min(parameters.pictures || LIMITS.pictures, LIMITS.pictures);
  const labels = new Map<string, 'plan' | undefined>();
  for (const { url, kind } of pictures.map(pictureOf)) {
    const label = kind === 'floor_plan' ? 'plan' : undefined;
    if (/^https?:\/\/[^\r\n\u2028\u2029]*$/.test(url.trim())) labels.set(url.trim(), label);
  }
  const images = [...labels].slice(0, most).map(([imageUrl, imageLabel], index) => ({
    imageLabel,
    imageOrder: index + 1,
    imageUrl,
  }));
  return {
    propertyDescriptions: descriptions.length > 0 ? descriptions : undefined,
    propertyImages: images.length > 0 ? images : undefined,
  };
}

function addressOf(
  listing: Pick<Listing, 'address' | 'town' | 'location' | 'postcode' | 'country' | 'province'>,
  { policy }: IdealistaParameters,
): Json {
  const { address, town, location, postcode, country } = listing;
  const isExact = (policy?.place ?? 'exact') === 'exact';
  const isSpain = isInSpain(listing) || !country?.trim();
  return {
    addressVisibility: isExact ? 'full' : 'hidden',
    addressStreetName: lineOf(address ?? '', 200) || undefined,
    addressTown: lineOf(town, 50) || undefined,
    addressPostalCode: /^([0-9]{5}|AD[0-9]{3}|[0-9]{4}(-[0-9]{3})?)$/.exec(postcode ?? '')?.[0],
    addressCountry: isSpain ? 'Spain' : LIMITS.countries.find((one) => one === country?.trim()),
    addressCoordinatesPrecision: location === null ? undefined : isExact ? 'exact' : 'moved',
    addressCoordinatesLatitude: location?.latitude,
    addressCoordinatesLongitude: location?.longitude,
  };
}

function featuresOf(property: IdealistaProperty, listing: Listing, isRental: boolean): Json {
  const type = typeOf(listing);
  const kind = typeKind(listing);
  if (kind === 'plot') return { featuresType: type, featuresAreaPlot: listing.plot_area };
  const area = { featuresType: type, featuresAreaConstructed: listing.built_area };
  if (kind === 'parking') return area;
  const { beds, built_area, living_area, plot_area, built_year } = listing;
  const common = {
    ...area,
    featuresAreaUsable: isWithin(living_area, [1, (built_area ?? 0) - 1]) ? living_area : undefined,
    featuresEnergyCertificateRating: ratingOf(listing),
  };
  if (!isHome(listing)) return common;
  const codes = codesOf(property, listing);
  return {
    ...common,
    featuresBathroomNumber: Math.floor(listing.bath),
    ...(beds >= 1 ? { featuresBedroomNumber: beds } : { featuresRooms: 1, featuresStudio: true }),
    featuresAreaPlot:
      kind === 'house' && isWithin(plot_area, LIMITS.plotArea) ? plot_area : undefined,
    featuresBuiltYear: isWithin(built_year, [1_700, 2_100]) ? built_year : undefined,
    featuresConservation: namesFor(CONSERVATION, codes)[0],
    featuresGarden: property.has_garden || undefined,
    featuresParkingAvailable: property.has_garage || undefined,
    featuresPool: listing.has_pool || undefined,
    ...fieldsFor(FEATURES, codes),
    ...(isRental && fieldsFor(RENTALS, codes)),
    ...fieldsFor(FLATS, new Set([listing.builtInType ?? ''])),
  };
}

/** The fields that one of these codes means. */
function fieldsFor(fields: Codes, codes: ReadonlySet<string>): Json {
  return Object.fromEntries(namesFor(fields, codes).map((field) => [field, true]));
}

/** The built-in features that the property's own mean. The directions of a unit replace the property's. */
function codesOf({ unit }: IdealistaProperty, { features }: Listing): Set<string> {
  const codes = features.flatMap(({ builtIn }) => builtIn ?? []);
  if (unit === null) return new Set(codes);
  const ofUnit = directionsIn(unit.directions).map(
    (code) => `${ORIENTATION}: ${COMPASS[code]?.[0]}`,
  );
  return new Set([...codes.filter((code) => !code.startsWith(`${ORIENTATION}: `)), ...ofUnit]);
}

function ratingOf({ consumption, energy_status }: Listing): string | undefined {
  if (/^[A-G]$/.test(consumption)) return consumption;
  if (energy_status === 'exempt') return 'exempt';
  return energy_status === 'in_process' ? 'inProcess' : undefined;
}

/** A text as one line, which the format requires, cut to a number of characters. */
function lineOf(text: string, most: number): string {
  const line = asLine(text);
  return line.length <= most ? line : [...line].slice(0, most).join('').trim();
}
