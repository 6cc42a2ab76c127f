import * as z from 'zod';
import { REVALIDATED } from '../../api/headers.ts';
import { error, errors, missing, ok } from '../../api/responses.ts';
import { createRoute } from '../../api/router.ts';
import { namedObject } from '../../api/schemas.ts';
import { ownKeys } from '../../oauth/own-keys.ts';
import { databasesOf } from '../access.ts';
import { sizeOf } from '../databases.ts';
import { examine } from '../doctor.ts';
import { appliedMigrations } from '../inspect.ts';
import { OPERATOR, OPERATOR_ERRORS, operator } from './api.ts';
import { operationSchema, STARTED, started } from './operations.ts';

const databases = namedObject('Databases', {
  databases: z.array(
    z.object({
      name: z.string(),
      bytes: z.int(),
      migrations: z.array(z.string()).describe('The migrations that have been applied.'),
    }),
  ),
});

const listDatabases = createRoute({
  method: 'get',
  path: '/v1/operator/databases',
  operationId: 'listDatabases',
  summary: 'List the databases',
  ...OPERATOR,
  responses: {
    200: ok(databases, 'The databases by their bindings.'),
    ...errors(OPERATOR_ERRORS),
  },
});

operator.openapi(listDatabases, async (c) => {
  const all = databasesOf(c.env).map(async ({ name, db }) => {
    const [bytes, migrations] = await Promise.all([sizeOf(db), appliedMigrations(db)]);
    return { name, bytes, migrations };
  });
  return c.json({ databases: await Promise.all(all) }, 200, REVALIDATED);
});

const databaseRestored = createRoute({
  method: 'post',
  path: '/v1/operator/databases/{database}/restored',
  operationId: 'databaseRestored',
  summary: 'State that a database has been restored to an earlier state',
  description:
    'Right after a restore: ETags, cache keys, cursors and new ids are then others than those ' +
    'that it has undone.',
  ...OPERATOR,
  request: {
    params: z.object({
      database: z.string().meta({ description: 'The binding of the database.', example: 'DB' }),
    }),
  },
  responses: {
    202: ok(operationSchema, STARTED, { headers: ['Location'] }),
    ...errors(
      OPERATOR_ERRORS,
      missing('database', 'DB_32', {
        code: 'database_not_found',
        detail: 'The service has no database DB_32.',
      }),
    ),
  },
});

operator.openapi(databaseRestored, async (c) => {
  const { database } = c.req.valid('param');
  const { view, headers } = await started(c, { kind: 'restored', account: null, database });
  return c.json(view, 202, headers);
});

const signingKeys = namedObject('SigningKeys', {
  keys: z.array(z.object({ kid: z.string(), signs: z.boolean() })),
});

const listKeys = createRoute({
  method: 'get',
  path: '/v1/operator/keys',
  operationId: 'listKeys',
  summary: 'List the keys that sign access tokens',
  description:
    'The first one signs; the others still verify. They are a setting of the service, which a ' +
    'deployment replaces.',
  ...OPERATOR,
  responses: { 200: ok(signingKeys, 'The keys.'), ...errors(OPERATOR_ERRORS) },
});

operator.openapi(listKeys, async (c) => {
  const { published } = await ownKeys(c.env.SIGNING_KEYS);
  const keys = published.keys.map(({ kid }, index) => ({ kid, signs: index === 0 }));
  return c.json({ keys }, 200, REVALIDATED);
});

const examination = namedObject('Examination', {
  ok: z.boolean(),
  findings: z.array(
    z.object({
      check: z.string(),
      ok: z.boolean(),
      detail: z.string(),
      remedy: z.string().optional().describe('What to do, unless it is ok.'),
    }),
  ),
});

const examineService = createRoute({
  method: 'get',
  path: '/v1/operator/doctor',
  operationId: 'examineService',
  summary: 'Examine settings and data',
  ...OPERATOR,
  responses: {
    200: ok(examination, 'What was found.'),
    // A database that fails is a finding.
    ...errors(OPERATOR_ERRORS, error('unavailable', 'a setting fails. Repeat the request.')),
  },
});

operator.openapi(examineService, async (c) => {
  const findings = await examine(c.env);
  return c.json({ ok: findings.every((one) => one.ok), findings }, 200, REVALIDATED);
});
