/** What Idealista's schemas (version 6) allow of the fields that we send. */

const text = (most: number) => ({ type: 'string', pattern: `^.{0,${most}}$` });
const integer = (most: number) => ({ type: 'integer', minimum: 1, maximum: most });
const flags = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`features${name}`, { type: 'boolean' }]));

const object = (required: readonly string[], properties: object, more: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
  ...more,
});

const rating = { enum: [...'ABCDEFG', 'A+', 'exempt', 'inProcess', 'unknown'] };

const features = (
  types: readonly string[],
  required: readonly string[],
  properties: object,
  more: object = {},
) =>
  object(
    ['featuresType', ...required.map((name) => `features${name}`)],
    { featuresType: { enum: types }, ...properties },
    more,
  );

const areas = { featuresAreaConstructed: integer(99_999), featuresAreaUsable: integer(99_999) };

const homes = features(
  [
    ...[
      'flat',
      'house',
      'house_independent',
      'house_semidetached',
      'house_terraced',
      'rustic_house',
    ],
    ...['rustic_village', 'rustic_castle', 'rustic_cortijo'],
  ],
  ['AreaConstructed', 'BathroomNumber'],
  {
    ...areas,
    featuresAreaPlot: integer(99_999_999),
    featuresBathroomNumber: integer(99),
    featuresBedroomNumber: integer(99),
    featuresRooms: integer(99),
    featuresBuiltYear: { type: 'integer', minimum: 1_700, maximum: 2_100 },
    featuresEnergyCertificateRating: rating,
    ...flags(
      'Studio',
      'Garden',
      'Pool',
      'ParkingAvailable',
      'ConditionedAir',
      'LiftAvailable',
      'Terrace',
      'Balcony',
    ),
    ...flags(
      'Storage',
      'Wardrobes',
      'EquippedKitchen',
      'EquippedWithFurniture',
      'Chimney',
      'HandicapAdaptedAccess',
    ),
    ...flags(
      'OrientationNorth',
      'OrientationSouth',
      'OrientationEast',
      'OrientationWest',
      'Duplex',
      'Penthouse',
    ),
    ...flags('Doorman'),
    featuresConservation: { enum: ['new', 'good', 'toRestore'] },
  },
  { anyOf: [{ required: ['featuresRooms'] }, { required: ['featuresBedroomNumber'] }] },
);

const business = { ...areas, featuresEnergyCertificateRating: rating };

const address = object(
  [],
  {
    addressVisibility: { enum: ['full', 'street', 'hidden'] },
    addressStreetName: text(200),
    addressFloor: { type: 'string', pattern: '^(-[1-2]|[1-9]|[1-5][0-9]|60|bj|en|ss|st)$' },
    addressTown: text(50),
    addressPostalCode: {
      type: 'string',
      pattern: '^[0-9]{5}$|^AD[0-9]{3}$|^[0-9]{4}(-[0-9]{3})?$',
    },
    addressCountry: {
      enum: ['Spain', 'Italy', 'Portugal', 'Andorra', 'France', 'Switzerland', 'San Marino'],
    },
    addressCoordinatesPrecision: { enum: ['exact', 'moved'] },
    addressCoordinatesLatitude: { type: 'number', minimum: -90, maximum: 90 },
    addressCoordinatesLongitude: { type: 'number', minimum: -180, maximum: 180 },
  },
  {
    anyOf: [
      { required: ['addressStreetName', 'addressPostalCode', 'addressCountry'] },
      { required: ['addressStreetName', 'addressTown', 'addressCountry'] },
      {
        required: [
          'addressCoordinatesLatitude',
          'addressCoordinatesLongitude',
          'addressCoordinatesPrecision',
        ],
      },
    ],
  },
);

const LANGUAGES = [
  'spanish',
  'italian',
  'portuguese',
  'english',
  'german',
  'french',
  'russian',
  'catalan',
  'finnish',
];

const garage = features(['garage'], ['AreaConstructed'], {
  featuresAreaConstructed: integer(99_999),
});
const premises = features(
  ['premises_industrial', 'premises_commercial'],
  ['AreaConstructed'],
  business,
);
const offices = features(['office'], ['AreaConstructed'], business);

const common = {
  propertyCode: text(50),
  propertyReference: text(50),
  propertyVisibility: { enum: ['idealista'] },
  propertyAddress: address,
  propertyDescriptions: {
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: object(['descriptionLanguage'], {
      descriptionLanguage: { enum: [...LANGUAGES, 'dutch', 'polish', 'swedish', 'danish'] },
      descriptionText: text(4_000),
    }),
  },
  propertyImages: {
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: object(['imageUrl'], {
      imageLabel: { enum: ['plan'] },
      imageOrder: { type: 'integer', minimum: 1, maximum: 200 },
      imageUrl: { type: 'string', pattern: '^(http)(s?)://.*$' },
    }),
  },
};

const operation = object(['operationType', 'operationPrice'], {
  operationType: { enum: ['rent', 'sale'] },
  operationPrice: integer(99_999_999),
  operationPriceCommunity: integer(9_999),
});

const land = features(['land', 'land_urban', 'land_countrynonbuildable'], ['AreaPlot'], {
  featuresAreaPlot: integer(99_999_999),
});
const storage = features(['storage'], ['AreaConstructed'], {
  featuresAreaConstructed: integer(99_999),
});

const property = object(
  ['propertyCode', 'propertyOperation', 'propertyFeatures', 'propertyAddress'],
  {
    ...common,
    propertyFeatures: { oneOf: [homes, land, garage, storage, premises, offices] },
    propertyOperation: operation,
  },
);

const typology = object(['propertyCode'], {
  ...common,
  propertyFeatures: { oneOf: [garage, premises, offices, homes] },
  propertyOperation: operation,
});

const development = object(['propertyCode'], {
  ...common,
  propertyFeatures: object(['featuresNewDevelopmentType', 'featuresNewDevelopmentName'], {
    featuresType: { enum: ['promo'] },
    featuresNewDevelopmentType: {
      enum: ['restored_building', 'new_building', 'house', 'mixed_promos'],
    },
    featuresNewDevelopmentName: text(100),
    featuresFinished: { type: 'boolean' },
    featuresStartDate: {
      type: 'string',
      pattern: '^20[0-9][0-9]/(0[1-9]|1[0-2])/(([0-2][0-9])|(3[0-1]))$',
    },
    featuresKeyDeliveryYear: integer(9_999),
    featuresKeyDeliveryMonth: { type: 'number', minimum: 1, maximum: 12 },
    featuresBuiltPhase: {
      enum: ['land_move', 'foundation', 'carpentry', 'pilot', 'paving', 'equipment', 'keydelivery'],
    },
    featuresEnergyCertificateRating: rating,
  }),
  newDevelopmentTypologies: { type: 'array', uniqueItems: true, items: typology },
});

/** A document. */
export const IDEALISTA_SCHEMA = object(['customerCountry', 'customerCode', 'customerProperties'], {
  customerCountry: { enum: ['Spain', 'Italy', 'Portugal'] },
  customerCode: { type: 'string', pattern: '^ilc([a-z]|[0-9]){40}$' },
  customerContact: object([], {
    contactEmail: {
      type: 'string',
      pattern: '^(([a-zA-Z0-9-_\\.])+)@((?:[a-zA-Z0-9-_]+\\.)+)([a-zA-Z]{2,5})$',
    },
    contactPrimaryPhoneNumber: { type: 'string', pattern: '^[0-9]{5,12}$' },
  }),
  customerProperties: { type: 'array', uniqueItems: true, items: property },
  customerNewDevelopments: { type: 'array', uniqueItems: true, items: development },
});
