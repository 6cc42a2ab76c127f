import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { ask } from '../support/ask.ts';
import { obtainToken, openAgency, withToken } from '../support/units.ts';

/** A database without tables: whatever the statement, SQLite reports a missing one. */
const withoutTables = {
  prepare: () => env.DB.prepare('SELECT * FROM missing'),
  batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
} as unknown as D1Database;

const grant = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' };

test.each<[string, string, () => Promise<RequestInit>]>([
  ['GET a feed', '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@A&P=b', async () => ({})],
  ['POST /oauth/token', '/oauth/token', async () => ({ method: 'POST', body: new URLSearchParams(grant) })],
  [
    'GET /v1/developments',
    '/v1/developments',
    async () => ({ headers: withToken(await obtainToken(await openAgency('SETUP', []))) }),
  ],
])('%s without tables: 503, and the log says what to run', async (_, path, init) => {
  const request = await init();
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { status, headers, bytes } = await ask(path, request, { ...env, DB: withoutTables });
  const lines = logged.mock.calls.flat().map(String);
  logged.mockRestore();
  expect([status, headers.has('Retry-After')]).toEqual([503, true]);
  expect(new TextDecoder().decode(bytes)).not.toContain('npm');
  expect(lines).toEqual([expect.stringContaining('Run: npm run setup')]);
});
