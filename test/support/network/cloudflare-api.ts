import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ImportStep, type RemoteDatabases, startRemoteDatabases } from './import-endpoint.ts';
import { listen } from './listen.ts';

/** A request of a deployment that can be made to fail. */
export type Step =
  | 'create database'
  | 'create store'
  | 'create bucket'
  | 'create queue'
  | 'ledger'
  | ImportStep
  | 'import upload'
  | 'secrets'
  | 'upload Worker'
  | 'enable subdomain';

/** The part of Cloudflare's API that a deployment uses, on the loopback interface. It records what it receives. */
export interface CloudflareApi {
  /** Environment variables that direct wrangler to it. */
  readonly environment: Record<string, string>;
  /** What has been changed, in order: a word for each creation, with its arguments. */
  readonly changes: readonly string[];
  /** The metadata of the last upload of the Worker. */
  readonly uploaded: Record<string, unknown>;
  /** The Worker's secrets: the last value of each. */
  readonly secrets: Record<string, string>;
  /** The last setting of the Worker's addresses. */
  readonly addresses: { readonly [field: string]: unknown };
  /** The deployed database; it exists even before it has been created. */
  readonly db: D1Database;
  /** The same for the first, second and third database. */
  readonly databases: readonly D1Database[];
  /** The steps that fail, with their messages. */
  failing: Readonly<Partial<Record<Step, string | undefined>>>;
  /** The account's subdomain of workers.dev, if one has been claimed. */
  subdomain: string | undefined;
  /** The region that the API reports for the database; by default, where it was created. */
  region: string | null | undefined;
  /** The custom domains of the account, with their Workers. */
  domains: readonly { readonly hostname: string; readonly service: string }[];
  /** The names of the DNS records of the account's zone `example.com`. */
  records: readonly string[];
  /** Whether the credentials may read DNS records. */
  mayReadRecords: boolean;
  /** Whether the account has the free plan. */
  isFree: boolean;
  /** The lifecycle rules of the bucket. */
  readonly rules: readonly object[];
  /** The queues of the account. */
  readonly queues: { queue_name: string; jurisdiction?: string; consumers: unknown[] }[];
  /** The accounts that the token can access. */
  accounts: readonly { readonly id: string; readonly name: string }[];
  stop(): Promise<void>;
}

const DATABASE_IDS = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`);
const STORE = '0123456789abcdef0123456789abcdef';

/** What a deployed Worker has, so that the next deployment leaves it. */
const BOUND = [
  { type: 'd1', name: 'DB', id: DATABASE_IDS[0] },
  { type: 'kv_namespace', name: 'SNAPSHOTS', namespace_id: STORE },
  { type: 'r2_bucket', name: 'FILES', bucket_name: 'lindero-files' },
  { type: 'queue', name: 'TASKS', queue_name: 'lindero-tasks' },
  { type: 'queue', name: 'LONG_TASKS', queue_name: 'lindero-long-tasks' },
  { type: 'queue', name: 'DEAD_TASKS', queue_name: 'lindero-dead-tasks' },
];

/** Starts it with an account that has nothing but a subdomain. */
export async function startCloudflareApi(): Promise<CloudflareApi> {
  const remote = await startRemoteDatabases(DATABASE_IDS.length, () => server.origin);
  const service = new Service(remote);
  const server = await listen((request, response) => respond(request, response, service));
  return Object.assign(service, {
    db: remote.all[0]!.db,
    databases: remote.all.map(({ db }) => db),
    environment: {
      CLOUDFLARE_API_BASE_URL: server.origin,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account',
    },
    stop: async () => {
      await server.stop();
      await remote.stop();
    },
  });
}

class Service {
  readonly changes: string[] = [];
  failing: Readonly<Partial<Record<Step, string | undefined>>> = {};
  subdomain: string | undefined = 'agency';
  accounts = [{ id: 'account', name: 'Agency' }];
  uploaded: Record<string, unknown> = {};
  readonly secrets: Record<string, string> = {};
  addresses: Record<string, unknown> = {};
  region: string | null | undefined;
  domains: readonly { hostname: string; service: string }[] = [];
  records: readonly string[] = [];
  mayReadRecords = true;
  isFree = false;
  rules: readonly object[] = [{ id: 'Default Multipart Abort Rule' }];
  readonly queues: { queue_name: string; jurisdiction?: string; consumers: unknown[] }[] = [];
  readonly #remote: RemoteDatabases;
  readonly #created: { name: string; uuid: string; running_in_region: string }[] = [];
  #stores: { title: string; id: string }[] = [];
  readonly #buckets: string[] = [];

  constructor(remote: RemoteDatabases) {
    this.#remote = remote;
  }

  /** Fails if a test has arranged that this step fails. */
  readonly #step = (step: Step): void => {
    const message = this.failing[step];
    if (message !== undefined) throw new ApiError(400, 7500, message);
  };

  /** Receives a file for the import endpoint, and returns its entity tag. */
  receive(content: string): string {
    this.#step('import upload');
    return this.#remote.upload(content);
  }

  /** The result of a request. */
  async resultOf(
    path: string,
    method: string,
    body: string,
    jurisdiction: string | undefined,
    query: URLSearchParams,
  ): Promise<unknown> {
    const route = path.replace('/accounts/account/', '/');
    if (path.startsWith('/zones')) return this.#zone(path, query);
    if (path === '/accounts' || path === '/memberships') {
      return path === '/accounts'
        ? this.accounts
        : this.accounts.map((account) => ({ id: account.id, account }));
    }
    if (path.startsWith('/accounts/') && route === path)
      throw new ApiError(403, 9109, 'Unauthorized to access');
    if (route.startsWith('/d1/database')) return this.#databases(route, method, body);
    if (route === '/storage/kv/namespaces')
      return method === 'POST' ? this.#createStore(body) : this.#stores;
    if (route.startsWith('/r2/buckets')) return this.#bucket(route, method, body, jurisdiction);
    if (route === '/workers/domains') return this.domains;
    if (route.startsWith('/queues')) return this.#queue(route, method, body);
    if (route === '/workers/subdomain') {
      return this.subdomain === undefined ? missing(10007) : { subdomain: this.subdomain };
    }
    return this.#worker(route, method, body);
  }

  async #databases(route: string, method: string, body: string): Promise<unknown> {
    const [, id, action] = /^\/d1\/database\/([^/]+)(?:\/(\w+))?$/.exec(route) ?? [];
    const remote = this.#remote.all[DATABASE_IDS.indexOf(id ?? '')];
    if (action === 'query') {
      this.#step('ledger');
      const { sql, params } = JSON.parse(body);
      return remote!.query(sql, params);
    }
    if (action === 'import') return remote!.import(JSON.parse(body), this.#step);
    if (route === '/d1/database' && method === 'POST') {
      this.#step('create database');
      const { name, primary_location_hint: location, jurisdiction } = JSON.parse(body);
      const uuid = DATABASE_IDS[this.#created.length]!;
      const created = {
        name,
        uuid,
        jurisdiction,
        running_in_region: (location ?? 'weur').toUpperCase(),
      };
      this.#created.push(created);
      this.changes.push(`database ${name} in ${location ?? jurisdiction}`);
      return created;
    }
    if (route === '/d1/database') return this.#created;
    const found = this.#created.find(({ uuid }) => uuid === id) ?? missing(7404);
    return { ...found, ...(this.region === undefined ? {} : { running_in_region: this.region }) };
  }

  #zone(path: string, query: URLSearchParams): unknown {
    const name = query.get('name');
    if (!path.endsWith('/dns_records')) return name === 'example.com' ? [{ id: 'zone' }] : [];
    if (!this.mayReadRecords) throw new ApiError(403, 10000, 'Authentication error');
    return this.records.filter((record) => record === name).map((record) => ({ name: record }));
  }

  /** What publishing these domains would change. */
  #changeset(body: string): unknown {
    if (Object.keys(this.uploaded).length === 0) return missing(10007);
    const asked: { hostname: string }[] = JSON.parse(body);
    const conflicting = asked.filter(({ hostname }) => this.records.includes(hostname));
    return { added: [], removed: [], updated: [], conflicting };
  }

  #bucket(route: string, method: string, body: string, jurisdiction: string | undefined): unknown {
    if (route.endsWith('/lifecycle')) {
      if (method === 'PUT') this.rules = JSON.parse(body).rules;
      return { rules: this.rules };
    }
    if (method === 'GET')
      return this.#buckets.includes(route.split('/').at(-1)!) ? {} : missing(10006);
    this.#step('create bucket');
    const { name } = JSON.parse(body);
    this.#buckets.push(name);
    this.changes.push(`bucket ${name}${within(jurisdiction)}`);
    return {};
  }

  #createStore(body: string): unknown {
    this.#step('create store');
    const { title, jurisdiction } = JSON.parse(body);
    const store = { title, id: STORE };
    if (this.#stores.some(({ title }) => title === store.title)) {
      throw new ApiError(400, 10014, 'A namespace with this account ID and title already exists.');
    }
    this.#stores.push(store);
    this.changes.push(`store ${title}${within(jurisdiction)}`);
    return store;
  }

  #queue(route: string, method: string, body: string): unknown {
    if (method === 'GET')
      return this.queues.map((queue) => ({ ...queue, queue_id: queue.queue_name }));
    const consumer = /^\/queues\/([^/]+)\/consumers/.exec(route);
    if (consumer !== null) {
      const { script_name } = JSON.parse(body);
      const queue = this.queues.find(({ queue_name }) => queue_name === consumer[1]);
      queue!.consumers = [{ script: script_name, type: 'worker', consumer_id: 'consumer' }];
      return {};
    }
    this.#step('create queue');
    const { queue_name, jurisdiction } = JSON.parse(body);
    this.queues.push({ queue_name, jurisdiction, consumers: [] });
    this.changes.push(`queue ${queue_name}${within(jurisdiction)}`);
    return {};
  }

  #worker(route: string, method: string, body: string): unknown {
    if (route.endsWith('/secrets')) {
      this.#step('secrets');
      const isDeployed = Object.keys(this.uploaded).length > 0;
      return isDeployed
        ? Object.keys(this.secrets).map((name) => ({ name, type: 'secret_text' }))
        : missing(10007);
    }
    if (route.endsWith('/settings') && method === 'GET') {
      if (Object.keys(this.uploaded).length === 0) return missing(10007);
      const variables = Object.entries((this.uploaded.vars ?? {}) as Record<string, string>);
      const texts = variables.map(([name, text]) => ({ type: 'plain_text', name, text }));
      return { bindings: [...BOUND, ...texts], placement: this.uploaded.placement };
    }
    if (route.endsWith('/domains/changeset')) return this.#changeset(body);
    // Every file of the assets is there already.
    if (route.endsWith('/assets-upload-session')) return { jwt: 'assets', buckets: [] };
    if (route.endsWith('/deployments') && method === 'GET') return { deployments: [] };
    if (/^\/workers\/services\/[^/]+$/.test(route)) return missing(10090);
    if (/^\/workers\/scripts\/[^/]+(\/versions)?$/.test(route) && method !== 'GET')
      return this.#upload(body);
    if (/^\/workers\/workers\/[^/]+$/.test(route)) return { subdomain: this.addresses };
    if (route.endsWith('/subdomain')) {
      if (method === 'POST') {
        this.#step('enable subdomain');
        this.addresses = JSON.parse(body);
      }
      return { enabled: true, previews_enabled: false };
    }
    return [];
  }

  #upload(body: string): unknown {
    this.#step('upload Worker');
    const [, metadata] = /name="metadata"[^{]*?(\{.*?\})\r?\n--/s.exec(body) ?? [];
    const uploaded = JSON.parse(metadata!);
    if (this.isFree && uploaded.limits !== undefined)
      throw new ApiError(400, 100328, 'CPU limits are not supported for the Free plan.');
    this.uploaded = uploaded;
    const bindings = this.uploaded.bindings as { type: string; name: string; text: string }[];
    const given = bindings.filter(({ type }) => type === 'secret_text');
    for (const { name, text } of given) this.secrets[name] = text;
    this.changes.push(['Worker', ...given.map(({ name }) => name)].join(' with '));
    return {
      id: 'version',
      startup_time_ms: 1,
      metadata: { has_preview: false },
      deployment_id: 'deployment',
    };
  }
}

class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

function within(jurisdiction: string | undefined): string {
  return jurisdiction === undefined ? '' : ` in ${jurisdiction}`;
}

function missing(code: number): never {
  throw new ApiError(404, code, 'There is none.');
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('latin1')) body += chunk;
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://api');
  try {
    if (pathname.startsWith('/uploads/')) {
      response.setHeader('ETag', `"${service.receive(body)}"`).end();
      return;
    }
    const beyond = Number(searchParams.get('page') ?? 1) > 1;
    const jurisdiction = request.headers['cf-r2-jurisdiction']?.toString();
    const result = beyond
      ? []
      : await service.resultOf(pathname, request.method ?? '', body, jurisdiction, searchParams);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
  } catch (error) {
    const { status = 400, code = 7500, message } = error as ApiError;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({ success: false, errors: [{ code, message }], messages: [], result: null }),
    );
  }
}
