/**
 * The topics of a description, in order, a sentence or two each. `{town}`, `{beds}`, `{baths}` and `{built}` are replaced by
 * the property's values.
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

/** The sentences in one language. */
export type Phrases = Readonly<Record<Topic, string>>;
