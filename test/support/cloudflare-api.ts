import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a deployment asks of Cloudflare's API, on the loopback interface: it remembers what it was given. */
export interface CloudflareApi {
  /** Environment variables by which wrangler takes it for Cloudflare. */
  readonly environment: Record<string, string>;
  /** What was asked for, in its order: a method, a path in the account, and what changed. */
  readonly changes: readonly string[];
  /** Set, it is what a migration fails with. */
  failure: string | undefined;
  /** Set, it is what an upload of the Worker fails with. */
  uploadFailure: string | undefined;
  stop(): Promise<void>;
}

/** Starts it with an account that has nothing. */
export async function startCloudflareApi(): Promise<CloudflareApi> {
  const changes: string[] = [];
  const databases: { name: string; uuid: string }[] = [];
  const stores: { title: string; id: string }[] = [];
  const migrations: string[] = [];
  let secrets: string[] | undefined;
  const api = { failure: undefined as string | undefined, uploadFailure: undefined as string | undefined };

  const answer = (path: string, method: string, body: string): unknown => {
    if (path === '/d1/database' && method === 'POST') {
      const database = { name: JSON.parse(body).name, uuid: '00000000-0000-4000-8000-000000000001' };
      databases.push(database);
      changes.push(`database ${database.name}`);
      return database;
    }
    if (path === '/d1/database') return databases;
    if (path.endsWith('/query')) return [{ success: true, meta: {}, results: query(JSON.parse(body).sql) }];
    if (path.startsWith('/d1/database/')) {
      const name = path.split('/').at(-1);
      return databases.find((database) => database.uuid === name || database.name === name) ?? missing(7404);
    }
    if (path === '/storage/kv/namespaces' && method === 'POST') {
      const { title } = JSON.parse(body);
      if (stores.some((store) => store.title === title)) {
        throw new ApiError(400, 10014, 'A namespace with this account ID and title already exists.');
      }
      const store = { title, id: '0123456789abcdef0123456789abcdef' };
      stores.push(store);
      changes.push(`store ${store.title}`);
      return store;
    }
    if (path === '/storage/kv/namespaces') return stores;
    if (path.endsWith('/secrets')) return secrets?.map((name) => ({ name, type: 'secret_text' })) ?? missing(10007);
    if (path.endsWith('/settings') && method === 'GET')
      return secrets === undefined ? missing(10007) : { bindings: BOUND };
    if (path.endsWith('/deployments') && method === 'GET') return { deployments: [] };
    if (/^\/workers\/services\/[^/]+$/.test(path)) return missing(10090);
    if (/^\/workers\/scripts\/[^/]+(\/versions)?$/.test(path) && method !== 'GET') {
      if (api.uploadFailure !== undefined) throw new ApiError(500, 10001, api.uploadFailure);
      const given = [...body.matchAll(/"name":"([A-Z_]+)","type":"secret_text"/g)].map(([, name]) => name!);
      secrets = [...new Set([...(secrets ?? []), ...given])];
      changes.push(['Worker', ...given].join(' with '));
      return { id: 'version', startup_time_ms: 1, metadata: { has_preview: false }, deployment_id: 'deployment' };
    }
    if (path.endsWith('/edge-preview') && method === 'POST') {
      const bound = BOUND.filter((binding) => body.includes(binding.id ?? binding.namespace_id));
      changes.push(['preview', ...bound.map(({ name }) => name)].join(' with '));
      return { preview_token: 'token' };
    }
    if (path.endsWith('/subdomain')) return { subdomain: 'agency', enabled: true, previews_enabled: false };
    return [];
  };

  const query = (sql: string): object[] => {
    const [, name] = /INSERT INTO d1_migrations \(name\)\s+values \('([^']+)'\)/.exec(sql) ?? [];
    if (name === undefined)
      return sql.includes('FROM d1_migrations') ? migrations.map((name, id) => ({ id, name })) : [];
    if (api.failure !== undefined) throw new ApiError(400, 7500, api.failure);
    migrations.push(name);
    changes.push(`migration ${name}`);
    return [];
  };

  const server = createServer((request, response) => respond(request, response, answer));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    get failure() {
      return api.failure;
    },
    set failure(message) {
      api.failure = message;
    },
    get uploadFailure() {
      return api.uploadFailure;
    },
    set uploadFailure(message) {
      api.uploadFailure = message;
    },
    changes,
    environment: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account',
    },
    stop: () => new Promise((done) => server.close(() => done())),
  };
}

/** What a deployed Worker has, so that the next deployment leaves it. */
const BOUND = [
  { type: 'd1', name: 'DB', id: '00000000-0000-4000-8000-000000000001' },
  { type: 'kv_namespace', name: 'SNAPSHOTS', namespace_id: '0123456789abcdef0123456789abcdef' },
];

class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

function missing(code: number): never {
  throw new ApiError(404, code, 'There is none.');
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (path: string, method: string, body: string) => unknown,
): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('latin1')) body += chunk;
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://api');
  response.setHeader('Content-Type', 'application/json');
  try {
    const beyond = Number(searchParams.get('page') ?? 1) > 1;
    const result = beyond ? [] : answer(pathname.replace('/accounts/account', ''), request.method ?? '', body);
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
  } catch (error) {
    const { status, code, message } = error as ApiError;
    response.statusCode = status;
    response.end(JSON.stringify({ success: false, errors: [{ code, message }], messages: [], result: null }));
  }
}
