import type { Context } from 'hono';
import { invalidateFeeds } from '../../feed/invalidation/invalidate.ts';
import { invalidateManifests } from '../../feed/manifest/manifest-cache.ts';
import { Api } from '../../http/api.ts';
import { json, ok } from '../../http/operation.ts';
import { NOT_CACHED } from '../../http/page.ts';
import { describeError, log } from '../../lib/log.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { methodNotAllowed, ProblemError, statusOf, tooManyRequestsError } from '../../problem.ts';
import { LIMIT_PERIOD_SECONDS, mayUpdate } from '../../rate-limits.ts';
import { recordStep } from '../../request-log.ts';
import { A_101, A_102, AT, AVAILABLE, NO_DEVELOPMENT, NO_UNIT, RESERVED } from './examples.ts';
import { limitHistory } from './history.ts';
import { ifMatch, inDevelopment, MAX_UPDATES, unit, unitUpdate, unitUpdates, updateResults } from './schemas.ts';
import { applyUpdate, storedUpdate, type UpdateResult } from './update.ts';
import { applyUpdates, BATCH_SIZE } from './update-many.ts';
import { allowedVersions, unitTag, unitView } from './view.ts';

const UNITS = '/v1/developments/{development_id}/units';
const KIBIBYTE = 1024;

/** Updates the units of developments. */
export const unitWrites = new Api('Units');

unitWrites.operation(
  {
    method: 'post',
    path: `${UNITS}/update-by-name`,
    operationId: 'updateUnitByName',
    summary: 'Update a unit',
    description:
      'Sets status, price and directions of the unit with this name. Every accepted change is recorded in the unit’s ' +
      'history. An update that changes nothing gets a 200 as well: updates are idempotent, so one whose response was lost ' +
      'can be repeated. Every feed requested one second after the response shows the change.',
    middleware: requireScope('units:write'),
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
  },
  async (c) => {
    const { caller } = c.var;
    const versions = allowedVersions(c.req.valid('header')['If-Match']);
    const update = storedUpdate(c.req.valid('json'));
    const startedAt = Date.now();
    const development = c.req.valid('param').development_id;
    const result = await applyUpdate(c.env.DB, caller, development, update, versions).catch((error) => {
      // Even if D1 fails: the write may have been committed.
      invalidateOwnFeeds(c);
      throw error;
    });
    recordStep(c, 'database', startedAt);
    finish(c, development, [result]);
    if ('problem' in result) throw new ProblemError(result.problem);
    return c.json(unitView(result.unit), 200, { ...NOT_CACHED, ETag: unitTag(result.unit) });
  },
);

unitWrites.operation(
  {
    method: 'post',
    path: `${UNITS}/update-many`,
    operationId: 'updateManyUnits',
    summary: 'Update several units',
    description:
      `Up to ${MAX_UPDATES} updates. They are validated separately; the valid ones are applied in order, ${BATCH_SIZE} in each ` +
      'transaction. If the database fails, the results of that transaction and of the following ones are ' +
      '`503 unavailable`: repeat those.',
    middleware: requireScope('units:write'),
    request: { params: inDevelopment, headers: ifMatch, body: json(unitUpdates, 1024 * KIBIBYTE) },
    responses: { 200: ok(updateResults, 'A result for each update, in the order of the request.') },
    problems: {
      precondition_failed: {
        description: '`If-Match` is not supported.',
        detail: 'Only update-by-name supports If-Match.',
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
  },
  async (c) => {
    if (c.req.valid('header')['If-Match'] !== undefined) {
      throw new ProblemError({ code: 'precondition_failed', detail: 'Only update-by-name supports If-Match.' });
    }
    const { caller } = c.var;
    const bodies = c.req.valid('json');
    if (!(await mayUpdate(c.env, caller, bodies.length))) {
      throw tooManyRequestsError(LIMIT_PERIOD_SECONDS);
    }
    const startedAt = Date.now();
    const development = c.req.valid('param').development_id;
    const results = await applyUpdates(c.env.DB, caller, development, bodies, (failure) => {
      logFailure(c, failure);
      // Even if D1 fails: the write may have been committed.
      invalidateOwnFeeds(c);
    });
    recordStep(c, 'database', startedAt);
    finish(c, development, results);
    return c.json({ results: results.map(resultView) }, 200, NOT_CACHED);
  },
);

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

/** What follows from updates: stale feeds are invalidated, and long histories shortened. */
function finish(c: Context<CallerEnv>, development: string, results: readonly UpdateResult[]): void {
  const { accountId } = c.var.caller;
  const applied = results.filter((result) => 'unit' in result);
  if (applied.some(({ changed }) => changed)) {
    invalidateOwnFeeds(
      c,
      applied.some(({ hasWebhooks }) => hasWebhooks),
    );
    // If none did, another isolate may have committed the same update before: only this isolate's manifests can be stale.
  } else if (applied.length > 0) invalidateManifests(accountId);
  limitHistory(c.env, c.executionCtx, { accountId, development }, results);
}

function invalidateOwnFeeds(c: Context<CallerEnv>, hasWebhooks = true): void {
  invalidateFeeds(c.env, c.executionCtx, c.var.caller.accountId, Date.now(), hasWebhooks);
}

function logFailure(c: Context<CallerEnv>, error: unknown): void {
  const { requestId } = c.var;
  log('error', 'dependency.unavailable', { requestId, interface: 'units', error: describeError(error) });
}
