/**
 * What a description can speak of, in the order in which it does, a sentence or two each. `{town}`, `{beds}`, `{baths}`
 * and `{built}` stand for the property's own.
 */
export const TOPICS = [
  'facts',
  'beach',
  'golf',
  'town',
  'countryside',
  'plot',
  'light',
  'living',
  'kitchen',
  'bedrooms',
  'bathrooms',
  'workspace',
  'terrace',
  'sea',
  'mountain',
  'pool',
  'garden',
  'garage',
  'climate',
  'newBuild',
  'community',
  'amenities',
  'airport',
  'schools',
  'sunshine',
  'market',
  'rental',
  'viewing',
] as const;

export type Topic = (typeof TOPICS)[number];

/** One language's sentences. */
export type Phrases = Readonly<Record<Topic, string>>;
