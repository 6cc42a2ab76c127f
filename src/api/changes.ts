import { MAX_WAIT_SECONDS } from '../changes/wait.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../http/page.ts';
import { A_101 } from '../units/examples.ts';
import type { Operation, Parameter } from './operation.ts';
import { methodNotAllowed, problem, RETRY, tokenProblems } from './problems.ts';
import { JSON_TYPE, ok } from './responses.ts';
import { propertyChanges, unitChanges } from './schemas/changes.ts';

const PARAMETERS: readonly Parameter[] = [
  {
    name: 'after',
    in: 'query',
    description: 'The `next` of the last response. Without it, everything that is listed.',
    schema: { type: 'string' },
  },
  {
    name: 'limit',
    in: 'query',
    description: 'Changes of a response.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  {
    name: 'Prefer',
    in: 'header',
    description: `\`wait=30\` (RFC 7240): a response without a change is held for up to ${MAX_WAIT_SECONDS} seconds, until there is one.`,
    schema: { type: 'string' },
  },
];

const WRONG = { headers: { Authorization: `Basic ${btoa('OWNPROPERTIES@DEMO:wrong')}` } };

const BAD_PARAMETERS = problem(
  'bad_parameter',
  '`limit` or `after` is invalid.',
  `limit must be an integer from 1 to ${MAX_LIMIT}.`,
  { name: 'badParameter', request: { query: { limit: '0' } } },
);

function expired(cursor: string) {
  return problem(
    'cursor_expired',
    'the database has been restored, or the caller sees something else than before.',
    'It was given for another account, channel or selection. Begin again without after: the first load contains everything that is listed.',
    { name: 'cursorExpired', request: { query: { after: cursor } } },
  );
}

/** Operations of programs that follow an account. */
export const CHANGE_OPERATIONS: readonly Operation[] = [
  {
    path: '/v1/changes',
    method: 'get',
    id: 'listChanges',
    tag: 'Changes',
    summary: 'What has changed in an agency’s properties',
    description:
      'Each property that has changed since a request, once, as it is now; or that it was removed: sold, withdrawn, ' +
      'deleted, or no longer in the reader’s channel or selection. The first load and following it are the same request: ' +
      'begin without `after`, and pass `next` from then on. The credentials are a token with the scope `properties:read`, ' +
      'or by Basic those of a reader, who gets its channel and what its preset selects. HEAD works as well.',
    security: ['propertiesRead', 'feedBasic'],
    parameters: PARAMETERS,
    responses: [
      ok([], {
        description: 'Changes, in their order.',
        content: { mediaType: JSON_TYPE, schema: propertyChanges },
        examples: [{ name: 'changes' }],
      }),
      BAD_PARAMETERS,
      problem(
        'bad_credentials',
        'the key is not that of a reader.',
        "Send the account's code and a reader's key.",
        { name: 'badCredentials', request: WRONG },
        ['WWW-Authenticate'],
      ),
      expired(btoa('1.0.0.p-0').replace(/=+$/, '')),
      ...tokenProblems('properties:read', {}, RETRY),
      methodNotAllowed('GET, HEAD', {}),
    ],
  },
  {
    path: '/v1/units/changes',
    method: 'get',
    id: 'listUnitChanges',
    tag: 'Changes',
    summary: 'What has changed in the units of developments',
    description:
      'Each unit that has changed since a request, once, as it is now; or that it was removed. As with properties, begin ' +
      'without `after`, and pass `next` from then on. HEAD works as well.',
    security: ['unitsRead'],
    parameters: PARAMETERS,
    responses: [
      ok([], {
        description: 'Changes, in their order.',
        content: { mediaType: JSON_TYPE, schema: unitChanges },
        examples: [
          {
            name: 'changes',
            request: { query: { limit: '1' } },
            body: {
              changes: [{ kind: 'changed', number: 1, unit: A_101 }],
              next: 'MS4xLjMudS0x',
              has_more: true,
              as_of: '2026-11-01T09:30:00Z',
            },
          },
        ],
      }),
      BAD_PARAMETERS,
      expired(btoa('1.0.0.u-0').replace(/=+$/, '')),
      ...tokenProblems('units:read', {}, RETRY),
      methodNotAllowed('GET, HEAD', {}),
    ],
  },
];
