import type { Context } from 'hono';
import { clientWriter } from '../accounts/actor.ts';
import { Api, limitChanges } from '../api/api.ts';
import { empty, json, ok } from '../api/operation.ts';
import { validate } from '../api/validation.ts';
import { writeThenInvalidate } from '../feed/invalidation/invalidate.ts';
import { describeError, log } from '../lib/log.ts';
import { isUnavailable } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import {
  existing,
  invalidFields,
  methodNotAllowed,
  notFound,
  type Problem,
  ProblemError,
  statusOf,
} from '../problem.ts';
import { parseDocument } from '../properties/documents.ts';
import { writePortfolio } from '../properties/store/write.ts';
import { type DeliveredState, listDeliveredStates } from '../readers/api/delivered-state.ts';
import { findUnitRevisions } from '../readers/deliveries.ts';
import { recordStep } from '../request-log.ts';
import { listDevelopments, type Removal, removeDevelopment, removeUnit } from './developments.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import * as schemas from './schemas.ts';
import { listUnits, readUnit, type UnitAddress } from './units.ts';
import {
  applyUpdate,
  applyUpdates,
  putUnit,
  storedValues,
  type UpdateResult,
  versionMismatch,
} from './update.ts';
import {
  allowedVersions,
  changeView,
  developmentView,
  readDevelopment,
  unitAnswer,
  unitTag,
  unitView,
} from './view.ts';

const DEVELOPMENTS = '/v1/developments';
const DEVELOPMENT = `${DEVELOPMENTS}/{development_id}` as const;
const UNITS = `${DEVELOPMENT}/units` as const;
const UNIT = `${UNITS}/{name}` as const;

const KIBIBYTE = 1024;

/** Updates per transaction: others wait for the database only briefly. */
const BATCH_SIZE = 100;

const LAST_CHANGES = 20;

const READ = requireScope('units:read');
const UPDATE = requireScope('units:write');
const WRITE = { middleware: requireScope('properties:write'), limited: true } as const;

/** Updates and reads the units of developments, and creates, changes and removes both. */
export const units = new Api('Units', EXAMPLES);

units.write({
  method: 'post',
  path: `${UNITS}/update-by-name`,
  operationId: 'updateUnitByName',
  summary: 'Update a unit',
  description:
    'Sets status, price and directions of the unit with this name. Every accepted change is recorded in the unit’s ' +
    'history. An update that changes nothing gets a 200 as well: updates are idempotent, so one whose response was lost ' +
    'can be repeated. Every feed requested one second after the response shows the change.',
  middleware: UPDATE,
  limited: true,
  request: {
    params: schemas.inDevelopment,
    headers: schemas.ifMatch,
    body: json(schemas.unitUpdate, 64 * KIBIBYTE),
  },
  responses: { 200: ok(schemas.unit, 'The unit’s current state.', 'ETag') },
  handle: async (c, { params: { development_id: development }, headers, body }) => {
    const startedAt = Date.now();
    const update = { name: body.UntName, values: storedValues(body) };
    const versions = allowedVersions(headers['If-Match']);
    const updated = await applyUpdate(c, clientWriter(c.var.caller), development, update, versions);
    recordStep(c, 'database', startedAt);
    return unitAnswer(updated);
  },
});

units.write({
  method: 'post',
  path: `${UNITS}/update-many`,
  operationId: 'updateManyUnits',
  summary: 'Update several units',
  description:
    `Up to ${schemas.MAX_UPDATES} updates. They are validated separately; the valid ones are applied in order, ${BATCH_SIZE} in each ` +
    'transaction. If the database fails, the results of that transaction and of the following ones are ' +
    '`503 unavailable`: repeat those.',
  middleware: UPDATE,
  limited: 'in bulk',
  request: {
    params: schemas.inAnyDevelopment,
    headers: schemas.noIfMatch,
    body: json(schemas.unitUpdates, 1024 * KIBIBYTE),
  },
  responses: {
    200: ok(schemas.updateResults, 'A result for each update, in the order of the request.'),
  },
  handle: async (c, { params: { development_id: development }, headers, body }) => {
    if (headers['If-Match'] !== undefined) {
      throw new ProblemError({
        code: 'precondition_failed',
        detail: 'update-many does not support If-Match.',
      });
    }
    await limitChanges(c, body.length);
    const startedAt = Date.now();
    const parsed = body.map((one) => validate(schemas.unitUpdate, one));
    const updates = parsed.flatMap((one) =>
      'value' in one ? { name: one.value.UntName, values: storedValues(one.value) } : [],
    );
    const writer = clientWriter(c.var.caller);
    const results: UpdateResult[] = [];
    try {
      for (let start = 0; start < updates.length; start += BATCH_SIZE) {
        const batch = updates.slice(start, start + BATCH_SIZE);
        results.push(...(await applyUpdates(c, writer, development, batch)));
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
    return { body: { results: all.map(resultView) } };
  },
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

units.write({
  method: 'put',
  path: DEVELOPMENT,
  operationId: 'putDevelopment',
  summary: 'Create or change a development',
  ...WRITE,
  request: {
    params: schemas.byNewDevelopment,
    body: json(schemas.developmentChange, 1024 * KIBIBYTE),
  },
  responses: {
    200: ok(schemas.developmentWithDetails, 'The development as it is now.'),
    201: ok(schemas.developmentWithDetails, 'The development has been created.', 'Location'),
  },
  handle: async (c, { params: { development_id: id }, body }) => {
    const { accountId, actor } = clientWriter(c.var.caller);
    const document = parseDocument({ kind: 'development', id, ...body });
    const writing = writePortfolio(c.env.DB, accountId, [document], { actor });
    const { before } = await writeThenInvalidate(c, accountId, writing, ({ changed }) => ({
      changed: changed.length > 0,
    }));
    return { body: await readDevelopment(c, id), status: before.stored.size > 0 ? 200 : 201 };
  },
});

units.write({
  method: 'delete',
  path: DEVELOPMENT,
  operationId: 'deleteDevelopment',
  summary: 'Remove a development and its units',
  ...WRITE,
  request: { params: schemas.inDevelopment },
  responses: { 204: empty('The development is removed.') },
  handle: async (c, { params: { development_id: id } }) => {
    const removal = removeDevelopment(c.env.DB, c.var.caller.accountId, id);
    return removing(c, removal, 'One of its units', notFound('development', id));
  },
});

units.write({
  method: 'put',
  path: UNIT,
  operationId: 'putUnit',
  summary: 'Create a unit, or set its values',
  description:
    'Updates the unit as `update-by-name` does, history included, or creates it. Every feed ' +
    'requested one second after the response shows the change.',
  ...WRITE,
  request: {
    params: schemas.byNewUnit,
    headers: schemas.ifUnchanged,
    body: json(schemas.unitValues, 64 * KIBIBYTE),
  },
  responses: {
    200: ok(schemas.unit, 'The unit as it is now.', 'ETag'),
    201: ok(schemas.unit, 'The unit has been created.', 'ETag', 'Location'),
  },
  handle: async (c, { params: { development_id: development, name }, headers, body }) => {
    const { unit, created } = await putUnit(
      c,
      clientWriter(c.var.caller),
      development,
      name,
      body,
      headers,
    );
    return { ...unitAnswer(unit), status: created ? 201 : 200 };
  },
});

units.write({
  method: 'delete',
  path: UNIT,
  operationId: 'deleteUnit',
  summary: 'Remove a unit',
  ...WRITE,
  request: {
    params: schemas.ofUnit.extend(schemas.inAnyDevelopment.shape),
    headers: schemas.ifUnchanged.pick({ 'If-Match': true }),
  },
  responses: { 204: empty('The unit is removed.') },
  handle: async (c, { params: { development_id: development, name: given }, headers }) => {
    const name = given.normalize('NFC');
    const address = { accountId: c.var.caller.accountId, development, name };
    const removal = removeUnit(c.env.DB, address, allowedVersions(headers['If-Match']));
    return removing(c, removal, 'The unit', schemas.unitNotFound('no unit', development, name));
  },
});

async function removing(
  c: Context<CallerEnv>,
  removal: Promise<Removal | 'changed'>,
  used: string,
  missing: Problem,
) {
  const { accountId } = c.var.caller;
  const result = await writeThenInvalidate(c, accountId, removal, (done) => ({
    changed: done === 'removed',
  }));
  const detail = `${used} belongs to a property. First set the property’s unit to null: its own status and price apply then.`;
  if (result === 'changed')
    throw new ProblemError({ code: 'precondition_failed', detail: 'The unit has changed.' });
  if (result === 'in use') throw new ProblemError({ code: 'unit_in_use', detail });
  if (result === 'not found') throw new ProblemError(missing);
  return {};
}

units.list({
  path: DEVELOPMENTS,
  operationId: 'listDevelopments',
  summary: 'List developments',
  description: 'Ordered by identifier.',
  middleware: READ,
  responses: { 200: ok(schemas.developments, 'The account’s developments.', 'Link') },
  handle: async (c, _, after, limit) => {
    const found = await listDevelopments(c.env.DB, c.var.caller.accountId, after, limit);
    return found.map((one) => [one.id, developmentView(one)]);
  },
});

units.read({
  path: DEVELOPMENT,
  operationId: 'getDevelopment',
  summary: 'Get a development',
  middleware: READ,
  request: { params: schemas.inDevelopment },
  responses: { 200: ok(schemas.developmentWithDetails, 'The development.') },
  handle: async (c, { params }) => ({ body: await readDevelopment(c, params.development_id) }),
});

units.list({
  path: UNITS,
  operationId: 'listUnits',
  summary: 'List the units of a development',
  description: 'Ordered by name.',
  middleware: READ,
  request: { params: schemas.inDevelopment },
  responses: { 200: ok(schemas.units, 'The development’s units.', 'Link') },
  handle: async (c, { params }, after, limit) => {
    const { development_id: id } = params;
    const found = await listUnits(c.env.DB, c.var.caller.accountId, id, after, limit);
    return existing(found, notFound('development', id)).map((one) => [one.name, unitView(one)]);
  },
});

units.read({
  path: UNIT,
  operationId: 'getUnit',
  summary: 'Get a unit',
  description:
    `Its values and its last ${LAST_CHANGES} changes. A unit cannot be read if its name is empty, \`.\`, \`..\`, ` +
    '`update-by-name` or `update-many`; it can be listed and updated.',
  middleware: READ,
  request: { params: schemas.ofUnit, headers: schemas.ifUnchanged.pick({ 'If-Match': true }) },
  responses: { 200: ok(schemas.unitWithChanges, 'The unit.', 'ETag') },
  handle: async (c, { params: { development_id: development, name: named }, headers }) => {
    const { accountId, scopes } = c.var.caller;
    const address = { accountId, development, name: named.normalize('NFC') };
    const found = await readUnit(c.env.DB, address, LAST_CHANGES);
    if (found.kind !== 'unit')
      throw new ProblemError(schemas.unitNotFound(found.kind, development, address.name));
    const deliveries = scopes.includes('readers:read') ? await deliveredStatesOf(c, address) : null;
    const versions = allowedVersions(headers['If-Match']);
    if (versions !== undefined && !versions.includes(found.unit.version)) {
      throw new ProblemError(versionMismatch(found.unit));
    }
    const view = { ...unitView(found.unit), changes: found.history.map(changeView) };
    return {
      body: deliveries === null ? view : { ...view, deliveries },
      headers: { ETag: unitTag(found.unit, deliveries) },
    };
  },
});

/** Which readers have the current state of the unit; empty if it belongs to no property, so that no feed shows it. */
async function deliveredStatesOf(
  c: Context<CallerEnv>,
  address: UnitAddress,
): Promise<readonly DeliveredState[]> {
  const changed = await findUnitRevisions(c.env.DB, address);
  return changed === null ? [] : listDeliveredStates(c.env.DB, address.accountId, changed);
}
