import type { DocumentedResponse, ExampleRequest, Operation, Parameter } from './operation.ts';
import { LOGGED, methodNotAllowed, problem, tokenProblems } from './problems.ts';
import { badPage, invalidFields, JSON_TYPE, ok, PAGE, withBody } from './responses.ts';
import {
  developments,
  unit as unitSchema,
  units,
  unitUpdate,
  unitUpdates,
  unitWithChanges,
  updateResults,
} from './schemas/units.ts';

const LIST = '/v1/developments';
const UNITS = `${LIST}/{development_id}/units`;

const DEVELOPMENT: Parameter = {
  name: 'development_id',
  in: 'path',
  required: true,
  description: 'The development’s identifier.',
  schema: { type: 'string', minLength: 1 },
  example: 'sol-azul',
};

const UNIT: Parameter = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'The unit’s name, percent-encoded.',
  schema: { type: 'string', minLength: 1 },
  example: 'A-101',
};

/** What a failing database asks of a caller. */
const RETRY_UPDATES = 'Retry later; updates are idempotent.';

const AT = { path: { development_id: 'sol-azul' } };
const AT_UNIT = { path: { development_id: 'sol-azul', name: 'A-101' } };
const ELSEWHERE = { path: { development_id: 'elsewhere', name: 'A-101' } };

const RESERVED = { UntName: 'A-101', UntStatus: 8, UntPrice: 325_000, UntDirections: [['S', 'SE']] };
const AVAILABLE = { ...RESERVED, UntStatus: 1, UntPrice: 315_000, UntDirections: [] };
const UPDATED_AT = '2026-11-01T09:30:00Z';
const OF_SOL_AZUL = { development_id: 'sol-azul' };
export const A_101 = { ...OF_SOL_AZUL, ...RESERVED, version: 2, changed_at: UPDATED_AT };
const A_102 = { ...OF_SOL_AZUL, ...RESERVED, UntName: 'A-102', UntStatus: 4, version: 2, changed_at: UPDATED_AT };

function noDevelopment(request: ExampleRequest): DocumentedResponse {
  return problem(
    'development_not_found',
    'the account has no such development.',
    'The account has no development "elsewhere".',
    { name: 'developmentNotFound', request },
  );
}

function noUnit(request: ExampleRequest): DocumentedResponse {
  return problem(
    'unit_not_found',
    'the development has no such unit.',
    'The development "sol-azul" has no unit named "Z-999".',
    { name: 'unitNotFound', request },
  );
}

const NOT_MODIFIED = {
  status: 304,
  description: 'The unit still has the `ETag` of `If-None-Match`.',
  headers: ['ETag', 'Cache-Control', ...LOGGED] as const,
};

const UPDATE = { ...AT, body: RESERVED };
const UPDATES = { ...AT, body: [{ ...RESERVED, UntName: 'A-102', UntStatus: 4 }] };

/** Operations of developments and their units. */
export const UNIT_OPERATIONS: readonly Operation[] = [
  {
    path: `${UNITS}/update-by-name`,
    method: 'post',
    id: 'updateUnitByName',
    tag: 'Units',
    summary: 'Update a unit',
    description:
      'Sets status, price and directions of the unit with this name. Every accepted change is recorded in the unit’s ' +
      'history. An update that changes nothing gets a 200 as well: updates are idempotent, so one whose response was lost ' +
      'can be repeated. Every feed requested one second after the response shows the change.',
    security: ['unitsWrite'],
    parameters: [
      DEVELOPMENT,
      {
        name: 'If-Match',
        in: 'header',
        description:
          'The `ETag` of the unit: 412 if it has changed since, unless this update has already been applied.',
        schema: { type: 'string' },
        example: '"1"',
      },
    ],
    body: { schema: unitUpdate, mediaTypes: [JSON_TYPE] },
    responses: [
      ok(['ETag'], {
        description: 'The unit’s current state.',
        content: { mediaType: JSON_TYPE, schema: unitSchema },
        examples: [{ name: 'updated', request: UPDATE, body: A_101 }],
      }),
      ...tokenProblems('units:write', UPDATE, RETRY_UPDATES),
      ...withBody(UPDATE, 64),
      noDevelopment({ ...ELSEWHERE, body: RESERVED }),
      noUnit({ ...AT, body: { ...RESERVED, UntName: 'Z-999' } }),
      methodNotAllowed('POST', AT),
      problem(
        'precondition_failed',
        'the unit has another version than `If-Match` requires.',
        'The unit has version 2.',
        {
          name: 'preconditionFailed',
          request: { ...AT, headers: { 'If-Match': '"1"' }, body: AVAILABLE },
        },
      ),
      invalidFields(
        { ...AT, body: { UntName: 'A-101', UntStatus: 3, UntPrice: 325_000 } },
        { pointer: '/UntStatus', detail: 'must be 1, 2, 4 or 8' },
        { pointer: '/UntDirections', detail: 'is missing' },
      ),
    ],
  },
  {
    path: `${UNITS}/update-many`,
    method: 'post',
    id: 'updateManyUnits',
    tag: 'Units',
    summary: 'Update several units',
    description:
      'Up to 500 updates. They are validated separately; the valid ones are applied in order, 100 in each transaction. If ' +
      'the database fails, the results of that transaction and of the following ones are `503 unavailable`: repeat those.',
    security: ['unitsWrite'],
    parameters: [DEVELOPMENT],
    body: { schema: unitUpdates, mediaTypes: [JSON_TYPE] },
    responses: [
      ok([], {
        description: 'A result for each update, in the order of the request.',
        content: { mediaType: JSON_TYPE, schema: updateResults },
        examples: [
          {
            name: 'results',
            request: {
              ...AT,
              body: [
                { ...RESERVED, UntName: 'A-102', UntStatus: 4 },
                RESERVED,
                { ...RESERVED, UntName: 'Z-999' },
                { ...RESERVED, UntStatus: 3 },
              ],
            },
            body: {
              results: [
                { status: 200, code: 'changed', unit: A_102 },
                { status: 200, code: 'unchanged', unit: A_101 },
                {
                  status: 404,
                  code: 'unit_not_found',
                  detail: 'The development "sol-azul" has no unit named "Z-999".',
                },
                {
                  status: 422,
                  code: 'invalid_fields',
                  detail: 'See errors for the invalid fields.',
                  errors: [{ pointer: '/UntStatus', detail: 'must be 1, 2, 4 or 8' }],
                },
              ],
            },
          },
        ],
      }),
      ...tokenProblems('units:write', UPDATES, RETRY_UPDATES).filter(({ status }) => status !== 503),
      problem(
        'unavailable',
        'the database, a setting or the token issuer fails before any update is attempted.',
        RETRY_UPDATES,
        { name: 'unavailable', request: UPDATES, when: 'the database fails' },
        ['Retry-After'],
      ),
      ...withBody(UPDATES, 1024),
      methodNotAllowed('POST', AT),
      problem('precondition_failed', '`If-Match` is not supported.', 'Only update-by-name supports If-Match.', {
        name: 'preconditionFailed',
        request: { ...UPDATES, headers: { 'If-Match': '"1"' } },
      }),
      problem(
        'invalid_fields',
        'the body is not an array of at most 500 updates.',
        'See errors for the invalid fields.',
        { name: 'invalidFields', request: { ...AT, body: RESERVED } },
        [],
        [{ pointer: '', detail: 'must be an array of at most 500 objects' }],
      ),
    ],
  },
  {
    path: LIST,
    method: 'get',
    id: 'listDevelopments',
    tag: 'Units',
    summary: 'List developments',
    description: 'Ordered by identifier. HEAD works as well.',
    security: ['unitsRead'],
    parameters: PAGE,
    responses: [
      ok(['Link'], {
        description: 'The account’s developments.',
        content: { mediaType: JSON_TYPE, schema: developments },
        examples: [
          {
            name: 'developments',
            body: { developments: [{ development_id: 'sol-azul', name: 'Sol Azul', units: 2 }] },
          },
        ],
      }),
      badPage({}),
      ...tokenProblems('units:read', {}, RETRY_UPDATES),
      methodNotAllowed('GET, HEAD', {}),
    ],
  },
  {
    path: UNITS,
    method: 'get',
    id: 'listUnits',
    tag: 'Units',
    summary: 'List the units of a development',
    description: 'Ordered by name. HEAD works as well.',
    security: ['unitsRead'],
    parameters: [DEVELOPMENT, ...PAGE],
    responses: [
      ok(['Link'], {
        description: 'The development’s units.',
        content: { mediaType: JSON_TYPE, schema: units },
        examples: [
          { name: 'units', request: AT, body: { units: [A_101, A_102] } },
          { name: 'firstPage', request: { ...AT, query: { limit: '1' } }, body: { units: [A_101] } },
        ],
      }),
      badPage(AT),
      ...tokenProblems('units:read', AT, RETRY_UPDATES),
      noDevelopment(ELSEWHERE),
      methodNotAllowed('GET, HEAD', AT),
    ],
  },
  {
    path: `${UNITS}/{name}`,
    method: 'get',
    id: 'getUnit',
    tag: 'Units',
    summary: 'A unit and its last changes',
    description:
      'With its last 20 changes. HEAD works as well. A unit cannot be read if its name is empty, `.`, `..`, ' +
      '`update-by-name` or `update-many`; it can be listed and updated.',
    security: ['unitsRead'],
    parameters: [
      DEVELOPMENT,
      UNIT,
      {
        name: 'If-None-Match',
        in: 'header',
        description: 'The `ETag` of the last response: 304 if the unit is the same.',
        schema: { type: 'string' },
        example: '"2"',
      },
    ],
    responses: [
      ok(['ETag'], {
        description: 'The unit.',
        content: { mediaType: JSON_TYPE, schema: unitWithChanges },
        examples: [
          {
            name: 'unit',
            request: AT_UNIT,
            body: {
              ...A_101,
              changes: [
                {
                  changed_at: UPDATED_AT,
                  client_id: 'demo-client',
                  from: { UntStatus: 1, UntPrice: 310_000, UntDirections: [] },
                  to: { UntStatus: 8, UntPrice: 325_000, UntDirections: [['S', 'SE']] },
                },
              ],
            },
          },
        ],
      }),
      {
        ...NOT_MODIFIED,
        examples: [{ name: 'notModified', request: { ...AT_UNIT, headers: { 'If-None-Match': '"2"' } } }],
      },
      ...tokenProblems('units:read', AT_UNIT, RETRY_UPDATES),
      noDevelopment(ELSEWHERE),
      noUnit({ path: { development_id: 'sol-azul', name: 'Z-999' } }),
      methodNotAllowed('GET, HEAD', AT_UNIT),
      problem('precondition_failed', 'the unit has another `ETag` than `If-Match`.', 'The unit has version 2.', {
        name: 'preconditionFailed',
        request: { ...AT_UNIT, headers: { 'If-Match': '"1"' } },
      }),
    ],
  },
];
