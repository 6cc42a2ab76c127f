import { findPropertyRevisions } from '../../db/readers/deliveries.ts';
import { Api } from '../../http/api.ts';
import { ok } from '../../http/operation.ts';
import { NOT_CACHED } from '../../http/page.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { ProblemError } from '../../problem.ts';
import { readerHoldings } from '../deliveries/holding.ts';
import { byProperty, propertyDeliveries } from './schemas.ts';

/** Which readers have the current state of a property. */
export const propertyReaders = new Api('Readers');

propertyReaders.operation(
  {
    method: 'get',
    path: '/v1/properties/{property}/deliveries',
    operationId: 'getPropertyDeliveries',
    summary: 'Which readers have a property',
    description:
      'For each reader and feed: since when it has the current state of the property, or when the state that it still has ' +
      'was delivered. HEAD works as well.',
    middleware: requireScope('readers:read'),
    request: { params: byProperty },
    responses: { 200: ok(propertyDeliveries, 'What each reader has.') },
    problems: {
      property_not_found: {
        description: 'the account has no such property.',
        detail: 'The account has no property "R0".',
        request: { path: { property: 'R0' } },
      },
    },
    examples: {
      deliveries: {
        request: { path: { property: 'R4100001' } },
        when: 'the reader exists',
        body: {
          property: 'R4100001',
          deliveries: [{ reader: 'idealista', feed: null, state: 'never delivered' }],
        },
      },
    },
  },
  async (c) => {
    const { accountId } = c.var.caller;
    const { property } = c.req.valid('param');
    const changed = await findPropertyRevisions(c.env.DB, accountId, property);
    if (changed === null) {
      const detail = `The account has no property ${JSON.stringify(property)}.`;
      throw new ProblemError({ code: 'property_not_found', detail });
    }
    const deliveries = await readerHoldings(c.env.DB, accountId, changed);
    return c.json({ property, deliveries }, 200, NOT_CACHED);
  },
);
