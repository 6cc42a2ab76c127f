import type { Context } from 'hono';
import { writePortfolio } from '../../db/portfolio/write.ts';
import { findDevelopment, type Removal, removeDevelopment, removeUnit } from '../../db/units/developments.ts';
import { invalidateFeeds } from '../../feed/invalidation/invalidate.ts';
import { Api } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { NOT_CACHED, REVALIDATED } from '../../http/page.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { parseDocument } from '../../portfolio/documents.ts';
import { ProblemError } from '../../problem.ts';
import { inDevelopment, ofUnit, unit as unitSchema } from '../units/schemas.ts';
import { developmentNotFound } from '../units/update.ts';
import { developmentView, unitTag, unitView } from '../units/view.ts';
import {
  byNewDevelopment,
  byNewUnit,
  developmentChange,
  developmentWithDetails,
  documented,
  unitConditions,
  unitValues,
} from './schemas.ts';
import { putUnit } from './units.ts';

const DEVELOPMENT = '/v1/developments/{development_id}';
const UNIT = `${DEVELOPMENT}/units/{name}` as const;
const MAX_BYTES = 64 * 1024;
const MAX_DEVELOPMENT_BYTES = 1024 * 1024;
const WRITE = requireScope('properties:write');

/** Creates, changes and removes developments and their units. */
export const developments = new Api('Units');

developments.operation(
  {
    method: 'get',
    path: DEVELOPMENT,
    operationId: 'getDevelopment',
    summary: 'A development',
    middleware: requireScope('units:read'),
    request: { params: inDevelopment },
    responses: { 200: ok(developmentWithDetails, 'The development.') },
    ...documented('getDevelopment'),
  },
  async (c) => c.json(await view(c, c.req.valid('param').development_id), 200, REVALIDATED),
);

developments.operation(
  {
    method: 'put',
    path: DEVELOPMENT,
    operationId: 'putDevelopment',
    summary: 'Create or change a development',
    middleware: WRITE,
    limited: true,
    request: { params: byNewDevelopment, body: json(developmentChange, MAX_DEVELOPMENT_BYTES) },
    responses: {
      200: ok(developmentWithDetails, 'The development as it is now.'),
      201: ok(developmentWithDetails, 'The development has been created.', 'Location'),
    },
    ...documented('putDevelopment'),
  },
  async (c) => {
    const { development_id: id } = c.req.valid('param');
    const document = parseDocument({ kind: 'development', id, ...c.req.valid('json') });
    const { changed, stored } = await writing(c, () => writePortfolio(c.env.DB, c.var.caller.accountId, [document]));
    if (changed.length > 0) invalidate(c);
    const body = await view(c, id);
    if (stored.size > 0) return c.json(body, 200, NOT_CACHED);
    return c.json(body, 201, { ...NOT_CACHED, Location: `/v1/developments/${encodeURIComponent(id)}` });
  },
);

developments.operation(
  {
    method: 'delete',
    path: DEVELOPMENT,
    operationId: 'deleteDevelopment',
    summary: 'Remove a development and its units',
    middleware: WRITE,
    limited: true,
    request: { params: inDevelopment },
    responses: { 204: empty('The development is removed.') },
    ...documented('deleteDevelopment'),
  },
  async (c) => {
    const { development_id: id } = c.req.valid('param');
    const removal = await writing(c, () => removeDevelopment(c.env.DB, c.var.caller.accountId, id));
    if (removal === 'not found') throw new ProblemError(developmentNotFound(id));
    return removed(c, removal, 'A property is one of the units of the development.');
  },
);

developments.operation(
  {
    method: 'put',
    path: UNIT,
    operationId: 'putUnit',
    summary: 'Create a unit, or set its values',
    description:
      'Like `update-by-name`, and recorded in the unit’s history, if the unit exists; otherwise it is created. Every feed ' +
      'requested one second after the response shows the change.',
    middleware: WRITE,
    limited: true,
    request: { params: byNewUnit, headers: unitConditions, body: json(unitValues, MAX_BYTES) },
    responses: {
      200: ok(unitSchema, 'The unit as it is now.', 'ETag'),
      201: ok(unitSchema, 'The unit has been created.', 'ETag', 'Location'),
    },
    ...documented('putUnit'),
  },
  async (c) => {
    const { development_id: development, name } = c.req.valid('param');
    const { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch } = c.req.valid('header');
    const address = { accountId: c.var.caller.accountId, development, name };
    const result = await writing(c, () =>
      putUnit(c.env.DB, c.var.caller.clientId, address, c.req.valid('json'), { ifMatch, ifNoneMatch }),
    );
    if ('problem' in result) throw new ProblemError(result.problem);
    if (result.changed) invalidate(c);
    const headers = { ...NOT_CACHED, ETag: unitTag(result.unit) };
    const body = unitView(result.unit);
    if (!result.created) return c.json(body, 200, headers);
    const location = `/v1/developments/${encodeURIComponent(development)}/units/${encodeURIComponent(name)}`;
    return c.json(body, 201, { ...headers, Location: location });
  },
);

developments.operation(
  {
    method: 'delete',
    path: UNIT,
    operationId: 'deleteUnit',
    summary: 'Remove a unit',
    middleware: WRITE,
    limited: true,
    request: { params: ofUnit },
    responses: { 204: empty('The unit is removed.') },
    ...documented('deleteUnit'),
  },
  async (c) => {
    const { development_id: development, name: given } = c.req.valid('param');
    const name = given.normalize('NFC');
    const removal = await writing(c, () =>
      removeUnit(c.env.DB, { accountId: c.var.caller.accountId, development, name }),
    );
    if (removal === 'not found') {
      const detail = `The development ${JSON.stringify(development)} has no unit named ${JSON.stringify(name)}.`;
      throw new ProblemError({ code: 'unit_not_found', detail });
    }
    return removed(c, removal, 'A property is this unit.');
  },
);

async function view(c: Context<CallerEnv>, id: string) {
  const found = await findDevelopment(c.env.DB, c.var.caller.accountId, id);
  if (found === null) throw new ProblemError(developmentNotFound(id));
  const { details, ...development } = found;
  return { ...developmentView(development), ...(details !== null && { details: JSON.parse(details) }) };
}

function removed(c: Context<CallerEnv>, removal: Removal, inUse: string) {
  if (removal === 'in use') throw new ProblemError({ code: 'unit_in_use', detail: inUse });
  invalidate(c);
  return c.body(null, 204);
}

/** Even if D1 fails, the write may have been committed. */
async function writing<Result>(c: Context<CallerEnv>, write: () => Promise<Result>): Promise<Result> {
  return write().catch((error) => {
    invalidate(c);
    throw error;
  });
}

function invalidate(c: Context<CallerEnv>): void {
  invalidateFeeds(c.env, c.executionCtx, c.var.caller.accountId, Date.now());
}
