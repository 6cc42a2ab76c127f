import type { Context } from 'hono';
import type * as z from 'zod';
import { clientWriter } from '../../accounts/actor.ts';
import { Api, limitChanges } from '../../api/api.ts';
import { empty, json, mergePatchOf, ok } from '../../api/operation.ts';
import { validate } from '../../api/validation.ts';
import { nowInSeconds, toSeconds } from '../../lib/time/time.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import {
  existing,
  invalidFields,
  methodNotAllowed,
  notFound,
  ProblemError,
  statusOf,
} from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { keyOf, type PropertyDocument } from '../documents.ts';
import { listStoredProperties } from '../store/listed.ts';
import { readStored } from '../store/read.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import * as schemas from './schemas.ts';
import { type PropertyResult, propertyTag, writeProperties } from './write.ts';

type Written = Exclude<PropertyResult, { problem: unknown }>;

const PROPERTY = '/v1/properties/{id}';
const MAX_BYTES = 1024 * 1024;
const READ = requireScope('properties:read');
const WRITE = requireScope('properties:write');
const WRITE_ONE = { middleware: WRITE, limited: true } as const;
const SHOWN = 'Every feed requested one second after the response shows the change.';

/** Writes and reads the properties of the account that the token belongs to. */
export const properties = new Api('Properties', EXAMPLES);
properties.use('/v1/properties/*', serves('properties'));

properties.write({
  method: 'post',
  path: '/v1/properties/batch',
  operationId: 'writeProperties',
  summary: 'Create, change and remove several properties',
  description:
    `Up to ${schemas.MAX_OPERATIONS} operations on different properties, validated separately and applied in one ` +
    `transaction. With \`atomic=true\`, none is applied if one fails. ${SHOWN} ` +
    'Because of this path, a property with the id `batch` cannot be read or written on its own.',
  middleware: WRITE,
  limited: 'in bulk',
  request: { query: schemas.batchQuery, body: json(schemas.batch, 8 * MAX_BYTES) },
  responses: { 200: ok(schemas.batchResults, 'A result for each operation.') },
  handle: async (c, { query: { atomic }, body: { operations: given } }) => {
    await limitChanges(c, given.length);
    const parsed = given.map((one) => validate(schemas.propertyOperation, one));
    const operations = parsed.flatMap((one) => ('value' in one ? [one.value] : []));
    const mayApply = operations.length > 0 && !(atomic && operations.length < given.length);
    const { accountId, actor } = clientWriter(c.var.caller);
    const options = { actor, atomic, now: nowInSeconds() };
    const applied = mayApply ? await writeProperties(c, accountId, operations, options) : [];
    const results = new Map(
      operations.map((operation, index) => [operation, applied[index] ?? { problem: null }]),
    );
    return {
      body: {
        results: parsed.map((one, index) => {
          const result =
            'value' in one ? results.get(one.value)! : { problem: invalidFields(one.errors) };
          return resultView(schemas.stated.parse(given[index]).id, result);
        }),
      },
    };
  },
});

// Otherwise a property of this id could be written.
properties.on('ALL', '/v1/properties/batch', () => methodNotAllowed('POST'));

properties.write({
  method: 'put',
  path: PROPERTY,
  operationId: 'putProperty',
  summary: 'Create or replace a property',
  description:
    `Fields that the document leaves out have their defaults; without \`channels\`, the property stays in its channels. ${SHOWN} ` +
    'A document that changes nothing gets a 200 as well, also with an `If-Match` that no longer matches, so one whose ' +
    'response was lost can be repeated. The type and the features are codes of the account, or names that are looked ' +
    'up as in an import: the response tells what they were understood as.',
  ...WRITE_ONE,
  request: {
    params: schemas.byNewId,
    headers: schemas.ifUnchanged,
    body: json(schemas.propertyDocument, MAX_BYTES),
  },
  responses: {
    200: ok(schemas.propertyWritten, 'The property as it is now.', 'ETag'),
    201: ok(schemas.propertyWritten, 'The property has been created.', 'ETag', 'Location'),
  },
  handle: async (c, { params: { id }, headers, body }) => {
    const written = await applyOne(c, { op: 'put', id, property: body, ...conditionsIn(headers) });
    return { ...answerOf(written), status: written.created ? 201 : 200 };
  },
});

properties.write({
  method: 'patch',
  path: PROPERTY,
  operationId: 'patchProperty',
  summary: 'Change a property',
  description: `A JSON Merge Patch (RFC 7396), as \`application/json\` or \`application/merge-patch+json\`. ${SHOWN}`,
  ...WRITE_ONE,
  request: {
    params: schemas.byId,
    headers: schemas.ifUnchanged,
    body: mergePatchOf(schemas.propertyPatch, MAX_BYTES),
  },
  responses: { 200: ok(schemas.propertyWritten, 'The property as it is now.', 'ETag') },
  handle: async (c, { params: { id }, headers, body }) =>
    answerOf(await applyOne(c, { op: 'patch', id, patch: body, ...conditionsIn(headers) })),
});

properties.write({
  method: 'delete',
  path: PROPERTY,
  operationId: 'deleteProperty',
  summary: 'Withdraw or remove a property',
  description: `A withdrawn property can be listed again. ${SHOWN}`,
  ...WRITE_ONE,
  request: { params: schemas.byId, headers: schemas.ifUnchanged, query: schemas.purgeQuery },
  responses: { 204: empty('The property is no longer in any feed.') },
  handle: async (c, { params: { id }, headers, query: { purge } }) => {
    await applyOne(c, { op: 'delete', id, purge, ...conditionsIn(headers) });
    return {};
  },
});

properties.list({
  path: '/v1/properties',
  operationId: 'listProperties',
  summary: 'List properties',
  description: 'All of them, withdrawn ones included, in the order in which they were created.',
  middleware: READ,
  request: { query: schemas.listQuery },
  responses: { 200: ok(schemas.properties, 'The account’s properties.', 'Link') },
  handle: async (c, { query: { status, changed_after } }, cursor, limit) => {
    const after = Number(cursor ?? 0);
    if (!Number.isSafeInteger(after)) {
      throw new ProblemError({
        code: 'bad_parameter',
        detail: 'cursor must be taken from a Link header.',
      });
    }
    const changedAfter = changed_after === undefined ? undefined : toSeconds(changed_after);
    const found = await listStoredProperties(
      c.env.DB,
      c.var.caller.accountId,
      { status, changedAfter },
      after,
      limit,
    );
    return found.map(({ place, property }) => [String(place), property]);
  },
});

properties.read({
  path: PROPERTY,
  operationId: 'getProperty',
  summary: 'Get a property',
  middleware: READ,
  request: { params: schemas.byId },
  responses: { 200: ok(schemas.property, 'The property.', 'ETag') },
  handle: async (c, { params: { id } }) => {
    const stored = await readStored(c.env.DB, c.var.caller.accountId, [
      { kind: 'property', id } as PropertyDocument,
    ]);
    const body = existing(
      stored.get(keyOf('property', id)),
      notFound('property', id),
    ) as PropertyDocument;
    return { body, headers: { ETag: propertyTag(body) } };
  },
});

function conditionsIn(headers: z.output<typeof schemas.ifUnchanged>) {
  return { if_match: headers['If-Match'], if_none_match: headers['If-None-Match'] };
}

function answerOf({ property, understood }: Written) {
  return { body: { property: property!, understood }, headers: { ETag: propertyTag(property!) } };
}

/** @throws ProblemError if the operation was not applied */
async function applyOne(
  c: Context<CallerEnv>,
  operation: schemas.PropertyOperation,
): Promise<Written> {
  const { accountId, actor } = clientWriter(c.var.caller);
  const options = { actor, atomic: true, now: nowInSeconds() };
  const [result] = (await writeProperties(c, accountId, [operation], options)) as [PropertyResult];
  if ('problem' in result) throw new ProblemError(result.problem!);
  return result;
}

function resultView(id: string | null, result: PropertyResult) {
  if ('problem' in result) {
    const { problem } = result;
    if (problem !== null) return { id, status: statusOf(problem), ...problem };
    return {
      id,
      status: 424,
      code: 'not_applied',
      detail: 'Another operation of the batch failed.',
    };
  }
  const { created, changed, property, understood } = result;
  if (property === null) return { id, status: 204, code: 'removed' };
  const code = created ? 'created' : changed ? 'changed' : 'unchanged';
  return { id, status: created ? 201 : 200, code, etag: propertyTag(property), understood };
}
