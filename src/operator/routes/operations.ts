import * as z from 'zod';
import { NOT_CACHED, REVALIDATED } from '../../api/headers.ts';
import { json, pageOf, pageQuery } from '../../api/requests.ts';
import { body, error, errors, missing, ok, page } from '../../api/responses.ts';
import { createRoute } from '../../api/router.ts';
import { namedObject, namedStrictObject, shown, time } from '../../api/schemas.ts';
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
import { byAccount, MAX_BYTES, NO_ACCOUNT, OPERATOR, OPERATOR_ERRORS, operator } from './api.ts';

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

const operations = namedObject('Operations', { operations: z.array(operationSchema) });

/** The description of the response that {@link started} gives. */
export const STARTED = 'The operation: watch it at its `Location`.';

const listed = createRoute({
  method: 'get',
  path: '/v1/operator/operations',
  operationId: 'listOperations',
  summary: 'List what has been started',
  description: 'Newest first.',
  ...OPERATOR,
  request: { query: pageQuery },
  responses: {
    200: ok(operations, 'The operations.', { headers: ['Link'] }),
    ...errors(OPERATOR_ERRORS, page),
  },
});

operator.openapi(listed, async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const before = cursor === null ? Number.MAX_SAFE_INTEGER : Number(cursor);
  const found = await listOperations(firstOf(c.env).DB, before, limit + 1);
  const { entries, headers } = pageOf(c, found, limit, ({ id }) => id);
  return c.json({ operations: entries.map(view) }, 200, headers);
});

const getOperation = createRoute({
  method: 'get',
  path: '/v1/operator/operations/{operation}',
  operationId: 'getOperation',
  summary: 'How far an operation has come',
  ...OPERATOR,
  request: {
    params: z.object({
      operation: z
        .string()
        .transform((text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0))
        .meta({ type: 'string', description: 'The operation’s id.', example: '1' }),
    }),
  },
  responses: {
    200: ok(operationSchema, 'The operation.'),
    ...errors(OPERATOR_ERRORS, missing('operation', '999999')),
  },
});

operator.openapi(getOperation, async (c) => {
  const { operation: id } = c.req.valid('param');
  const found = await findOperation(firstOf(c.env).DB, id);
  return c.json(
    view(existing(found, notFound('operation', c.req.param('operation')))),
    200,
    REVALIDATED,
  );
});

const accountMove = namedStrictObject('AccountMove', {
  to: z.string().describe('The binding of the database, such as `DB_2`.'),
  undo: z.boolean().default(false).describe('Undoes a move that was interrupted.'),
});

const moveAccount = createRoute({
  method: 'post',
  path: '/v1/operator/accounts/{account}/move',
  operationId: 'moveAccount',
  summary: 'Move an account to another database',
  description:
    'Its feeds are served throughout; its changes are refused for some seconds. A move that was ' +
    'interrupted can be started again, or undone until the directory names the other database.',
  ...OPERATOR,
  request: { params: byAccount, body: json(accountMove, MAX_BYTES, { started: { to: 'DB' } }) },
  responses: {
    202: ok(operationSchema, STARTED, { headers: ['Location'] }),
    ...errors(
      OPERATOR_ERRORS,
      NO_ACCOUNT,
      body(MAX_BYTES),
      error('account_deleting', 'the account is being deleted.', 'DEMO is being deleted.'),
      error(
        'database_not_found',
        'the service has no such database.',
        'The service has no database DB_32.',
      ),
    ),
  },
});

operator.openapi(moveAccount, async (c) => {
  const { to, undo } = c.req.valid('json');
  const { code } = await accountNamed(c.env, c.req.valid('param').account);
  await refuseDeleted(c.env, code);
  const kind = undo ? 'undo move' : 'move';
  const { view, headers } = await started(c, { kind, account: code, database: to.toUpperCase() });
  return c.json(view, 202, headers);
});

const deleteAccount = createRoute({
  method: 'delete',
  path: '/v1/operator/accounts/{account}',
  operationId: 'deleteAccount',
  summary: 'Delete a disabled account',
  description: 'With its properties, clients, readers, imports and backups. This cannot be undone.',
  ...OPERATOR,
  request: { params: byAccount },
  responses: {
    202: ok(operationSchema, STARTED, { headers: ['Location'] }),
    ...errors(
      OPERATOR_ERRORS,
      NO_ACCOUNT,
      error(
        'account_enabled',
        'only a disabled account can be deleted.',
        'Only a disabled account can be deleted: disable DEMO.',
      ),
      error(
        'account_moving',
        'the account is being moved.',
        'DEMO is being moved: complete or undo the move first.',
      ),
    ),
  },
});

operator.openapi(deleteAccount, async (c) => {
  const found = await accountNamed(c.env, c.req.valid('param').account);
  await checkDeletable(found);
  const operation = { kind: 'delete', account: found.code, database: null } as const;
  const { view, headers } = await started(c, operation);
  return c.json(view, 202, headers);
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
  const headers = { ...NOT_CACHED, Location: `/v1/operator/operations/${operation.id}` };
  return { view: view(operation), headers };
}

function view(operation: Operation): z.output<typeof operationSchema> {
  return shown(operationSchema, operation);
}
