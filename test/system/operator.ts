import { afterAll, beforeAll, expect } from 'vitest';
import { findErrors, findFeedErrors } from '../support/documents/xsd.ts';
import {
  type Operator,
  SHARED,
  sharedOperator,
  startOperator,
} from '../support/processes/operator.ts';

/** The operator of the running test file: see {@link useOperator}. */
export let operator: Operator;
export const { SIGNING_KEYS } = SHARED;

/** Gives the tests of a file the operator that files share, or one of their own with an empty database. */
export function useOperator(isOwn = false): void {
  beforeAll(async () => {
    operator = await (isOwn ? startOperator(SHARED) : sharedOperator());
  });
  afterAll(() => (isOwn ? operator.stop() : undefined));
}

/** Creates an account, and returns its password. */
export async function createAccount(code: string): Promise<string> {
  const { password } = await operator.json<{ password: string }>(['account', 'create', code]);
  return password;
}

export async function accountId(code: string): Promise<number> {
  return (await operator.server.db
    .prepare('SELECT id FROM accounts WHERE code = ?')
    .bind(code)
    .first<number>('id'))!;
}

/** The exit code and the error code of a command that must print nothing else. */
export async function failureOf(args: readonly string[]): Promise<{ exit: number; code: string }> {
  const { exit, out, err } = await operator.run([...args, '--json']);
  expect(out).toBe('');
  return { exit, code: JSON.parse(err).error.code };
}

/** Records snapshots of the account CACHED that are not in KV. */
export async function recordSnapshots(
  parameters: string,
  bytes: number,
  times: number,
): Promise<void> {
  await operator.server.db
    .prepare(
      `INSERT INTO snapshots (account_id, format, parameters, part, incarnation, revision, bytes, crc, length, records, cached_at, last_used_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
       SELECT a.id, 1, ?1, i, 1, 1, ?2, 0, ?2, 1, unixepoch(), unixepoch() FROM n JOIN accounts a ON a.code = 'CACHED'`,
    )
    .bind(parameters, bytes, times)
    .run();
}

let pictures = 0;

/** Parameters that no other feed of this process has had: its manifest is read, not in memory for up to a second. */
export const ofItsOwn = () => `IC=${++pictures}`;

export function feedStatus(code: string, password: string): Promise<number> {
  const query = `U=OWNPROPERTIES@${code}&P=${password}&${ofItsOwn()}`;
  return fetch(new URL(`/CreateXMLFeedV3.asp?${query}`, operator.server.url)).then(
    async (response) => {
      const document = await response.text();
      expect(
        response.status === 200 ? findFeedErrors(document) : findErrors(document, 'error.xsd'),
      ).toEqual([]);
      return response.status;
    },
  );
}

/** Waits for longer than an isolate caches a manifest. */
export const manifestExpiry = () => new Promise((done) => setTimeout(done, 1_100));

export async function tokenStatus(id: string, secret: string): Promise<number> {
  const response = await fetch(new URL('/oauth/token', operator.server.url), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }),
  });
  await response.arrayBuffer();
  return response.status;
}
