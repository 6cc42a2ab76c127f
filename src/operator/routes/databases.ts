import * as z from 'zod';
import { ok } from '../../api/operation.ts';
import { existingOnly, namedObject } from '../../api/schemas.ts';
import { ownKeys } from '../../oauth/own-keys.ts';
import { databasesOf } from '../access.ts';
import { sizeOf } from '../databases.ts';
import { examine } from '../doctor.ts';
import { appliedMigrations } from '../inspect.ts';
import { OPERATOR, operator } from './api.ts';
import { operationSchema, started } from './operations.ts';

const database = existingOnly(
  'database',
  z.string().meta({ description: 'The binding of the database.', example: 'DB' }),
  'DB_32',
  { code: 'database_not_found', detail: 'The service has no database DB_32.' },
);

operator.read({
  path: '/v1/operator/databases',
  operationId: 'listDatabases',
  summary: 'List the databases',
  ...OPERATOR,
  responses: {
    200: ok(
      namedObject('Databases', {
        databases: z.array(
          z.object({
            name: z.string(),
            bytes: z.int(),
            migrations: z.array(z.string()).describe('The migrations that have been applied.'),
          }),
        ),
      }),
      'The databases by their bindings.',
    ),
  },
  examples: { databases: {} },
  handle: async ({ env }) => {
    const databases = databasesOf(env).map(async ({ name, db }) => {
      const [bytes, migrations] = await Promise.all([sizeOf(db), appliedMigrations(db)]);
      return { name, bytes, migrations };
    });
    return { body: { databases: await Promise.all(databases) } };
  },
});

operator.write({
  method: 'post',
  path: '/v1/operator/databases/{database}/restored',
  operationId: 'databaseRestored',
  summary: 'State that a database has been restored to an earlier state',
  description:
    'Right after a restore: ETags, cache keys, cursors and new ids are then others than those that it has undone.',
  ...OPERATOR,
  request: { params: z.object({ database }) },
  responses: { 202: ok(operationSchema, 'The operation: watch it at its `Location`.', 'Location') },
  examples: { started: {} },
  handle: (c, { params }) =>
    started(c, { kind: 'restored', account: null, database: params.database }),
});

operator.read({
  path: '/v1/operator/keys',
  operationId: 'listKeys',
  summary: 'List the keys that sign access tokens',
  description:
    'The first one signs; the others still verify. They are a setting of the service, which a deployment replaces.',
  ...OPERATOR,
  responses: {
    200: ok(
      namedObject('SigningKeys', {
        keys: z.array(z.object({ kid: z.string(), signs: z.boolean() })),
      }),
      'The keys.',
    ),
  },
  examples: { keys: {} },
  handle: async ({ env }) => {
    const { published } = await ownKeys(env.SIGNING_KEYS);
    return {
      body: { keys: published.keys.map(({ kid }, index) => ({ kid, signs: index === 0 })) },
    };
  },
});

operator.read({
  path: '/v1/operator/doctor',
  operationId: 'examineService',
  summary: 'Examine settings and data',
  ...OPERATOR,
  responses: {
    200: ok(
      namedObject('Examination', {
        ok: z.boolean(),
        findings: z.array(
          z.object({
            check: z.string(),
            ok: z.boolean(),
            detail: z.string(),
            remedy: z.string().optional().describe('What to do, unless it is ok.'),
          }),
        ),
      }),
      'What was found.',
    ),
  },
  problems: { unavailable: { request: undefined } },
  examples: { findings: {} },
  handle: async ({ env }) => {
    const findings = await examine(env);
    return { body: { ok: findings.every((finding) => finding.ok), findings } };
  },
});
