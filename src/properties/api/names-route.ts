import * as z from 'zod';
import { clientWriter } from '../../accounts/actor.ts';
import { NOT_CACHED } from '../../api/headers.ts';
import { json, KIB, limitChanges } from '../../api/requests.ts';
import {
  body,
  clientChanges,
  clientReads,
  empty,
  error,
  errors,
  fields,
  missing,
  ok,
} from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { namedObject, namedStrictObject } from '../../api/schemas.ts';
import { writeThenInvalidate } from '../../feed/invalidation/invalidate.ts';
import { message } from '../../messages/messages.ts';
import { withScope } from '../../oauth/bearer.ts';
import { fieldError, invalidFields, notFound, type Problem, ProblemError } from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { text } from '../checks.ts';
import { isBuiltIn } from '../store/built-in-names.ts';
import { deleteName, isNamed, readersNaming, readOwnNames } from '../store/own-names.ts';
import { mergeInto } from './own-names.ts';

const NAME = '/v1/vocabulary/{kind}/{name}' as const;
const MAX_BYTES = 4 * KIB;
const KINDS = { types: 'type', features: 'feature' } as const;

const WRITE = { tags: ['Properties'], ...withScope('properties:write') };

const params = z.object({
  kind: z.enum(['types', 'features']).meta({ description: 'What it names.', example: 'types' }),
  name: z.string().min(1).meta({ description: 'The name, which is its code.', example: 'Villaa' }),
});

const ownNames = namedObject('OwnNames', {
  names: z.array(
    namedObject('OwnName', {
      kind: z.enum(['type', 'feature']),
      code: z.string(),
      properties: z.int().describe('How many properties have it.'),
    }),
  ),
});

/** The names of types and features that only one account has, which typing errors can be. */
export const names = new Router();

names.use('/v1/vocabulary/*', serves('properties'));

const listNames = createRoute({
  method: 'get',
  path: '/v1/vocabulary/names',
  operationId: 'listNames',
  tags: ['Properties'],
  summary: 'List the names of the account’s own',
  description:
    'Names of types and features that the built-in vocabulary does not have, with how many ' +
    'properties have each: what programs and people call something, or typing errors.',
  ...withScope('properties:read'),
  responses: {
    200: ok(ownNames, 'The names, types first.', {
      examples: {
        names: {
          names: [
            { kind: 'feature', code: 'Golf', properties: 0 },
            { kind: 'feature', code: 'Sea', properties: 1 },
          ],
        },
      },
    }),
    ...errors(clientReads('properties:read')),
  },
});

names.openapi(listNames, async (c) => {
  const { accountId } = c.var.caller;
  return c.json({ names: await readOwnNames(c.env.DB, accountId) }, 200, NOT_CACHED);
});

const merge = namedStrictObject('NameMerge', {
  into: text(1, 200).describe(
    'The code of another type or feature, or what it is called in English or Spanish.',
  ),
});

const IN_USE = inUse('Villaa', ['villas']);
const NO_NAME = notFound('name', 'nothing');

const mergeNames = createRoute({
  method: 'post',
  path: `${NAME}/merge`,
  operationId: 'mergeNames',
  summary: 'Merge a name into another one',
  description:
    'Every property that has it gets the other one, with an entry in its history, and the name is ' +
    'deleted. If the other one is built in, files and programs that still send the name mean it. ' +
    'Repeat the request if it was interrupted.',
  ...WRITE,
  request: { params, body: json(merge, MAX_BYTES, { merged: { into: 'Villa' } }) },
  responses: {
    200: ok(
      namedObject('NamesMerged', {
        into: z.string().describe('The code of the other name.'),
        properties: z.int().describe('How many properties have changed.'),
      }),
      'The name no longer exists.',
      { examples: { merged: { into: 'villa', properties: 0 } } },
    ),
    ...errors(
      clientChanges('properties:write'),
      missing('name', 'nothing', NO_NAME),
      error('name_in_use', 'rules of readers name it.', IN_USE.detail),
      body(MAX_BYTES),
      fields({ '/into': message('unknown_name') }),
    ),
  },
});

names.openapi(mergeNames, async (c) => {
  const { name: code, kind } = c.req.valid('param');
  const { into } = c.req.valid('json');
  await limitChanges(c);
  const { accountId, actor } = clientWriter(c.var.caller);
  const name = { accountId, kind: KINDS[kind], code };
  const merged = await writeThenInvalidate(
    c,
    accountId,
    mergeInto(c.env.DB, name, into.normalize('NFC'), actor),
  );
  if (!('why' in merged)) return c.json(merged, 200, NOT_CACHED);
  if (merged.why === 'missing') throw new ProblemError(notFound('name', code));
  if (merged.why === 'in_use') throw new ProblemError(inUse(code, merged.readers));
  throw new ProblemError(invalidFields([fieldError('/into', message('unknown_name'))]));
});

const deleteNames = createRoute({
  method: 'delete',
  path: NAME,
  operationId: 'deleteName',
  summary: 'Delete a name of the account’s own',
  description: 'One that no property has, and no reader’s rules name.',
  ...WRITE,
  request: { params },
  responses: {
    204: empty('The name no longer exists.'),
    ...errors(
      clientChanges('properties:write'),
      missing('name', 'nothing', NO_NAME),
      error('name_in_use', 'properties or rules of readers have it.', IN_USE.detail),
    ),
  },
});

names.openapi(deleteNames, async (c) => {
  const { name: code, kind } = c.req.valid('param');
  await limitChanges(c);
  const { accountId } = c.var.caller;
  const name = { accountId, kind: KINDS[kind], code };
  if (isBuiltIn(name.kind, code) || !(await isNamed(c.env.DB, name)))
    throw new ProblemError(notFound('name', code));
  const isGone = await writeThenInvalidate(c, accountId, deleteName(c.env.DB, name));
  if (!isGone) throw new ProblemError(inUse(code, await readersNaming(c.env.DB, name)));
  return c.body(null, 204);
});

function inUse(code: string, readers: readonly string[]): Problem {
  const users = readers.length === 0 ? 'properties' : `rules of ${readers.join(', ')}`;
  return { code: 'name_in_use', detail: `The name ${JSON.stringify(code)} is in use by ${users}.` };
}
