import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { continueImport } from '../../../src/imports/runs/run.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { type Agency, obtainToken, openAgency } from '../../support/accounts/units.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { call } from '../../support/worker/api.ts';

/** An address whose secret is easy to find in a log. */
export const MARKED_URL = 'https://crm.example.com/feed.xml?P=mark-in-url';

let agencies = 0;
export let agency: Agency;
let token: string;
export let bindings: Env;
export let tasks: ReturnType<typeof withTasks>['tasks'];
export let logged: string[];

/** Gives each test of a file an agency with two properties, whose tasks and log lines are kept. */
export function useAgency(): void {
  beforeEach(async () => {
    agency = await openAgency(`FILES${++agencies}`, [], ['properties:read', 'properties:write']);
    await store(env.DB, agency.accountId, [...VOCABULARY, property('P1'), property('P2')]);
    token = await obtainToken(agency);
    ({ env: bindings, tasks } = withTasks());
    logged = [];
    for (const method of ['info', 'warn', 'error'] as const) {
      vi.spyOn(console, method).mockImplementation(
        (...values) => void logged.push(JSON.stringify(values)),
      );
    }
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}

/** The response to a request of the agency, unless it is by another one's token. */
export function send(
  method: string,
  path: string,
  body?: BodyInit | object,
  type = 'application/json',
  by = token,
) {
  const headers = {
    Authorization: `Bearer ${by}`,
    ...(body === undefined ? {} : { 'Content-Type': type }),
  };
  return call(method, path, body, headers, bindings);
}

/** A file with these properties. */
export const feedOf = (...ids: string[]) =>
  kyeroFeed(ids.map((id) => kyeroRecord(id, { type: 'Villa' })));

/** Continues the agency's imports until there is nothing more to do. */
export const run = async (): Promise<unknown> =>
  (await continueImport(bindings, agency.accountId)) && run();

/** An import as the API shows it. */
export const importOf = async (id: number) => (await send('GET', `/v1/imports/${id}`)).body;

/** The keys of the files that are stored of the account's imports. */
export async function filesOf(): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix: `imports/${agency.accountId}/` });
  return objects.map(({ key }) => key);
}

/** The agency's properties, each with its status. */
export function statuses(): Promise<string> {
  return env.DB.prepare(
    `SELECT group_concat(identifier || ' ' || status, ', ') AS all_of FROM (SELECT * FROM properties WHERE account_id = ? ORDER BY identifier)`,
  )
    .bind(agency.accountId)
    .first('all_of') as Promise<string>;
}
