import type { Context } from 'hono';
import { invalidating } from '../../feed/invalidation/invalidate.ts';
import { Api, limitChanges } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { validate } from '../../http/validation.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { invalidFields, methodNotAllowed, ProblemError, statusOf } from '../../problem.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import {
  batch,
  batchQuery,
  batchResults,
  byId,
  byNewId,
  ifUnchanged,
  MAX_OPERATIONS,
  type PropertyOperation,
  propertyDocument,
  propertyOperation,
  propertyPatch,
  propertyWritten,
  purgeQuery,
} from './schemas.ts';
import { type PropertyResult, propertyTag, writeProperties } from './write.ts';

type Written = Exclude<PropertyResult, { problem: unknown }>;

const PROPERTY = '/v1/properties/{id}';
const MAX_BYTES = 1024 * 1024;
const WRITE = requireScope('properties:write');
const WRITE_ONE = { middleware: WRITE, limited: true } as const;
const SHOWN = 'Every feed requested one second after the response shows the change.';

/** Creates, changes and removes properties of the account that the token belongs to. */
export const propertyWrites = new Api('Properties', EXAMPLES);

propertyWrites.write({
  method: 'post',
  path: '/v1/properties/batch',
  operationId: 'writeProperties',
  summary: 'Create, change and remove several properties',
  description:
    `Up to ${MAX_OPERATIONS} operations, each of another property and validated separately, in one transaction. ` +
    'No property with the id `batch` can be read or written by its path. With ' +
    `\`atomic=true\`, none is applied if one fails. ${SHOWN}`,
  middleware: WRITE,
  request: { query: batchQuery, body: json(batch, 8 * MAX_BYTES) },
  responses: { 200: ok(batchResults, 'A result for each operation.') },
  handle: async (c, { query: { atomic }, body: { operations: given } }) => {
    await limitChanges(c, given.length);
    const parsed = given.map((one) => validate(propertyOperation, one));
    const operations = parsed.flatMap((one) => ('value' in one ? [one.value] : []));
    const mayApply = operations.length > 0 && !(atomic && operations.length < given.length);
    const applied = mayApply ? await apply(c, operations, atomic) : [];
    const results = new Map(operations.map((operation, index) => [operation, applied[index] ?? { problem: null }]));
    return {
      body: {
        results: parsed.map((one) =>
          'value' in one
            ? resultView(one.value.id, results.get(one.value)!)
            : resultView(null, { problem: invalidFields(one.errors) }),
        ),
      },
    };
  },
});

// Otherwise a property of this id could be written.
propertyWrites.on('ALL', '/v1/properties/batch', () => methodNotAllowed('POST'));

propertyWrites.write({
  method: 'put',
  path: PROPERTY,
  operationId: 'putProperty',
  summary: 'Create or replace a property',
  description:
    `Fields that the document leaves out have their defaults; without \`channels\`, the property stays in its channels. ${SHOWN} ` +
    'A document that changes nothing gets a 200 as well, so one whose response was lost can be repeated. The type and ' +
    'the features are codes of the account, or names that are matched by the vocabulary of the import: the response ' +
    'tells what they were understood as.',
  ...WRITE_ONE,
  request: { params: byNewId, headers: ifUnchanged, body: json(propertyDocument, MAX_BYTES) },
  responses: {
    200: ok(propertyWritten, 'The property as it is now.', 'ETag'),
    201: ok(propertyWritten, 'The property has been created.', 'ETag', 'Location'),
  },
  handle: async (c, { params: { id }, headers, body }) => {
    const written = await applyOne(c, { op: 'put', id, property: body, ...conditionsIn(headers) });
    const answer = answerOf(written);
    if (!written.created) return answer;
    const location = `/v1/properties/${encodeURIComponent(id)}`;
    return { ...answer, status: 201, headers: { ...answer.headers, Location: location } };
  },
});

propertyWrites.write({
  method: 'patch',
  path: PROPERTY,
  operationId: 'patchProperty',
  summary: 'Change a property',
  description: `A JSON Merge Patch (RFC 7396), as \`application/json\` or \`application/merge-patch+json\`. ${SHOWN}`,
  ...WRITE_ONE,
  request: { params: byId, headers: ifUnchanged, body: json(propertyPatch, MAX_BYTES) },
  responses: { 200: ok(propertyWritten, 'The property as it is now.', 'ETag') },
  handle: async (c, { params: { id }, headers, body }) =>
    answerOf(await applyOne(c, { op: 'patch', id, patch: body, ...conditionsIn(headers) })),
});

propertyWrites.write({
  method: 'delete',
  path: PROPERTY,
  operationId: 'deleteProperty',
  summary: 'Withdraw or remove a property',
  description: `A withdrawn property can be listed again. ${SHOWN}`,
  ...WRITE_ONE,
  request: { params: byId, headers: ifUnchanged, query: purgeQuery },
  responses: { 204: empty('The property is in no feed any more.') },
  handle: async (c, { params: { id }, headers, query: { purge } }) => {
    await applyOne(c, { op: 'delete', id, purge, ...conditionsIn(headers) });
    return {};
  },
});

function conditionsIn(headers: { 'If-Match'?: string | undefined; 'If-None-Match'?: string | undefined }) {
  return { if_match: headers['If-Match'], if_none_match: headers['If-None-Match'] };
}

function answerOf({ property, understood }: Written) {
  return { body: { property: property!, understood }, headers: { ETag: propertyTag(property!) } };
}

/** @throws ProblemError if the operation was not applied */
async function applyOne(c: Context<CallerEnv>, operation: PropertyOperation): Promise<Written> {
  const [result] = (await apply(c, [operation], true)) as [PropertyResult];
  if ('problem' in result) throw new ProblemError(result.problem!);
  return result;
}

async function apply(
  c: Context<CallerEnv>,
  operations: readonly PropertyOperation[],
  atomic: boolean,
): Promise<PropertyResult[]> {
  const { accountId } = c.var.caller;
  const writing = writeProperties(c.env.DB, accountId, operations, { atomic, now: Math.floor(Date.now() / 1000) });
  return invalidating(c, accountId, writing, (results) => ({
    changed: results.some((result) => 'changed' in result && result.changed),
  }));
}

function resultView(id: string | null, result: PropertyResult) {
  if ('problem' in result) {
    const { problem } = result;
    if (problem !== null) return { id, status: statusOf(problem), ...problem };
    return { id, status: 424, code: 'not_applied', detail: 'Another operation of the batch failed.' };
  }
  const { created, changed, property, understood } = result;
  if (property === null) return { id, status: 204, code: 'removed' };
  const code = created ? 'created' : changed ? 'changed' : 'unchanged';
  return { id, status: created ? 201 : 200, code, etag: propertyTag(property), understood };
}
