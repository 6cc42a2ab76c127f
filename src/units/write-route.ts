import type { Context } from 'hono';
import { clientWriter } from '../accounts/actor.ts';
import { NOT_CACHED } from '../api/headers.ts';
import { created, json, KIB, limitChanges } from '../api/requests.ts';
import { body, clientChanges, empty, error, errors, fields, ok } from '../api/responses.ts';
import { createRoute, Router } from '../api/router.ts';
import { validateQuery } from '../api/schemas.ts';
import { message } from '../messages/messages.ts';
import { type CallerEnv, withScope } from '../oauth/bearer.ts';
import { notFound, type Problem, ProblemError } from '../problem.ts';
import {
  DEVELOPMENT,
  DEVELOPMENT_STATE,
  DEVELOPMENTS,
  NO_DEVELOPMENT,
  NO_UNIT,
  RETRY,
  servesUnits,
  UNIT,
  UPDATED,
  VALUES,
} from './api.ts';
import { findDevelopment, type Removal, removeDevelopment, removeUnit } from './developments.ts';
import * as schemas from './schemas.ts';
import { similarUnits } from './units.ts';
import { putDevelopment, putUnit, removing } from './update.ts';
import { allowedVersions, developmentView, readDevelopment, unitTag, unitView } from './view.ts';

const WRITE = { tags: ['Units'], ...withScope('properties:write') };
const WRITE_ERRORS = clientChanges('properties:write', RETRY);

/** Creates, changes and removes developments and units. */
export const developments = new Router();

developments.use(`${DEVELOPMENTS}/*`, servesUnits);

const putDevelopmentRoute = createRoute({
  method: 'put',
  path: DEVELOPMENT,
  operationId: 'putDevelopment',
  summary: 'Create or change a development',
  ...WRITE,
  request: {
    params: schemas.byNewDevelopment,
    query: validateQuery,
    body: json(schemas.developmentChange, 1024 * KIB, {
      renamed: { name: 'Sol Azul' },
      created: { name: 'Mar Verde' },
    }),
  },
  responses: {
    200: ok(schemas.developmentWithDetails, 'The development as it is now.', {
      examples: { renamed: DEVELOPMENT_STATE },
    }),
    201: ok(schemas.developmentWithDetails, 'The development has been created.', {
      headers: ['Location'],
      examples: { created: { development_id: 'mar-verde', name: 'Mar Verde', units: 0 } },
    }),
    ...errors(WRITE_ERRORS, body(1024 * KIB), fields({ '/name': message('missing') })),
  },
});

developments.openapi(putDevelopmentRoute, async (c) => {
  const { development_id: id } = c.req.valid('param');
  const given = c.req.valid('json');
  await limitChanges(c);
  const writer = clientWriter(c.var.caller);
  const document = { kind: 'development', id, ...given } as const;
  if (c.req.valid('query').validate) {
    const found = await findDevelopment(c.env.DB, writer.accountId, id);
    const units = found?.units ?? 0;
    const details = given.details ?? (found?.details ? JSON.parse(found.details) : undefined);
    const view = {
      ...developmentView({ id, name: given.name, units }),
      ...(details && { details }),
    };
    return c.json(view, 200, NOT_CACHED);
  }
  const isNew = await putDevelopment(c, writer, document);
  const development = await readDevelopment(c, id);
  return isNew
    ? c.json(development, 201, { ...NOT_CACHED, ...created(c) })
    : c.json(development, 200, NOT_CACHED);
});

const deleteDevelopment = createRoute({
  method: 'delete',
  path: DEVELOPMENT,
  operationId: 'deleteDevelopment',
  summary: 'Remove a development and its units',
  ...WRITE,
  request: { params: schemas.inDevelopment },
  responses: {
    204: empty('The development is removed.'),
    ...errors(
      WRITE_ERRORS,
      NO_DEVELOPMENT,
      error('unit_in_use', 'one of its units belongs to a property.', inUse('One of its units')),
    ),
  },
});

developments.openapi(deleteDevelopment, async (c) => {
  const { development_id: id } = c.req.valid('param');
  await limitChanges(c);
  const removal = removeDevelopment(c.env.DB, c.var.caller.accountId, id);
  await removed(c, removal, 'One of its units', async () => notFound('development', id));
  return c.body(null, 204);
});

const putUnitRoute = createRoute({
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
    query: validateQuery,
    headers: schemas.ifUnchanged,
    body: json(schemas.unitValues, 64 * KIB, { changed: VALUES, created: VALUES }),
  },
  responses: {
    200: ok(schemas.unit, 'The unit as it is now.', {
      headers: ['ETag'],
      examples: { changed: UPDATED },
    }),
    201: ok(schemas.unit, 'The unit has been created.', { headers: ['ETag', 'Location'] }),
    ...errors(
      WRITE_ERRORS,
      body(64 * KIB),
      fields({
        '/UntStatus': message('not_one_of', { allowed: [1, 2, 4, 8] }),
        '/UntDirections': message('missing'),
      }),
      error(
        'development_not_found',
        'the account has no such development.',
        'The account has no development "elsewhere".',
      ),
      error(
        'precondition_failed',
        'the unit has another `ETag` than `If-Match`, or exists although `If-None-Match` is `*`.',
        'The unit has version 2.',
      ),
    ),
  },
});

developments.openapi(putUnitRoute, async (c) => {
  const { development_id: development, name } = c.req.valid('param');
  const values = c.req.valid('json');
  await limitChanges(c);
  const writer = clientWriter(c.var.caller);
  const conditions = c.req.valid('header');
  const { validate: isTrial } = c.req.valid('query');
  const { unit, created: isNew } = await putUnit(
    c,
    writer,
    development,
    name,
    values,
    conditions,
    isTrial,
  );
  const headers = { ...NOT_CACHED, ...(!isTrial && { ETag: unitTag(unit) }) };
  return isNew && !isTrial
    ? c.json(unitView(unit), 201, { ...headers, ...created(c) })
    : c.json(unitView(unit), 200, headers);
});

const deleteUnit = createRoute({
  method: 'delete',
  path: UNIT,
  operationId: 'deleteUnit',
  summary: 'Remove a unit',
  ...WRITE,
  request: {
    params: schemas.ofUnit,
    headers: schemas.ifUnchanged.pick({ 'If-Match': true }),
  },
  responses: {
    204: empty('The unit is removed.'),
    ...errors(
      WRITE_ERRORS,
      NO_UNIT,
      error(
        'precondition_failed',
        'the unit has another `ETag` than `If-Match`.',
        'The unit has changed.',
      ),
      error('unit_in_use', 'the unit belongs to a property.', inUse('The unit')),
    ),
  },
});

developments.openapi(deleteUnit, async (c) => {
  const { development_id: development, name } = c.req.valid('param');
  await limitChanges(c);
  const address = { accountId: c.var.caller.accountId, development, name };
  const versions = allowedVersions(c.req.valid('header')['If-Match']);
  const removal = removeUnit(c.env.DB, address, versions);
  await removed(c, removal, 'The unit', async () =>
    schemas.unitNotFound('no unit', development, name, await similarUnits(c.env.DB, address, name)),
  );
  return c.body(null, 204);
});

function inUse(used: string): string {
  return `${used} belongs to a property. First set the property’s unit to null: its own status and price apply then.`;
}

/** @throws ProblemError if nothing was removed */
async function removed(
  c: Context<CallerEnv>,
  removal: Promise<Removal | 'changed'>,
  used: string,
  absent: () => Promise<Problem>,
): Promise<void> {
  const result = await removing(c, c.var.caller.accountId, removal);
  if (result === 'changed')
    throw new ProblemError({ code: 'precondition_failed', detail: 'The unit has changed.' });
  if (result === 'in use') throw new ProblemError({ code: 'unit_in_use', detail: inUse(used) });
  if (result === 'not found') throw new ProblemError(await absent());
}
