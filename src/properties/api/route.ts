import type { Context } from 'hono';
import type * as z from 'zod';
import { clientWriter } from '../../accounts/actor.ts';
import { NOT_CACHED, REVALIDATED } from '../../api/headers.ts';
import {
  created,
  isUnchanged,
  json,
  KIB,
  limitChanges,
  mergePatch,
  nextLink,
  typesOf,
} from '../../api/requests.ts';
import {
  body,
  clientChanges,
  clientReads,
  type DocumentedError,
  empty,
  error,
  errors,
  fields,
  missing,
  ok,
  page,
  unchanged,
} from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { readCondition, validateQuery } from '../../api/schemas.ts';
import { validate } from '../../api/validation.ts';
import { nowInSeconds, toSeconds } from '../../lib/time/time.ts';
import { message } from '../../messages/messages.ts';
import { type CallerEnv, withScope } from '../../oauth/bearer.ts';
import {
  existing,
  invalidFields,
  methodNotAllowed,
  notFound,
  ProblemError,
  problemOf,
  statusOf,
} from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { labelsOf } from '../../vocabulary/labels.ts';
import { readVocabulary } from '../../vocabulary/stored.ts';
import { keyOf, type PropertyDocument } from '../documents.ts';
import { listStoredProperties } from '../store/listed.ts';
import { readStored } from '../store/read.ts';
import { type Failed, failureOf } from './atomic.ts';
import * as examples from './examples.ts';
import * as schemas from './schemas.ts';
import { type PropertyResult, propertyTag, writeProperties } from './write.ts';

type Written = Exclude<PropertyResult, { problem: unknown }>;

const PROPERTY = '/v1/properties/{id}';
const MAX_BYTES = 1024 * KIB;
const SHOWN = 'Every feed requested one second after the response shows the change.';

const READ = { tags: ['Properties'], ...withScope('properties:read') };
const WRITE = { tags: ['Properties'], ...withScope('properties:write') };

const READ_ERRORS = clientReads('properties:read');
const CHANGE_ERRORS = clientChanges('properties:write');
const NO_PROPERTY = missing('property', 'R0');

/** The error of a condition that is not met. @param reason of the example */
function conditionError(reason: 'property_exists' | 'property_changed'): DocumentedError {
  return {
    ...problemOf('precondition_failed', message(reason)),
    description:
      'the property has another `ETag` than `If-Match`, or exists although `If-None-Match` is `*`.',
  };
}

/** Writes and reads the properties of the account that the token belongs to. */
export const properties = new Router();

properties.use('/v1/properties/*', serves('properties'));

const postBatch = createRoute({
  method: 'post',
  path: '/v1/properties/batch',
  operationId: 'writeProperties',
  summary: 'Create, change and remove several properties',
  description:
    `Up to ${schemas.MAX_OPERATIONS} operations on different properties, validated separately ` +
    'and applied in one transaction. With `atomic=true`, none is applied if one fails: the ' +
    'response is then the error of the first that fails, and `errors` lists all of them. ' +
    `${SHOWN} ` +
    'Because of this path, a property with the id `batch` cannot be read or written on its own.',
  ...WRITE,
  request: {
    query: schemas.batchQuery,
    body: json(schemas.batch, 8 * MAX_BYTES, { results: examples.BATCH }),
  },
  responses: {
    200: ok(schemas.batchResults, 'A result for each operation.'),
    ...errors(
      CHANGE_ERRORS,
      body(8 * MAX_BYTES),
      error('property_not_found', '`atomic=true`, and an operation is of no property.'),
      error('precondition_failed', '`atomic=true`, and a condition of an operation is not met.'),
      fields({ '/operations': message('too_few_entries', { least: 1 }) }),
      error(
        'bad_parameter',
        '`atomic` is neither true nor false.',
        'atomic must be one of: true, false.',
      ),
    ),
  },
});

properties.openapi(postBatch, async (c) => {
  const { atomic, validate: isTrial } = c.req.valid('query');
  const { operations: given } = c.req.valid('json');
  await limitChanges(c, given.length);
  const parsed = given.map((one) => validate(schemas.propertyOperation, one));
  const operations = parsed.flatMap((one) => ('value' in one ? [one.value] : []));
  const mayApply = operations.length > 0 && !(atomic && operations.length < given.length);
  const { accountId, actor } = clientWriter(c.var.caller);
  const options = { actor, atomic, now: nowInSeconds(), validate: isTrial };
  const applied = mayApply ? await writeProperties(c, accountId, operations, options) : [];
  const results = new Map(
    operations.map((operation, index) => [operation, applied[index] ?? { problem: null }]),
  );
  const all = parsed.map((one) =>
    'value' in one ? results.get(one.value)! : { problem: invalidFields(one.errors) },
  );
  const failure = atomic && failureOf(all.map((result, index) => failedIn(result, parsed[index]!)));
  if (failure) throw new ProblemError(failure);
  const views = all.map((result, index) =>
    resultView(schemas.stated.parse(given[index]).id, result, isTrial),
  );
  return c.json({ results: views }, 200, NOT_CACHED);
});

/** Why an operation has failed, if it has, and where in it the document is that its fields are of. */
function failedIn(result: PropertyResult, parsed: object): Failed | null {
  if (!('problem' in result) || result.problem === null) return null;
  const { value } = parsed as { readonly value?: schemas.PropertyOperation };
  const document = value?.op === 'put' ? '/property' : value?.op === 'patch' ? '/patch' : '';
  return { problem: result.problem, document };
}

// Otherwise a property of this id could be written.
properties.on('ALL', '/v1/properties/batch', () => methodNotAllowed('POST'));

const putProperty = createRoute({
  method: 'put',
  path: PROPERTY,
  operationId: 'putProperty',
  summary: 'Create or replace a property',
  description:
    'Fields that the document leaves out have their defaults; without `channels`, the ' +
    `property stays in its channels. ${SHOWN} ` +
    'A document that changes nothing gets a 200 as well, also with an `If-Match` that no longer ' +
    'matches, so one whose response was lost can be repeated. The type and the features are ' +
    'codes of the account, or names that are looked up as in an import: the response tells what ' +
    'they were understood as.',
  ...WRITE,
  request: {
    params: schemas.byNewId,
    query: validateQuery,
    headers: schemas.ifUnchanged,
    body: json(schemas.propertyDocument, MAX_BYTES, {
      created: examples.VILLA,
      replaced: { ...examples.VILLA, beds: 5 },
    }),
  },
  responses: {
    200: ok(schemas.propertyWritten, 'The property as it is now.', { headers: ['ETag'] }),
    201: ok(schemas.propertyWritten, 'The property has been created.', {
      headers: ['ETag', 'Location'],
    }),
    ...errors(
      CHANGE_ERRORS,
      error(
        'bad_parameter',
        'the operation has no such parameter, or no property can have the id.',
        'limit is not a parameter of this operation.',
      ),
      body(MAX_BYTES),
      fields({ '/colour': message('unknown_field'), '/beds': message('too_small', { least: 0 }) }),
      conditionError('property_exists'),
    ),
  },
});

properties.openapi(putProperty, async (c) => {
  const { id } = c.req.valid('param');
  const property = c.req.valid('json');
  await limitChanges(c);
  const conditions = conditionsIn(c.req.valid('header'));
  const { validate: isTrial } = c.req.valid('query');
  const written = await applyOne(c, { op: 'put', id, property, ...conditions }, isTrial);
  const { view, headers } = writtenView(written, isTrial);
  return written.created && !isTrial
    ? c.json(view, 201, { ...headers, ...created(c) })
    : c.json(view, 200, headers);
});

const PATCH_BODY = mergePatch(schemas.propertyPatch, MAX_BYTES, {
  changed: { beds: 6, offers: { sale: { price: 1_190_000 } } },
});

const patchProperty = createRoute({
  method: 'patch',
  path: PROPERTY,
  operationId: 'patchProperty',
  summary: 'Change a property',
  description:
    'A JSON Merge Patch (RFC 7396), as `application/json` or ' +
    `\`application/merge-patch+json\`. ${SHOWN} ` +
    'A patch that changes nothing gets a 200 as well, also with an `If-Match` that no longer ' +
    'matches, so one whose response was lost can be repeated; any other with a stale `If-Match` ' +
    'is a 412, and changes nothing.',
  ...WRITE,
  request: {
    params: schemas.byId,
    query: validateQuery,
    headers: schemas.ifUnchanged,
    body: PATCH_BODY,
  },
  responses: {
    200: ok(schemas.propertyWritten, 'The property as it is now.', { headers: ['ETag'] }),
    ...errors(
      CHANGE_ERRORS,
      NO_PROPERTY,
      body(MAX_BYTES, typesOf(PATCH_BODY.content)),
      fields({ '/town': message('missing') }),
      conditionError('property_changed'),
    ),
  },
});

properties.openapi(patchProperty, async (c) => {
  const { id } = c.req.valid('param');
  const patch = c.req.valid('json');
  await limitChanges(c);
  const conditions = conditionsIn(c.req.valid('header'));
  const { validate: isTrial } = c.req.valid('query');
  const written = await applyOne(c, { op: 'patch', id, patch, ...conditions }, isTrial);
  const { view, headers } = writtenView(written, isTrial);
  return c.json(view, 200, headers);
});

const deleteProperty = createRoute({
  method: 'delete',
  path: PROPERTY,
  operationId: 'deleteProperty',
  summary: 'Withdraw or remove a property',
  description: `A withdrawn property can be listed again. ${SHOWN}`,
  ...WRITE,
  request: { params: schemas.byId, headers: schemas.ifUnchanged, query: schemas.purgeQuery },
  responses: {
    204: empty('The property is no longer in any feed.'),
    ...errors(
      CHANGE_ERRORS,
      NO_PROPERTY,
      error(
        'bad_parameter',
        '`purge` is neither true nor false.',
        'purge must be one of: true, false.',
      ),
      conditionError('property_changed'),
    ),
  },
});

properties.openapi(deleteProperty, async (c) => {
  const { id } = c.req.valid('param');
  const { purge, validate: isTrial } = c.req.valid('query');
  await limitChanges(c);
  const conditions = conditionsIn(c.req.valid('header'));
  await applyOne(c, { op: 'delete', id, purge, ...conditions }, isTrial);
  return c.body(null, 204);
});

const listProperties = createRoute({
  method: 'get',
  path: '/v1/properties',
  operationId: 'listProperties',
  summary: 'List properties',
  description: 'All of them, withdrawn ones included, in the order in which they were created.',
  ...READ,
  request: { query: schemas.listQuery },
  responses: {
    200: ok(schemas.properties, 'The account’s properties.', { headers: ['Link'] }),
    ...errors(READ_ERRORS, { ...page, description: 'a parameter is invalid.' }),
  },
});

properties.openapi(listProperties, async (c) => {
  const { limit, cursor, status, changed_after, labels: language } = c.req.valid('query');
  const after = Number(cursor ?? 0);
  if (!Number.isSafeInteger(after)) {
    throw new ProblemError({
      code: 'bad_parameter',
      detail: 'cursor must be taken from a Link header.',
    });
  }
  const changedAfter = changed_after === undefined ? undefined : toSeconds(changed_after);
  const { accountId } = c.var.caller;
  const filter = { status, changedAfter };
  const found = await listStoredProperties(c.env.DB, accountId, filter, after, limit + 1);
  // A page of long texts ends at an entry without its property.
  const entries = found.slice(0, limit);
  const shown = entries.flatMap(({ property }) => property ?? []);
  const next =
    found.length > shown.length ? { Link: nextLink(c.req.url, String(entries.at(-1)!.place)) } : {};
  const headers = { ...REVALIDATED, ...next };
  if (language === undefined) return c.json({ properties: shown }, 200, headers);
  const labels = labelsOf(await readVocabulary(c.env.DB, accountId), shown, language);
  return c.json({ properties: shown, labels }, 200, headers);
});

const getProperty = createRoute({
  method: 'get',
  path: PROPERTY,
  operationId: 'getProperty',
  summary: 'Get a property',
  ...READ,
  request: { params: schemas.byId, headers: readCondition },
  responses: {
    200: ok(schemas.property, 'The property.', { headers: ['ETag'] }),
    304: unchanged,
    ...errors(READ_ERRORS, NO_PROPERTY),
  },
});

properties.openapi(getProperty, async (c) => {
  const { id } = c.req.valid('param');
  const stored = await readStored(c.env.DB, c.var.caller.accountId, [
    { kind: 'property', id } as PropertyDocument,
  ]);
  const found = existing(stored.get(keyOf('property', id)), notFound('property', id));
  const property = found as PropertyDocument;
  const ETag = propertyTag(property);
  const headers = { ...REVALIDATED, ETag };
  return isUnchanged(c, ETag) ? c.body(null, 304, headers) : c.json(property, 200, headers);
});

function conditionsIn(headers: z.output<typeof schemas.ifUnchanged>) {
  return { if_match: headers['If-Match'], if_none_match: headers['If-None-Match'] };
}

/** What a write responds with, and its headers. */
function writtenView({ property, understood }: Written, isTrial: boolean) {
  const headers = { ...NOT_CACHED, ...(!isTrial && { ETag: propertyTag(property!) }) };
  return { view: { property: property!, understood }, headers };
}

/** @throws ProblemError if the operation was not applied */
async function applyOne(
  c: Context<CallerEnv>,
  operation: schemas.PropertyOperation,
  validate: boolean,
): Promise<Written> {
  const { accountId, actor } = clientWriter(c.var.caller);
  const options = { actor, atomic: true, now: nowInSeconds(), validate };
  const [result] = (await writeProperties(c, accountId, [operation], options)) as [PropertyResult];
  if ('problem' in result) throw new ProblemError(result.problem!);
  return result;
}

function resultView(id: string | null, result: PropertyResult, isTrial: boolean) {
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
  const etag = isTrial ? undefined : propertyTag(property);
  return { id, status: created ? 201 : 200, code, etag, understood };
}
