import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import type * as z from 'zod';
import type { Env } from '../../../src/env.ts';
import { HELD, WOULD_WITHDRAW } from '../../../src/imports/api/examples.ts';
import { keysOf } from '../../../src/imports/runs/files.ts';
import { nowInSeconds } from '../../../src/lib/time/time.ts';
import { SCOPES, type Scope } from '../../../src/oauth/scopes.ts';
import { PICTURE } from '../../../src/pictures/examples.ts';
import { VILLA } from '../../../src/properties/api/examples.ts';
import { recordRequests } from '../../../src/readers/deliveries.ts';
import { obtainToken } from '../../support/accounts/units.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { ask, type CompleteResponse, watched } from '../../support/worker/ask.ts';
import type { DocumentedOperation } from './operations.ts';
import type { Cause } from './requests.ts';

const tokens = new Map<Scope, string>();

/** Requests a token of the demo client for each scope. Call it once, after `openExampleAgency`. */
export async function obtainTokens(): Promise<void> {
  for (const scope of SCOPES) {
    tokens.set(scope, await obtainToken({ clientId: 'demo-client', secret: 'demo-secret' }, scope));
  }
}

/** The response to an example's request, under its precondition. */
export async function send(
  operation: DocumentedOperation,
  request: Cause,
): Promise<CompleteResponse> {
  const { path = {}, query = {}, when } = request;
  const [firstType] = operation.mediaTypes;
  const mediaType = request.mediaType ?? firstType;
  const inPath = (name: string) =>
    path[name] ?? String((operation.request.params!.shape[name] as z.ZodType).meta()!.example);
  const url = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(inPath(name)),
  );
  const hasBody = firstType !== undefined && request.body !== undefined;
  const init = {
    method: request.method ?? operation.method.toUpperCase(),
    headers: {
      ...(hasBody && { 'Content-Type': mediaType! }),
      ...authorization(operation, when),
      ...request.headers,
    },
    ...(hasBody && { body: encode(request.body, mediaType) }),
  };
  const pairs = Object.entries(query).flatMap(([name, given]) =>
    [given].flat().map((value) => [name, value]),
  );
  const target = `${url}?${new URLSearchParams(pairs)}`;
  await prepare(when);
  if (when !== 'unchanged since the last request') {
    try {
      return await ask(target, init, withTasks(bindings(when)).env);
    } finally {
      // Most requests have no precondition, and begin no operation.
      if (when !== undefined || operation.path.startsWith('/v1/operator')) await undo();
    }
  }
  const before = await ask(target, init);
  return ask(target, {
    ...init,
    headers: { ...init.headers, 'If-None-Match': before.headers.get('ETag')! },
  });
}

/** Takes back preconditions that other examples do not expect. */
async function undo(): Promise<void> {
  await env.DB.batch(
    [
      `DELETE FROM webhooks WHERE url = ''`,
      `DELETE FROM sources WHERE url = ''`,
      `DELETE FROM imports WHERE options = '{}'`,
      `DELETE FROM readers WHERE name = 'villas'`,
      'DELETE FROM deliveries',
      'DELETE FROM moves',
      'DELETE FROM operations',
      'UPDATE accounts SET disabled = 0 WHERE disabled',
    ].map((sql) => env.DB.prepare(sql)),
  );
}

/** Brings about the preconditions that are a state of the account. */
async function prepare(when: Cause['when']): Promise<void> {
  switch (when) {
    case 'the reader exists':
      return write('POST', 'readers:write', '/v1/readers', { name: 'idealista' });
    case 'the reader has been answered':
      await prepare('the reader exists');
      return answerReader('idealista');
    case 'rules of a reader have the name':
    case 'the account has a name of its own':
      await env.DB.exec(
        `INSERT OR IGNORE INTO vocabulary (account_id, kind, code, document) SELECT id, 'type', 'Villaa', '{"labels":{}}' FROM accounts WHERE code = 'DEMO'`,
      );
      if (when === 'the account has a name of its own') return;
      return write('POST', 'readers:write', '/v1/readers', {
        name: 'villas',
        selection: { types: ['Villaa'] },
      });
    case 'a reader has the channel':
      return write('POST', 'readers:write', '/v1/readers', {
        name: 'coastal',
        channel: 'sea-views',
      });
    case 'the channel exists':
      return write('POST', 'readers:write', '/v1/channels/inland/add', {
        properties: ['R4100001'],
      });
    case 'a property is a unit':
      return write('PUT', 'properties:write', '/v1/properties/CS-3001', {
        ...VILLA,
        status: 'Withdrawn',
        unit: { development: 'sol-azul', name: 'A-102' },
      });
    case 'the property has no pictures':
    case 'the Images binding is off':
      return photograph([]);
    case 'the property has the picture':
      return photograph([PICTURE]);
    case 'the property has a picture elsewhere':
      return photograph(['https://www.example.com/villa/1.jpg']);
    case 'the property has too many pictures':
      return photograph(Array.from({ length: 1_000 }, (_, i) => `https://x.example/${i}.jpg`));
    case 'the webhook exists':
      return write('PUT', 'webhooks:write', '/v1/webhooks/crm', { url: 'https://x.example/' });
    case 'the source exists':
      return write('PUT', 'properties:write', '/v1/sources/crm', {
        url: 'https://x.example/',
        every: 'hour',
        at: '03:30',
      });
    case 'the account has too many webhooks':
      return fill(
        'webhooks',
        'name, url, events, origin, secret, confirmed_number',
        `'x' || i, '', '[]', '', '', 0`,
        1_000,
      );
    case 'the account has too many imports':
      return fill('imports', 'state, options', `'receiving', '{}'`, 20);
    case 'the account has too many sources': {
      const columns =
        'name, url, shown_url, every, at, max_withdrawn, strict, enabled, next_run_at';
      return fill('sources', columns, `'x' || i, '', '', 'day', '03:00', 20, 0, 0, 0`, 50);
    }
    case 'the account is disabled':
      await env.DB.exec(`UPDATE accounts SET disabled = 1 WHERE code = 'DEMO'`);
      return;
    case 'the account is being moved':
      await env.DB.exec(`UPDATE accounts SET disabled = 1 WHERE code = 'DEMO'`);
      await env.DB.exec(
        `INSERT INTO moves (account_id, code, other, state) SELECT id, code, 'DB_2', 'leaving' FROM accounts WHERE code = 'DEMO'`,
      );
      return;
    case 'the account is being deleted':
      await env.DB.exec(`INSERT INTO operations (kind, account) VALUES ('delete', 'DEMO')`);
      return;
    case 'there is a backup':
      await env.FILES.put(
        'backups/DEMO/2026-11-22/00000.ndjson.gz',
        gzipSync('{"kind":"end","documents":0}'),
        {
          customMetadata: { next: '', documents: '2' },
        },
      );
      return;
    case 'there is an operation':
      await env.DB.exec(
        `INSERT OR REPLACE INTO operations (id, kind, account) VALUES (1, 'delete', 'X')`,
      );
      return;
    case 'the import is held': {
      const { code, detail } = HELD.error!;
      const accountId = await env.DB.prepare(
        `INSERT OR REPLACE INTO imports (id, account_id, state, options, bytes, code, detail)
         SELECT 17, id, 'held', '{"maxWithdrawn":20}', ?1, ?2, ?3 FROM accounts WHERE code = 'DEMO' RETURNING account_id`,
      )
        .bind(HELD.bytes, code, detail)
        .first<number>('account_id');
      await env.FILES.put(
        keysOf({ accountId: accountId!, id: 17 }).report,
        JSON.stringify(WOULD_WITHDRAW),
      );
    }
  }
}

/** Adds rows to a table of the account. They are deleted after the request. */
async function fill(table: string, columns: string, values: string, rows: number): Promise<void> {
  await env.DB.exec(
    `INSERT INTO ${table} (account_id, ${columns}) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) ` +
      `SELECT a.id, ${values} FROM n, accounts a WHERE a.code = 'DEMO'`,
  );
}

/** Gives a property its pictures. */
function photograph(pictures: readonly unknown[]): Promise<void> {
  const property = { ...VILLA, status: 'Withdrawn', pictures };
  return write('PUT', 'properties:write', '/v1/properties/CS-4001', property);
}

/** Records that a reader was sent its feed. */
async function answerReader(name: string): Promise<void> {
  const sql = `SELECT r.id FROM readers r JOIN accounts a ON a.id = r.account_id WHERE a.code = 'DEMO' AND r.name = ?`;
  const readerId = (await env.DB.prepare(sql).bind(name).first<number>('id'))!;
  const at = nowInSeconds();
  await recordRequests(env.DB, readerId, {
    feed: 'resales?FV=3&T=SALE',
    count: 1,
    lastAt: at,
    days: {},
    delivery: null,
    visits: [
      {
        at,
        until: at,
        count: 1,
        answer: 'full',
        status: 200,
        records: 69,
        bytes: 70_000,
        program: 'feed-reader/2.4',
      },
    ],
  });
}

async function write(method: string, scope: Scope, path: string, body: unknown): Promise<void> {
  const headers = {
    Authorization: `Bearer ${tokens.get(scope)}`,
    'Content-Type': 'application/json',
  };
  await ask(path, { method, headers, body: JSON.stringify(body) });
}

function encode(body: unknown, mediaType: string | undefined): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (mediaType !== 'application/x-www-form-urlencoded' || Array.isArray(body))
    return JSON.stringify(body);
  return new URLSearchParams(body as Record<string, string>).toString();
}

/** A token with the scope of an operation, unless the example is about not having one. */
function authorization(
  { security }: DocumentedOperation,
  when: Cause['when'],
): Record<string, string> {
  if (when === 'no credentials') return {};
  if (security.some((schemes) => schemes.operatorKey)) {
    return { Authorization: `Bearer ${env.OPERATOR_KEY}` };
  }
  const [required] = security.flatMap((schemes) => schemes.accessToken ?? []);
  if (required === undefined) return {};
  const lacking = required === 'units:read' ? 'units:write' : 'units:read';
  const scope = when === 'the token lacks the scope' ? lacking : (required as Scope);
  return { Authorization: `Bearer ${tokens.get(scope)}` };
}

function bindings(when: Cause['when']): Env {
  const refusing = { limit: async () => ({ success: false }) };
  const fail = (error: Error) => () => {
    throw error;
  };
  switch (when) {
    case 'the database fails':
      return { ...watched(fail(new Error('D1_ERROR: internal error'))), SIGNING_KEYS: '' };
    case 'a rate limit is exceeded':
      return { ...env, CREDENTIAL_CHECKS: refusing, TOKENS: refusing, UPDATES: refusing };
    case 'an unexpected error':
      return { ...env, METRICS: { writeDataPoint: fail(new TypeError('unexpected')) } };
    case 'the Images binding is off':
      return { ...env, IMAGES: undefined } as unknown as Env;
    default:
      return env;
  }
}
