import { z } from 'zod';
import { FEED_ERROR_STATUS } from '../../feed/document/error-document.ts';
import { named } from '../../http/schemas.ts';

/** The XML of a feed, an error or a schema. */
export const feedDocument = named(
  'Feed',
  z.string().meta({
    description: 'XML; the schemas are at `/schemas/feed-v1.xsd` to `/schemas/feed-v3.xsd` and `/schemas/kyero.xsd`.',
  }),
);

export const feedError = named(
  'FeedError',
  z.string().meta({
    description:
      'XML: `<root><error><code/><message/></error></root>`, with its schema at `/schemas/error.xsd`. Codes: ' +
      `${Object.keys(FEED_ERROR_STATUS).join(', ')}.`,
  }),
);
