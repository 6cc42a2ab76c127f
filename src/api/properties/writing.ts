import type { Context } from 'hono';
import { invalidateFeeds } from '../../feed/invalidation/invalidate.ts';
import { Api } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { NOT_CACHED } from '../../http/page.ts';
import { validate } from '../../http/validation.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import {
  invalidFields,
  methodNotAllowed,
  type Problem,
  ProblemError,
  statusOf,
  tooManyRequestsError,
} from '../../problem.ts';
import { LIMIT_PERIOD_SECONDS, mayUpdate } from '../../rate-limits.ts';
import {
  type BatchOperation,
  batch,
  batchOperation,
  batchQuery,
  batchResults,
  byId,
  documented,
  MAX_OPERATIONS,
  propertyDocument,
  propertyPatch,
  propertyWritten,
  purgeQuery,
  writeConditions,
} from './schemas.ts';
import {
  type Failure,
  type PropertyOperation,
  type PropertyResult,
  propertyTag,
  writeProperties,
  writeProperty,
} from './write.ts';

const PROPERTY = '/v1/properties/{id}';
const MAX_BYTES = 1024 * 1024;
const MAX_BATCH_BYTES = 8 * MAX_BYTES;
const WRITE = requireScope('properties:write');
const SHOWN = 'Every feed requested one second after the response shows the change.';

/** Creates, changes and removes properties of the account that the token belongs to. */
export const propertyWrites = new Api('Properties');

propertyWrites.operation(
  {
    method: 'post',
    path: '/v1/properties/batch',
    operationId: 'writeProperties',
    summary: 'Create, change and remove several properties',
    description:
      `Up to ${MAX_OPERATIONS} operations, each of another property and validated separately, in one transaction. ` +
      'No property with the id `batch` can be read or written by its path. With ' +
      `\`atomic=true\`, none is applied if one fails. ${SHOWN}`,
    middleware: WRITE,
    request: { query: batchQuery, body: json(batch, MAX_BATCH_BYTES) },
    responses: { 200: ok(batchResults, 'A result for each operation.') },
    ...documented('writeProperties'),
  },
  async (c) => {
    const { operations: given } = c.req.valid('json');
    if (!(await mayUpdate(c.env, c.var.caller, given.length))) throw tooManyRequestsError(LIMIT_PERIOD_SECONDS);
    const atomic = c.req.valid('query').atomic === 'true';
    const parsed = given.map((one) => validate(batchOperation, one));
    const operations = parsed.flatMap((one) => ('value' in one ? [operationOf(one.value)] : []));
    const mayApply = operations.length > 0 && !(atomic && operations.length < given.length);
    const results = mayApply ? await appliedAll(c, operations, atomic) : [];
    let next = 0;
    return c.json(
      {
        results: parsed.map((one) => {
          if ('errors' in one) return problemResult(null, invalidFields(one.errors));
          const index = next++;
          return resultView(operations[index]!.id, results[index] ?? { kind: 'not_applied' });
        }),
      },
      200,
      NOT_CACHED,
    );
  },
);

// Otherwise a property of this id could be written.
propertyWrites.on('ALL', '/v1/properties/batch', () => methodNotAllowed('POST'));

propertyWrites.operation(
  {
    method: 'put',
    path: PROPERTY,
    operationId: 'putProperty',
    summary: 'Create or replace a property',
    description:
      `Fields that the document leaves out have their defaults; without \`channels\`, the property stays in its channels. ${SHOWN} ` +
      'A document that changes nothing gets a 200 as well, so one whose response was lost can be repeated. The type and ' +
      'the features are codes of the account, or names that are matched by the vocabulary of the import: the response ' +
      'tells what they were understood as.',
    middleware: WRITE,
    limited: true,
    request: { params: byId, headers: writeConditions, body: json(propertyDocument, MAX_BYTES) },
    responses: {
      200: ok(propertyWritten, 'The property as it is now.', 'ETag'),
      201: ok(propertyWritten, 'The property has been created.', 'ETag', 'Location'),
    },
    ...documented('putProperty'),
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const condition = conditionOf(c.req.valid('header'));
    const result = await applied(c, { op: 'put', id, document: c.req.valid('json'), condition });
    const { body, headers } = responseOf(result);
    if (!result.created) return c.json(body, 200, headers);
    return c.json(body, 201, { ...headers, Location: `/v1/properties/${encodeURIComponent(id)}` });
  },
);

propertyWrites.operation(
  {
    method: 'patch',
    path: PROPERTY,
    operationId: 'patchProperty',
    summary: 'Change a property',
    description: `A JSON Merge Patch (RFC 7396), as \`application/json\` or \`application/merge-patch+json\`. ${SHOWN}`,
    middleware: WRITE,
    limited: true,
    request: { params: byId, headers: writeConditions, body: json(propertyPatch, MAX_BYTES) },
    responses: { 200: ok(propertyWritten, 'The property as it is now.', 'ETag') },
    ...documented('patchProperty'),
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const condition = conditionOf(c.req.valid('header'));
    const { body, headers } = responseOf(await applied(c, { op: 'patch', id, patch: c.req.valid('json'), condition }));
    return c.json(body, 200, headers);
  },
);

propertyWrites.operation(
  {
    method: 'delete',
    path: PROPERTY,
    operationId: 'deleteProperty',
    summary: 'Withdraw or remove a property',
    description: `A withdrawn property can be listed again. ${SHOWN}`,
    middleware: WRITE,
    limited: true,
    request: { params: byId, headers: writeConditions, query: purgeQuery },
    responses: { 204: empty('The property is in no feed any more.') },
    ...documented('deleteProperty'),
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const purge = c.req.valid('query').purge === 'true';
    await applied(c, { op: 'delete', id, purge, condition: conditionOf(c.req.valid('header')) });
    return c.body(null, 204);
  },
);

function conditionOf(headers: { 'If-Match'?: string | undefined; 'If-None-Match'?: string | undefined }) {
  return { ifMatch: headers['If-Match'], ifNoneMatch: headers['If-None-Match'] };
}

function responseOf({ property, understood }: Extract<PropertyResult, { kind: 'written' }>) {
  const shown = property as PropertyDocument;
  const headers = { ...NOT_CACHED, ETag: propertyTag(shown) };
  return { body: { property: shown, understood: [...understood] }, headers };
}

async function applied(c: Context<CallerEnv>, operation: PropertyOperation) {
  const result = await writing(c, () => writeProperty(c.env.DB, c.var.caller.accountId, operation, nowInSeconds()));
  if (result.kind !== 'written') throw new ProblemError(problemOf(operation.id, result));
  if (result.changed) invalidate(c);
  return result;
}

async function appliedAll(c: Context<CallerEnv>, operations: readonly PropertyOperation[], atomic: boolean) {
  const options = { atomic, now: nowInSeconds() };
  const results = await writing(c, () => writeProperties(c.env.DB, c.var.caller.accountId, operations, options));
  if (results.some((result) => result.kind === 'written' && result.changed)) invalidate(c);
  return results;
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

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function operationOf({
  id,
  if_match: ifMatch,
  if_none_match: ifNoneMatch,
  ...given
}: BatchOperation): PropertyOperation {
  const common = { id, condition: { ifMatch, ifNoneMatch } };
  switch (given.op) {
    case 'put':
      return { op: 'put', document: given.property, ...common };
    case 'patch':
      return { op: 'patch', patch: given.patch, ...common };
    case 'delete':
      return { op: 'delete', purge: given.purge, ...common };
  }
}

function problemOf(id: string, failure: Failure): Problem {
  switch (failure.kind) {
    case 'not_found':
      return { code: 'property_not_found', detail: `The account has no property ${JSON.stringify(id)}.` };
    case 'precondition_failed':
      return { code: 'precondition_failed', detail: 'The property has changed, or exists, or does not exist.' };
    case 'invalid':
      return invalidFields(failure.errors);
    case 'not_applied':
      return { code: 'internal', detail: 'Another operation failed.' };
  }
}

function resultView(id: string, result: PropertyResult) {
  if (result.kind === 'not_applied') {
    return { id, status: 424, code: 'not_applied', detail: 'Another operation of the batch failed.' };
  }
  if (result.kind !== 'written') return problemResult(id, problemOf(id, result));
  const { created, changed, property, understood } = result;
  if (property === null) return { id, status: 204, code: 'removed' };
  const code = created ? 'created' : changed ? 'changed' : 'unchanged';
  return { id, status: created ? 201 : 200, code, etag: propertyTag(property), understood: [...understood] };
}

function problemResult(id: string | null, problem: Problem) {
  const { code, detail, errors } = problem;
  return { id, status: statusOf(problem), code, detail, ...(errors && { errors: [...errors] }) };
}
