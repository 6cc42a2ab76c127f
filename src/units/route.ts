import type { Context } from 'hono';
import { clientWriter } from '../accounts/actor.ts';
import { NOT_CACHED, REVALIDATED } from '../api/headers.ts';
import { isUnchanged, json, KIB, limitChanges, pageOf, pageQuery } from '../api/requests.ts';
import {
  body,
  clientChanges,
  clientReads,
  error,
  errors,
  fields,
  ok,
  page,
  unchanged,
} from '../api/responses.ts';
import { createRoute, Router } from '../api/router.ts';
import { readCondition, validateQuery } from '../api/schemas.ts';
import { validate } from '../api/validation.ts';
import { describeError, log } from '../lib/log.ts';
import { isUnavailable } from '../lib/unavailable.ts';
import { message } from '../messages/messages.ts';
import { type CallerEnv, withScope } from '../oauth/bearer.ts';
import {
  existing,
  invalidFields,
  methodNotAllowed,
  notFound,
  type Problem,
  ProblemError,
  statusOf,
} from '../problem.ts';
import { type DeliveredState, listDeliveredStates } from '../readers/api/delivered-state.ts';
import { recordStep } from '../request-log.ts';
import {
  DEVELOPMENT,
  DEVELOPMENT_STATE,
  DEVELOPMENTS,
  NO_DEVELOPMENT,
  NO_UNIT,
  RETRY,
  servesUnits,
  UNIT,
  UNITS,
  UPDATED,
  VALUES,
} from './api.ts';
import { listDevelopments } from './developments.ts';
import * as schemas from './schemas.ts';
import { listUnits, readUnit, similarUnits, type UnitAddress } from './units.ts';
import {
  applyUpdate,
  applyUpdates,
  storedValues,
  type UpdateResult,
  versionMismatch,
} from './update.ts';
import {
  allowedVersions,
  changeView,
  developmentView,
  readDevelopment,
  unitTag,
  unitView,
} from './view.ts';

/** Updates per transaction: others wait for the database only briefly. */
const BATCH_SIZE = 100;

const LAST_CHANGES = 20;

const READ_ERRORS = clientReads('units:read', RETRY);
const UPDATE_ERRORS = clientChanges('units:write', RETRY);

const UPDATE = { UntName: 'A-101', ...VALUES };
const ANOTHER = { ...UPDATED, UntName: 'A-102', UntStatus: 4 } as const;

/** Updates and reads the units of developments. */
export const units = new Router();

units.use(`${DEVELOPMENTS}/*`, servesUnits);

const READ = { tags: ['Units'], ...withScope('units:read') };
const UPDATE_UNITS = { tags: ['Units'], ...withScope('units:write') };

const updateUnitByName = createRoute({
  method: 'post',
  path: `${UNITS}/update-by-name`,
  operationId: 'updateUnitByName',
  summary: 'Update a unit',
  description:
    'Sets status, price and directions of the unit with this name. Every accepted change is ' +
    'recorded in the unit’s history. An update that changes nothing gets a 200 as well: updates ' +
    'are idempotent, so one whose response was lost can be repeated. Every feed requested one ' +
    'second after the response shows the change.',
  ...UPDATE_UNITS,
  request: {
    params: schemas.inDevelopment,
    query: validateQuery,
    headers: schemas.ifMatch,
    body: json(schemas.unitUpdate, 64 * KIB, { updated: UPDATE }),
  },
  responses: {
    200: ok(schemas.unit, 'The unit’s current state.', {
      headers: ['ETag'],
      examples: { updated: UPDATED },
    }),
    ...errors(
      UPDATE_ERRORS,
      body(64 * KIB),
      fields({
        '/UntStatus': message('not_one_of', { allowed: [1, 2, 4, 8] }),
        '/UntDirections': message('missing'),
      }),
      NO_DEVELOPMENT,
      error(
        'unit_not_found',
        'the development has no such unit.',
        'The development "sol-azul" has no unit named "Z-999".',
      ),
      error(
        'precondition_failed',
        'the unit has another version than `If-Match` requires.',
        'The unit has version 2.',
      ),
    ),
  },
});

units.openapi(updateUnitByName, async (c) => {
  const { development_id: development } = c.req.valid('param');
  const given = c.req.valid('json');
  await limitChanges(c);
  const startedAt = Date.now();
  const update = { name: given.UntName, values: storedValues(given) };
  const versions = allowedVersions(c.req.valid('header')['If-Match']);
  const { validate: isTrial } = c.req.valid('query');
  const writer = clientWriter(c.var.caller);
  const unit = await applyUpdate(c, writer, development, update, versions, isTrial);
  recordStep(c, 'database', startedAt);
  const headers = { ...NOT_CACHED, ...(!isTrial && { ETag: unitTag(unit) }) };
  return c.json(unitView(unit), 200, headers);
});

const updateManyUnits = createRoute({
  method: 'post',
  path: `${UNITS}/update-many`,
  operationId: 'updateManyUnits',
  summary: 'Update several units',
  description:
    `Up to ${schemas.MAX_UPDATES} updates. They are validated separately; the valid ones are ` +
    `applied in order, ${BATCH_SIZE} in each ` +
    'transaction. If the database fails, the results of that transaction and of the following ' +
    'ones are `503 unavailable`: repeat those.',
  ...UPDATE_UNITS,
  request: {
    params: schemas.inDevelopment,
    query: validateQuery,
    headers: schemas.noIfMatch,
    body: json(schemas.unitUpdates, 1024 * KIB, {
      results: [
        { ...UPDATE, UntName: 'A-102', UntStatus: 4 },
        UPDATE,
        { ...UPDATE, UntName: 'Z-999' },
      ],
    }),
  },
  responses: {
    200: ok(schemas.updateResults, 'A result for each update, in the order of the request.', {
      examples: {
        results: {
          results: [
            { status: 200, code: 'changed', unit: ANOTHER },
            { status: 200, code: 'unchanged', unit: UPDATED },
            { status: 404, ...schemas.unitNotFound('no unit', 'sol-azul', 'Z-999') },
          ],
        },
      },
    }),
    ...errors(
      UPDATE_ERRORS,
      body(1024 * KIB),
      fields({ '': message('not_array') }),
      error(
        'precondition_failed',
        '`If-Match` is not supported.',
        'update-many does not support If-Match.',
      ),
    ),
  },
});

units.openapi(updateManyUnits, async (c) => {
  const { development_id: development } = c.req.valid('param');
  const given = c.req.valid('json');
  if (c.req.valid('header')['If-Match'] !== undefined) {
    throw new ProblemError({
      code: 'precondition_failed',
      detail: 'update-many does not support If-Match.',
    });
  }
  await limitChanges(c, given.length);
  const startedAt = Date.now();
  const parsed = given.map((one) => validate(schemas.unitUpdate, one));
  const updates = parsed.flatMap((one) =>
    'value' in one ? { name: one.value.UntName, values: storedValues(one.value) } : [],
  );
  const { validate: isTrial } = c.req.valid('query');
  const writer = clientWriter(c.var.caller);
  const results: UpdateResult[] = [];
  try {
    for (let start = 0; start < updates.length; start += BATCH_SIZE) {
      const batch = updates.slice(start, start + BATCH_SIZE);
      results.push(...(await applyUpdates(c, writer, development, batch, undefined, isTrial)));
    }
  } catch (error) {
    // The remaining updates are not attempted: they would wait for the same failure.
    if (!isUnavailable(error)) throw error;
    const { requestId } = c.var;
    log('error', 'dependency.unavailable', {
      requestId,
      interface: 'units',
      error: describeError(error),
    });
  }
  recordStep(c, 'database', startedAt);
  const applied = results.values();
  const all = parsed.map((one): UpdateResult => {
    if ('errors' in one) return { problem: invalidFields(one.errors) };
    return applied.next().value ?? { problem: NOT_APPLIED };
  });
  return c.json({ results: all.map(resultView) }, 200, NOT_CACHED);
});

/** For an update that failed or was not attempted. */
const NOT_APPLIED: Problem = {
  code: 'unavailable',
  detail: 'Repeat this update; updates are idempotent.',
};

function resultView(result: UpdateResult) {
  if ('problem' in result) return { status: statusOf(result.problem), ...result.problem };
  return {
    status: 200,
    code: result.changed ? 'changed' : 'unchanged',
    unit: unitView(result.unit),
  } as const;
}

// Otherwise a unit of this name could be read.
units.on(
  'ALL',
  ['update-by-name', 'update-many'].map((name) => `/v1/developments/:id/units/${name}`),
  () => methodNotAllowed('POST'),
);

const getDevelopments = createRoute({
  method: 'get',
  path: DEVELOPMENTS,
  operationId: 'listDevelopments',
  summary: 'List developments',
  description: 'Ordered by identifier.',
  ...READ,
  request: { query: pageQuery },
  responses: {
    200: ok(schemas.developments, 'The account’s developments.', {
      headers: ['Link'],
      examples: { developments: { developments: [DEVELOPMENT_STATE] } },
    }),
    ...errors(READ_ERRORS, page),
  },
});

units.openapi(getDevelopments, async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const found = await listDevelopments(c.env.DB, c.var.caller.accountId, cursor, limit + 1);
  const { entries, headers } = pageOf(c, found, limit, ({ id }) => id);
  return c.json({ developments: entries.map(developmentView) }, 200, headers);
});

const getDevelopment = createRoute({
  method: 'get',
  path: DEVELOPMENT,
  operationId: 'getDevelopment',
  summary: 'Get a development',
  ...READ,
  request: { params: schemas.inDevelopment },
  responses: {
    200: ok(schemas.developmentWithDetails, 'The development.', {
      examples: { development: DEVELOPMENT_STATE },
    }),
    ...errors(READ_ERRORS, NO_DEVELOPMENT),
  },
});

units.openapi(getDevelopment, async (c) => {
  const { development_id: id } = c.req.valid('param');
  return c.json(await readDevelopment(c, id), 200, REVALIDATED);
});

const getUnits = createRoute({
  method: 'get',
  path: UNITS,
  operationId: 'listUnits',
  summary: 'List the units of a development',
  description: 'Ordered by name.',
  ...READ,
  request: { params: schemas.inDevelopment, query: pageQuery },
  responses: {
    200: ok(schemas.units, 'The development’s units.', {
      headers: ['Link'],
      examples: { units: { units: [UPDATED, ANOTHER] }, firstPage: { units: [UPDATED] } },
    }),
    ...errors(READ_ERRORS, page, NO_DEVELOPMENT),
  },
});

units.openapi(getUnits, async (c) => {
  const { development_id: id } = c.req.valid('param');
  const { limit, cursor } = c.req.valid('query');
  const all = await listUnits(c.env.DB, c.var.caller.accountId, id, cursor, limit + 1);
  const found = existing(all, notFound('development', id));
  const { entries, headers } = pageOf(c, found, limit, ({ name }) => name);
  return c.json({ units: entries.map(unitView) }, 200, headers);
});

const getUnit = createRoute({
  method: 'get',
  path: UNIT,
  operationId: 'getUnit',
  summary: 'Get a unit',
  description:
    `Its values and its last ${LAST_CHANGES} changes. A unit cannot be read if its name is ` +
    'empty, `.`, `..`, ' +
    '`update-by-name` or `update-many`; it can be listed and updated.',
  ...READ,
  request: {
    params: schemas.ofUnit,
    headers: readCondition.extend(schemas.ifUnchanged.pick({ 'If-Match': true }).shape),
  },
  responses: {
    200: ok(schemas.unitWithChanges, 'The unit.', {
      headers: ['ETag'],
      examples: {
        unit: {
          ...UPDATED,
          changes: [
            {
              changed_at: '2026-11-01T09:30:00Z',
              client_id: 'demo-client',
              from: { UntStatus: 1, UntPrice: 310_000, UntDirections: [] },
              to: VALUES,
            },
          ],
        },
      },
    }),
    304: unchanged,
    ...errors(
      READ_ERRORS,
      NO_DEVELOPMENT,
      NO_UNIT,
      error(
        'precondition_failed',
        'the unit has another `ETag` than `If-Match`.',
        'The unit has version 2.',
      ),
    ),
  },
});

units.openapi(getUnit, async (c) => {
  const { development_id: development, name } = c.req.valid('param');
  const { accountId, scopes } = c.var.caller;
  const address = { accountId, development, name };
  const found = await readUnit(c.env.DB, address, LAST_CHANGES);
  if (found.kind !== 'unit') {
    const similar = await similarUnits(c.env.DB, address, name);
    throw new ProblemError(schemas.unitNotFound(found.kind, development, name, similar));
  }
  const deliveries = scopes.includes('readers:read') ? await deliveredStatesOf(c, address) : null;
  const versions = allowedVersions(c.req.valid('header')['If-Match']);
  if (versions !== undefined && !versions.includes(found.unit.version)) {
    throw new ProblemError(versionMismatch(found.unit));
  }
  const ETag = unitTag(found.unit, deliveries);
  const headers = { ...REVALIDATED, ETag };
  if (isUnchanged(c, ETag)) return c.body(null, 304, headers);
  const view = { ...unitView(found.unit), changes: found.history.map(changeView) };
  return c.json(deliveries === null ? view : { ...view, deliveries }, 200, headers);
});

/** Which readers have the current state of the unit; empty if it belongs to no property, so that no feed shows it. */
async function deliveredStatesOf(
  c: Context<CallerEnv>,
  address: UnitAddress,
): Promise<readonly DeliveredState[]> {
  return (await listDeliveredStates(c.env.DB, address.accountId, { unit: address })) ?? [];
}
