import { type ReaderAddress, revokeOldKeys, rotateKey, setReaderDisabled } from '../../db/readers/readers.ts';
import { newReaderKey } from '../../feed/request/reader-key.ts';
import { Api } from '../../http/api.ts';
import { json, ok } from '../../http/operation.ts';
import { NOT_CACHED } from '../../http/page.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { changing, currentReader, readerNotFound } from './current.ts';
import { AT_READER, IDEALISTA, KEY, NO_READER } from './examples.ts';
import { DAY_SECONDS } from './new-reader.ts';
import { byReader, readerRotationBody, readerWithFeeds, readerWithKey } from './schemas.ts';

const READER = '/v1/readers/{reader}';

/** Manages the keys of readers. */
export const readerKeys = new Api('Readers');

readerKeys.operation(
  {
    method: 'post',
    path: `${READER}/rotate`,
    operationId: 'rotateReader',
    summary: 'Create another key',
    description: 'The old keys stay valid for `old_key_days` days, 14 unless stated, or until they are revoked.',
    middleware: requireScope('readers:write'),
    limited: true,
    request: { params: byReader, body: json(readerRotationBody, 16 * 1024) },
    responses: { 200: ok(readerWithKey, 'The reader with its new key.') },
    problems: {
      reader_not_found: NO_READER,
      invalid_fields: {
        request: { ...AT_READER, body: { old_key_days: 366 } },
        errors: [{ pointer: '/old_key_days', detail: 'must be an integer from 0 to 365' }],
      },
    },
    examples: {
      rotated: {
        request: { ...AT_READER, body: { old_key_days: 14 } },
        body: { ...IDEALISTA, keys: 2, old_keys_expire_at: '2026-12-06T09:30:00Z', key: KEY },
      },
    },
  },
  async (c) => {
    const name = c.req.valid('param').reader;
    const address = { accountId: c.var.caller.accountId, name };
    const seconds = c.req.valid('json').old_key_days * DAY_SECONDS;
    const key = newReaderKey();
    const isRotated = await changing(c, rotateKey(c.env.DB, address, sha256Hex(key), seconds));
    if (!isRotated) throw readerNotFound(name);
    return c.json({ ...(await currentReader(c, name)), key }, 200, NOT_CACHED);
  },
);

/** Operations without a body, by the last segment of their paths. */
const OPERATIONS = [
  {
    name: 'revoke',
    operationId: 'revokeOldKeys',
    summary: 'Revoke old keys',
    description: 'All but the newest are rejected within a second.',
    change: async (db: D1Database, reader: ReaderAddress) => (await revokeOldKeys(db, reader)) !== null,
    after: {},
  },
  {
    name: 'disable',
    operationId: 'disableReader',
    summary: 'Disable a reader',
    description: 'Its keys are rejected within a second.',
    change: (db: D1Database, reader: ReaderAddress) => setReaderDisabled(db, reader, true),
    after: { disabled: true },
  },
  {
    name: 'enable',
    operationId: 'enableReader',
    summary: 'Enable a reader',
    description: 'Its keys are accepted again.',
    change: (db: D1Database, reader: ReaderAddress) => setReaderDisabled(db, reader, false),
    after: {},
  },
] as const;

for (const { name: operation, change, after, ...documented } of OPERATIONS) {
  readerKeys.operation(
    {
      ...documented,
      method: 'post',
      path: `${READER}/${operation}`,
      middleware: requireScope('readers:write'),
      limited: true,
      request: { params: byReader },
      responses: { 200: ok(readerWithFeeds, 'The reader’s current state.') },
      problems: { reader_not_found: NO_READER },
      examples: { [operation]: { request: AT_READER, body: { ...IDEALISTA, ...after } } },
    },
    async (c) => {
      const name = c.req.valid('param').reader;
      const exists = await changing(c, change(c.env.DB, { accountId: c.var.caller.accountId, name }));
      if (!exists) throw readerNotFound(name);
      return c.json(await currentReader(c, name), 200, NOT_CACHED);
    },
  );
}
