import type { Context } from 'hono';
import { writePortfolio } from '../../db/portfolio/write.ts';
import { findDevelopment, type Removal, removeDevelopment, removeUnit } from '../../db/units/developments.ts';
import { invalidating } from '../../feed/invalidation/invalidate.ts';
import { Api } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { parseDocument } from '../../portfolio/documents.ts';
import { existing, notFound, type Problem, ProblemError } from '../../problem.ts';
import EXAMPLES from './developments.json' with { type: 'json' };
import {
  byNewDevelopment,
  byNewUnit,
  developmentChange,
  developmentWithDetails,
  inDevelopment,
  ofUnit,
  unit as unitSchema,
  unitValues,
  writeConditions,
} from './schemas.ts';
import { putUnit, unitNotFound } from './update.ts';
import { developmentView, unitAnswer } from './view.ts';

const DEVELOPMENT = '/v1/developments/{development_id}';
const UNIT = `${DEVELOPMENT}/units/{name}`;
const WRITE = { middleware: requireScope('properties:write'), limited: true } as const;

/** Creates, changes and removes developments and their units. */
export const developments = new Api('Units', EXAMPLES);

developments.read({
  path: DEVELOPMENT,
  operationId: 'getDevelopment',
  summary: 'A development',
  middleware: requireScope('units:read'),
  request: { params: inDevelopment },
  responses: { 200: ok(developmentWithDetails, 'The development.') },
  handle: async (c, { params }) => ({ body: await view(c, params.development_id) }),
});

developments.write({
  method: 'put',
  path: DEVELOPMENT,
  operationId: 'putDevelopment',
  summary: 'Create or change a development',
  ...WRITE,
  request: { params: byNewDevelopment, body: json(developmentChange, 1024 * 1024) },
  responses: {
    200: ok(developmentWithDetails, 'The development as it is now.'),
    201: ok(developmentWithDetails, 'The development has been created.', 'Location'),
  },
  handle: async (c, { params: { development_id: id }, body }) => {
    const { accountId } = c.var.caller;
    const document = parseDocument({ kind: 'development', id, ...body });
    const writing = writePortfolio(c.env.DB, accountId, [document]);
    const { stored } = await invalidating(c, accountId, writing, ({ changed }) => ({ changed: changed.length > 0 }));
    const answer = { body: await view(c, id) };
    if (stored.size > 0) return answer;
    return { ...answer, status: 201, headers: { Location: `/v1/developments/${encodeURIComponent(id)}` } };
  },
});

developments.write({
  method: 'delete',
  path: DEVELOPMENT,
  operationId: 'deleteDevelopment',
  summary: 'Remove a development and its units',
  ...WRITE,
  request: { params: inDevelopment },
  responses: { 204: empty('The development is removed.') },
  handle: async (c, { params: { development_id: id } }) => {
    const removal = removeDevelopment(c.env.DB, c.var.caller.accountId, id);
    return removing(c, removal, {
      inUse: 'A property is one of the units of the development.',
      missing: notFound('development', id),
    });
  },
});

developments.write({
  method: 'put',
  path: UNIT,
  operationId: 'putUnit',
  summary: 'Create a unit, or set its values',
  description:
    'Like `update-by-name`, and recorded in the unit’s history, if the unit exists; otherwise it is created. Every feed ' +
    'requested one second after the response shows the change.',
  ...WRITE,
  request: { params: byNewUnit, headers: writeConditions, body: json(unitValues, 64 * 1024) },
  responses: {
    200: ok(unitSchema, 'The unit as it is now.', 'ETag'),
    201: ok(unitSchema, 'The unit has been created.', 'ETag', 'Location'),
  },
  handle: async (c, { params: { development_id: development, name }, headers, body }) => {
    const { accountId, clientId } = c.var.caller;
    const writing = putUnit(c.env.DB, clientId, { accountId, development, name }, body, headers);
    const { result, created } = await invalidating(c, accountId, writing, (written) => ({
      changed: 'unit' in written.result && written.result.changed,
    }));
    const answer = unitAnswer(result);
    if (!created) return answer;
    const location = `/v1/developments/${encodeURIComponent(development)}/units/${encodeURIComponent(name)}`;
    return { ...answer, status: 201, headers: { ...answer.headers, Location: location } };
  },
});

developments.write({
  method: 'delete',
  path: UNIT,
  operationId: 'deleteUnit',
  summary: 'Remove a unit',
  ...WRITE,
  request: { params: ofUnit },
  responses: { 204: empty('The unit is removed.') },
  handle: async (c, { params: { development_id: development, name: given } }) => {
    const name = given.normalize('NFC');
    const removal = removeUnit(c.env.DB, { accountId: c.var.caller.accountId, development, name });
    return removing(c, removal, {
      inUse: 'A property is this unit.',
      missing: unitNotFound('no unit', development, name),
    });
  },
});

async function view(c: Context<CallerEnv>, id: string) {
  const found = await findDevelopment(c.env.DB, c.var.caller.accountId, id);
  const { details, ...development } = existing(found, notFound('development', id));
  return { ...developmentView(development), ...(details !== null && { details: JSON.parse(details) }) };
}

async function removing(
  c: Context<CallerEnv>,
  removal: Promise<Removal>,
  { inUse, missing }: { readonly inUse: string; readonly missing: Problem },
) {
  const { accountId } = c.var.caller;
  const result = await invalidating(c, accountId, removal, (done) => ({ changed: done === 'removed' }));
  if (result === 'in use') throw new ProblemError({ code: 'unit_in_use', detail: inUse });
  if (result === 'not found') throw new ProblemError(missing);
  return {};
}
