import * as z from 'zod';
import { NOT_CACHED, REVALIDATED } from '../../api/headers.ts';
import { json } from '../../api/requests.ts';
import { body, error, errors, ok } from '../../api/responses.ts';
import { createRoute } from '../../api/router.ts';
import { namedObject, namedStrictObject, time } from '../../api/schemas.ts';
import { snapshotKey } from '../../feed/manifest/plan.ts';
import { importSummary, importView } from '../../imports/api/schemas.ts';
import { findImport, MAX_WAITING } from '../../imports/runs/imports.ts';
import { importFile } from '../../imports/runs/manage.ts';
import { isoTime } from '../../lib/time/time.ts';
import { matching } from '../../messages/parsed.ts';
import { ProblemError } from '../../problem.ts';
import { accountNamed, changeableAccount } from '../access.ts';
import { listBackups, openBackup } from '../backups/store.ts';
import { listSnapshots } from '../inspect.ts';
import { deleteSnapshotsOf } from '../snapshots.ts';
import { byAccount, MAX_BYTES, NO_ACCOUNT, OPERATOR, OPERATOR_ERRORS, operator } from './api.ts';

const SNAPSHOTS = '/v1/operator/accounts/{account}/snapshots';

const snapshotList = namedObject('Snapshots', {
  snapshots: z.array(
    z.object({
      key: z.string(),
      bytes: z.int(),
      length: z.int(),
      cached_at: time,
      last_used_at: time,
    }),
  ),
});

const getSnapshots = createRoute({
  method: 'get',
  path: SNAPSHOTS,
  operationId: 'listSnapshots',
  summary: 'List the cached parts of an account’s feeds',
  ...OPERATOR,
  request: { params: byAccount },
  responses: {
    200: ok(snapshotList, 'Those that have not expired.'),
    ...errors(OPERATOR_ERRORS, NO_ACCOUNT),
  },
});

operator.openapi(getSnapshots, async (c) => {
  const { env, id } = await accountNamed(c.env, c.req.valid('param').account);
  const snapshots = (await listSnapshots(env.DB, id)).map((snapshot) => ({
    key: snapshotKey(snapshot),
    bytes: snapshot.bytes,
    length: snapshot.length,
    cached_at: isoTime(snapshot.cachedAt),
    last_used_at: isoTime(snapshot.lastUsedAt),
  }));
  return c.json({ snapshots }, 200, REVALIDATED);
});

const snapshotsDeleted = namedObject('SnapshotsDeleted', { deleted: z.int() });

const deleteSnapshots = createRoute({
  method: 'delete',
  path: SNAPSHOTS,
  operationId: 'deleteSnapshots',
  summary: 'Delete cached parts of an account’s feeds',
  description:
    'Up to 800 at a time: repeat it until it deletes none. They are built again when they are ' +
    'requested.',
  ...OPERATOR,
  request: { params: byAccount },
  responses: {
    200: ok(snapshotsDeleted, 'How many were deleted.'),
    ...errors(OPERATOR_ERRORS, NO_ACCOUNT),
  },
});

operator.openapi(deleteSnapshots, async (c) => {
  const { env, id } = await accountNamed(c.env, c.req.valid('param').account);
  return c.json({ deleted: await deleteSnapshotsOf(env, id) }, 200, NOT_CACHED);
});

const day = matching(/^\d{4}-\d\d-\d\d$/, 'not_day');

const backupList = namedObject('Backups', {
  backups: z.array(
    z.object({
      account: z.string(),
      day,
      bytes: z.int(),
      documents: z.int().nullable().describe('null if it is not complete.'),
    }),
  ),
});

const getBackups = createRoute({
  method: 'get',
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
    200: ok(backupList, 'By account and day.'),
    // No database is read.
    ...errors(OPERATOR_ERRORS, error('unavailable', 'a setting fails. Repeat the request.')),
  },
});

operator.openapi(getBackups, async (c) => {
  const { account } = c.req.valid('query');
  const found = await listBackups(c.env.FILES, account?.toUpperCase());
  const backups = found.map(({ pieces: _, ...backup }) => backup);
  return c.json({ backups }, 200, REVALIDATED);
});

const restore = namedStrictObject('Restore', {
  day: day.optional().describe('By default that of the last complete backup.'),
});

const restoreAccount = createRoute({
  method: 'post',
  path: '/v1/operator/accounts/{account}/restore',
  operationId: 'restoreAccount',
  summary: 'Restore an account’s portfolio from a backup',
  description:
    'Imports the backup: properties that were added since then are withdrawn. Watch the import ' +
    'at its `Location`.',
  ...OPERATOR,
  request: { params: byAccount, body: json(restore, MAX_BYTES, { restored: {} }) },
  responses: {
    202: ok(importSummary, 'The import has been accepted.', { headers: ['Location'] }),
    ...errors(
      OPERATOR_ERRORS,
      NO_ACCOUNT,
      body(MAX_BYTES),
      error(
        'backup_not_found',
        'there is no complete backup, or none of this day.',
        'DEMO has no complete backup of 2026-01-01.',
      ),
    ),
  },
});

operator.openapi(restoreAccount, async (c) => {
  const { day } = c.req.valid('json');
  const found = await changeableAccount(c.env, c.req.valid('param').account);
  const { env, id: accountId, code } = found;
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
  const started = await findImport(env.DB, accountId, id);
  const Location = `/v1/imports/${id}?account=${code}`;
  return c.json(importView(started!), 202, { ...NOT_CACHED, Location });
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
