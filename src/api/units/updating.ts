import type { Context } from 'hono';
import { invalidating } from '../../feed/invalidation/invalidate.ts';
import { invalidateManifests } from '../../feed/manifest/manifest-cache.ts';
import { Api, limitChanges } from '../../http/api.ts';
import { json, ok } from '../../http/operation.ts';
import { describeError, log } from '../../lib/log.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { methodNotAllowed, ProblemError, statusOf } from '../../problem.ts';
import { recordStep } from '../../request-log.ts';
import { A_101, A_102, AT, AVAILABLE, NO_DEVELOPMENT, NO_UNIT, RESERVED } from './examples.ts';
import { limitHistory } from './history.ts';
import { ifMatch, inDevelopment, MAX_UPDATES, unit, unitUpdate, unitUpdates, updateResults } from './schemas.ts';
import { applyUpdate, applyUpdates, BATCH_SIZE, storedUpdate, type UpdateResult } from './update.ts';
import { allowedVersions, unitAnswer, unitView } from './view.ts';

const UNITS = '/v1/developments/{development_id}/units';
const KIBIBYTE = 1024;
const WRITE = requireScope('units:write');
const NO_CONDITION = 'Only update-by-name supports If-Match.';

/** Updates the units of developments. */
export const unitWrites = new Api('Units');

unitWrites.write({
  method: 'post',
  path: `${UNITS}/update-by-name`,
  operationId: 'updateUnitByName',
  summary: 'Update a unit',
  description:
    'Sets status, price and directions of the unit with this name. Every accepted change is recorded in the unit’s ' +
    'history. An update that changes nothing gets a 200 as well: updates are idempotent, so one whose response was lost ' +
    'can be repeated. Every feed requested one second after the response shows the change.',
  middleware: WRITE,
  limited: true,
  request: { params: inDevelopment, headers: ifMatch, body: json(unitUpdate, 64 * KIBIBYTE) },
  responses: { 200: ok(unit, 'The unit’s current state.', 'ETag') },
  problems: {
    development_not_found: { ...NO_DEVELOPMENT, request: { ...NO_DEVELOPMENT.request, body: RESERVED } },
    unit_not_found: { ...NO_UNIT, request: { ...AT, body: { ...RESERVED, UntName: 'Z-999' } } },
    precondition_failed: {
      description: 'the unit has another version than `If-Match` requires.',
      detail: 'The unit has version 2.',
      request: { ...AT, headers: { 'If-Match': '"1"' }, body: AVAILABLE },
    },
    invalid_fields: {
      request: { ...AT, body: { UntName: 'A-101', UntStatus: 3, UntPrice: 325_000 } },
      errors: [
        { pointer: '/UntStatus', detail: 'must be 1, 2, 4 or 8' },
        { pointer: '/UntDirections', detail: 'is missing' },
      ],
    },
  },
  examples: { updated: { request: { ...AT, body: RESERVED }, body: A_101 } },
  handle: async (c, { params: { development_id: development }, headers, body }) => {
    const versions = allowedVersions(headers['If-Match']);
    const update = applyUpdate(c.env.DB, c.var.caller, development, storedUpdate(body), versions);
    const [result] = await updating(
      c,
      development,
      update.then((one) => [one]),
    );
    return unitAnswer(result!);
  },
});

unitWrites.write({
  method: 'post',
  path: `${UNITS}/update-many`,
  operationId: 'updateManyUnits',
  summary: 'Update several units',
  description:
    `Up to ${MAX_UPDATES} updates. They are validated separately; the valid ones are applied in order, ${BATCH_SIZE} in each ` +
    'transaction. If the database fails, the results of that transaction and of the following ones are ' +
    '`503 unavailable`: repeat those.',
  middleware: WRITE,
  request: { params: inDevelopment, headers: ifMatch, body: json(unitUpdates, 1024 * KIBIBYTE) },
  responses: { 200: ok(updateResults, 'A result for each update, in the order of the request.') },
  problems: {
    precondition_failed: {
      description: '`If-Match` is not supported.',
      detail: NO_CONDITION,
      request: { ...AT, headers: { 'If-Match': '"1"' }, body: [] },
    },
    too_many_requests: {},
    invalid_fields: {
      request: { ...AT, body: RESERVED },
      errors: [{ pointer: '', detail: `must be an array of at most ${MAX_UPDATES} objects` }],
    },
  },
  examples: {
    results: {
      request: {
        ...AT,
        body: [{ ...RESERVED, UntName: 'A-102', UntStatus: 4 }, RESERVED, { ...RESERVED, UntName: 'Z-999' }],
      },
      body: {
        results: [
          { status: 200, code: 'changed', unit: A_102 },
          { status: 200, code: 'unchanged', unit: A_101 },
          { status: 404, code: 'unit_not_found', detail: NO_UNIT.detail },
        ],
      },
    },
  },
  handle: async (c, { params: { development_id: development }, headers, body }) => {
    if (headers['If-Match'] !== undefined) {
      throw new ProblemError({ code: 'precondition_failed', detail: NO_CONDITION });
    }
    await limitChanges(c, body.length);
    const onFailure = (error: unknown) => {
      const { requestId } = c.var;
      log('error', 'dependency.unavailable', { requestId, interface: 'units', error: describeError(error) });
    };
    const write = applyUpdates(c.env.DB, c.var.caller, development, body, onFailure);
    const results = await updating(c, development, write);
    return { body: { results: results.map(resultView) } };
  },
});

// Otherwise a unit of this name could be read.
unitWrites.on(
  'ALL',
  ['update-by-name', 'update-many'].map((name) => `/v1/developments/:id/units/${name}`),
  () => methodNotAllowed('POST'),
);

function resultView(result: UpdateResult) {
  if ('problem' in result) return { status: statusOf(result.problem), ...result.problem };
  return { status: 200, code: result.changed ? 'changed' : 'unchanged', unit: unitView(result.unit) } as const;
}

/** Waits for updates. Stale feeds are invalidated, and long histories shortened. */
async function updating(
  c: Context<CallerEnv>,
  development: string,
  updates: Promise<UpdateResult[]>,
): Promise<UpdateResult[]> {
  const { accountId } = c.var.caller;
  const startedAt = Date.now();
  const results = await invalidating(c, accountId, updates, outcomeOf);
  recordStep(c, 'database', startedAt);
  // Another isolate may have committed the same update before: then only this isolate's manifests can be stale.
  if (results.some((result) => 'unit' in result)) invalidateManifests(accountId);
  limitHistory(c.env, c.executionCtx, { accountId, development }, results);
  return results;
}

function outcomeOf(results: readonly UpdateResult[]) {
  // Those that have failed may have been committed.
  const changed = results.filter((result) =>
    'unit' in result ? result.changed : result.problem.code === 'unavailable',
  );
  return {
    changed: changed.length > 0,
    hasWebhooks: changed.some((result) => !('unit' in result) || result.hasWebhooks),
  };
}
