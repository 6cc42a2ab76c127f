import type { Operation, Parameter } from './operation.ts';
import { methodNotAllowed, problem, RETRY, tokenProblems } from './problems.ts';
import { JSON_TYPE, ok } from './responses.ts';
import { propertyDeliveries } from './schemas/readers.ts';

const PROPERTY: Parameter = {
  name: 'property',
  in: 'path',
  required: true,
  description: 'The property’s identifier, percent-encoded.',
  schema: { type: 'string', minLength: 1 },
  example: 'R4100001',
};

const AT = { path: { property: 'R4100001' } };

/** Operations of deliveries. */
export const DELIVERY_OPERATIONS: readonly Operation[] = [
  {
    path: '/v1/properties/{property}/deliveries',
    method: 'get',
    id: 'getPropertyDeliveries',
    tag: 'Readers',
    summary: 'Which readers have a property',
    description:
      'For each reader and feed: since when it has the current state of the property, or when the state that it still has ' +
      'was delivered. HEAD works as well.',
    security: ['readersRead'],
    parameters: [PROPERTY],
    responses: [
      ok([], {
        description: 'What each reader has.',
        content: { mediaType: JSON_TYPE, schema: propertyDeliveries },
        examples: [
          {
            name: 'deliveries',
            request: AT,
            when: 'the reader exists',
            body: {
              property: 'R4100001',
              deliveries: [{ reader: 'idealista', feed: null, state: 'never delivered' }],
            },
          },
        ],
      }),
      ...tokenProblems('readers:read', AT, RETRY),
      problem('property_not_found', 'the account has no such property.', 'The account has no property "R0".', {
        name: 'propertyNotFound',
        request: { path: { property: 'R0' } },
      }),
      methodNotAllowed('GET, HEAD', AT),
    ],
  },
];
