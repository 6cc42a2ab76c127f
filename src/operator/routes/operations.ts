import * as z from 'zod';
import { json, ok } from '../../api/operation.ts';
import { existingOnly, namedObject, namedStrictObject, shown, time } from '../../api/schemas.ts';
import { existing, notFound, ProblemError } from '../../problem.ts';
import { sendTask } from '../../tasks/tasks.ts';
import {
  accountNamed,
  databasesOf,
  firstOf,
  type OperatorContext,
  refuseDeleted,
} from '../access.ts';
import {
  findOperation,
  KINDS,
  listOperations,
  type Operation,
  startOperation,
} from '../operations.ts';
import { checkDeletable } from '../run.ts';
import { byAccount, MAX_BYTES, OPERATOR, operator } from './api.ts';

/** What takes longer than a request. */
export const operationSchema = namedObject('Operation', {
  id: z.int(),
  kind: z.enum(KINDS),
  account: z.string().nullable(),
  database: z.string().nullable(),
  state: z.enum(['waiting', 'running', 'finished', 'failed']),
  detail: z.string().describe('How far it has come; at its end, its result, or why it has failed.'),
  created_at: time,
  ended_at: time.nullable(),
});

const byId = z.object({
  operation: existingOnly(
    'operation',
    z
      .string()
      .transform((text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0))
      .meta({ type: 'string', description: 'The operation’s id.', example: '1' }),
    999_999,
  ),
});

operator.list({
  path: '/v1/operator/operations',
  operationId: 'listOperations',
  summary: 'List what has been started',
  description: 'Newest first.',
  ...OPERATOR,
  responses: {
    200: ok(
      namedObject('Operations', { operations: z.array(operationSchema) }),
      'The operations.',
      'Link',
    ),
  },
  examples: { operations: {} },
  handle: async ({ env }, _, after, limit) => {
    const before = after === null ? Number.MAX_SAFE_INTEGER : Number(after);
    const found = await listOperations(firstOf(env).DB, before, limit);
    return found.map((operation) => [String(operation.id), view(operation)] as const);
  },
});

operator.read({
  path: '/v1/operator/operations/{operation}',
  operationId: 'getOperation',
  summary: 'How far an operation has come',
  ...OPERATOR,
  request: { params: byId },
  responses: { 200: ok(operationSchema, 'The operation.') },
  examples: { operation: { when: 'there is an operation' } },
  handle: async ({ env }, { params: { operation: id } }) => {
    return {
      body: view(existing(await findOperation(firstOf(env).DB, id), notFound('operation', id))),
    };
  },
});

operator.write({
  method: 'post',
  path: '/v1/operator/accounts/{account}/move',
  operationId: 'moveAccount',
  summary: 'Move an account to another database',
  description:
    'Its feeds are served throughout; its changes are refused for some seconds. A move that was interrupted can be started ' +
    'again, or undone until the directory names the other database.',
  ...OPERATOR,
  request: {
    params: byAccount,
    body: json(
      namedStrictObject('AccountMove', {
        to: z.string().describe('The binding of the database, such as `DB_2`.'),
        undo: z.boolean().default(false).describe('Undoes a move that was interrupted.'),
      }),
      MAX_BYTES,
    ),
  },
  responses: { 202: ok(operationSchema, 'The operation: watch it at its `Location`.', 'Location') },
  problems: {
    account_deleting: {
      description: 'the account is being deleted.',
      detail: 'DEMO is being deleted.',
      request: {},
      when: 'the account is being deleted',
    },
    database_not_found: {
      description: 'the service has no such database.',
      detail: 'The service has no database DB_32.',
      request: { body: { to: 'DB_32' } },
    },
  },
  examples: { started: { request: { body: { to: 'DB' } } } },
  handle: async (c, { params, body: { to, undo } }) => {
    const { code } = await accountNamed(c.env, params.account);
    await refuseDeleted(c.env, code);
    return started(c, {
      kind: undo ? 'undo move' : 'move',
      account: code,
      database: to.toUpperCase(),
    });
  },
});

operator.write({
  method: 'delete',
  path: '/v1/operator/accounts/{account}',
  operationId: 'deleteAccount',
  summary: 'Delete a disabled account',
  description: 'With its properties, clients, readers, imports and backups. This cannot be undone.',
  ...OPERATOR,
  request: { params: byAccount },
  responses: { 202: ok(operationSchema, 'The operation: watch it at its `Location`.', 'Location') },
  problems: {
    account_enabled: {
      description: 'only a disabled account can be deleted.',
      detail: 'Only a disabled account can be deleted: disable DEMO.',
      request: {},
    },
    account_moving: {
      description: 'the account is being moved.',
      detail: 'DEMO is being moved: complete or undo the move first.',
      request: {},
      when: 'the account is being moved',
    },
  },
  examples: { started: { when: 'the account is disabled' } },
  handle: async (c, { params }) => {
    const found = await accountNamed(c.env, params.account);
    await checkDeletable(found);
    return started(c, { kind: 'delete', account: found.code, database: null });
  },
});

/** Starts an operation, and sends its message. @throws ProblemError if it names a database that the service does not have */
export async function started(
  c: OperatorContext,
  given: Pick<Operation, 'kind' | 'account' | 'database'>,
) {
  const { database } = given;
  if (database !== null && databasesOf(c.env).every(({ name }) => name !== database)) {
    throw new ProblemError({
      code: 'database_not_found',
      detail: `The service has no database ${database}.`,
    });
  }
  const first = firstOf(c.env);
  const operation = await startOperation(first.DB, given);
  await sendTask(first, { kind: 'operation', id: operation.id });
  return {
    status: 202,
    body: view(operation),
    headers: { Location: `/v1/operator/operations/${operation.id}` },
  };
}

function view(operation: Operation) {
  return shown(operationSchema, operation) as never;
}
