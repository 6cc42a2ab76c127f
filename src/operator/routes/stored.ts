import * as z from 'zod';
import { json, ok } from '../../api/operation.ts';
import { namedObject, namedStrictObject, time } from '../../api/schemas.ts';
import { snapshotKey } from '../../feed/manifest/plan.ts';
import { importSummary, importView } from '../../imports/api/schemas.ts';
import { findImport, MAX_WAITING } from '../../imports/runs/imports.ts';
import { importFile } from '../../imports/runs/manage.ts';
import { isoTime } from '../../lib/time/time.ts';
import { ProblemError } from '../../problem.ts';
import { accountNamed, changeableAccount } from '../access.ts';
import { listBackups, openBackup } from '../backups/store.ts';
import { listSnapshots } from '../inspect.ts';
import { deleteSnapshotsOf } from '../snapshots.ts';
import { byAccount, MAX_BYTES, OPERATOR, operator } from './api.ts';

const SNAPSHOTS = '/v1/operator/accounts/{account}/snapshots';

operator.read({
  path: SNAPSHOTS,
  operationId: 'listSnapshots',
  summary: 'List the cached parts of an account’s feeds',
  ...OPERATOR,
  request: { params: byAccount },
  responses: {
    200: ok(
      namedObject('Snapshots', {
        snapshots: z.array(
          z.object({
            key: z.string(),
            bytes: z.int(),
            length: z.int(),
            cached_at: time,
            last_used_at: time,
          }),
        ),
      }),
      'Those that have not expired.',
    ),
  },
  examples: { snapshots: {} },
  handle: async (c, { params }) => {
    const { env, id } = await accountNamed(c.env, params.account);
    const snapshots = (await listSnapshots(env.DB, id)).map((snapshot) => ({
      key: snapshotKey(snapshot),
      bytes: snapshot.bytes,
      length: snapshot.length,
      cached_at: isoTime(snapshot.cachedAt),
      last_used_at: isoTime(snapshot.lastUsedAt),
    }));
    return { body: { snapshots } };
  },
});

operator.write({
  method: 'delete',
  path: SNAPSHOTS,
  operationId: 'deleteSnapshots',
  summary: 'Delete cached parts of an account’s feeds',
  description:
    'Up to 800 at a time: repeat it until it deletes none. They are built again when they are requested.',
  ...OPERATOR,
  request: { params: byAccount },
  responses: {
    200: ok(namedObject('SnapshotsDeleted', { deleted: z.int() }), 'How many were deleted.'),
  },
  examples: { deleted: {} },
  handle: async (c, { params }) => {
    const { env, id } = await accountNamed(c.env, params.account);
    return { body: { deleted: await deleteSnapshotsOf(env, id) } };
  },
});

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'must be a day such as 2026-11-23');

operator.read({
  path: '/v1/operator/backups',
  operationId: 'listBackups',
  summary: 'List the nightly backups',
  description: 'They are kept for 30 days.',
  ...OPERATOR,
  request: {
    query: z.object({
      account: z.string().optional().describe('Only those of the account with this code.'),
    }),
  },
  responses: {
    200: ok(
      namedObject('Backups', {
        backups: z.array(
          z.object({
            account: z.string(),
            day,
            bytes: z.int(),
            documents: z.int().nullable().describe('null if it is not complete.'),
          }),
        ),
      }),
      'By account and day.',
    ),
  },
  problems: { unavailable: { request: undefined }, bad_parameter: { request: undefined } },
  examples: { backups: {} },
  handle: async ({ env }, { query: { account } }) => {
    const backups = (await listBackups(env.FILES, account?.toUpperCase())).map(
      ({ pieces: _, ...backup }) => backup,
    );
    return { body: { backups } };
  },
});

operator.write({
  method: 'post',
  path: '/v1/operator/accounts/{account}/restore',
  operationId: 'restoreAccount',
  summary: 'Restore an account’s portfolio from a backup',
  description:
    'Imports the backup: properties that were added since then are withdrawn. Watch the import at its `Location`.',
  ...OPERATOR,
  request: {
    params: byAccount,
    body: json(
      namedStrictObject('Restore', {
        day: day.optional().describe('By default that of the last complete backup.'),
      }),
      MAX_BYTES,
    ),
  },
  responses: { 202: ok(importSummary, 'The import has been accepted.', 'Location') },
  problems: {
    backup_not_found: {
      description: 'there is no complete backup, or none of this day.',
      detail: 'DEMO has no complete backup of 2026-01-01.',
      request: { body: { day: '2026-01-01' } },
    },
  },
  examples: { restored: { request: { body: {} }, when: 'there is a backup' } },
  handle: async (c, { params, body: { day } }) => {
    const { env, id: accountId, code } = await changeableAccount(c.env, params.account);
    const complete = (await listBackups(env.FILES, code)).filter(
      ({ documents }) => documents !== null,
    );
    const backup = day === undefined ? complete.at(-1) : complete.find((one) => one.day === day);
    if (backup === undefined) {
      const detail = `${code} has no complete backup${day === undefined ? '' : ` of ${day}`}.`;
      throw new ProblemError({ code: 'backup_not_found', detail });
    }
    const id = await importFile(env, accountId, RESTORING, openBackup(env.FILES, backup));
    if (id === null) {
      throw new ProblemError({
        code: 'too_many_imports',
        detail: `At most ${MAX_WAITING} imports can be waiting.`,
      });
    }
    const found = await findImport(env.DB, accountId, id);
    return {
      status: 202,
      body: importView(found!),
      headers: { Location: `/v1/imports/${id}?account=${code}` },
    };
  },
});

/** A backup replaces everything. */
const RESTORING = {
  actor: { kind: 'operator' },
  format: null,
  strict: false,
  replace: true,
  maxWithdrawn: 100,
  channel: null,
} as const;
