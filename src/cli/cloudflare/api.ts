import { Failure } from '../command/failure.ts';
import { runWrangler } from './wrangler.ts';

/** Cloudflare's API for one account; paths are below that, such as `/d1/database`. */
export interface Cloudflare {
  readonly accountId: string;
  get<Result>(path: string, headers?: object): Promise<Result>;
  /** All entries of a list that has pages. */
  list<Entry>(path: string): Promise<Entry[]>;
  post<Result>(path: string, body: object, headers?: object): Promise<Result>;
  put<Result>(path: string, body: object, headers?: object): Promise<Result>;
  /** What is outside the account, such as `/zones`; the credentials may not reach it. */
  getOutside<Result>(path: string): Promise<Result>;
}

/** An error that Cloudflare's API responds with. */
export class ApiFailure extends Failure {
  readonly errorCode: number | undefined;

  constructor(errorCode: number | undefined, message: string) {
    super('cloudflare_api', message);
    this.errorCode = errorCode;
  }
}

/** Cloudflare's errors for a Worker, subdomain or bucket that does not exist. */
const MISSING = [10006, 10007];

export function unlessMissing(error: unknown): undefined {
  if (error instanceof ApiFailure && MISSING.includes(error.errorCode ?? 0)) return undefined;
  throw error;
}

const PAGE_SIZE = 100;

/**
 * `GET /accounts/…` fails with one of these if the token has no access to the account, or the id is
 * invalid.
 */
const NO_ACCESS = [7003, 9109, 10000];

/**
 * Connects to Cloudflare's API with wrangler's credentials: those in the environment, or those of
 * `wrangler login`.
 *
 * @param configured the account's id in the project's configuration, which takes precedence as it
 * does in wrangler
 */
export async function connect(configured?: string): Promise<Cloudflare> {
  const credentials = await findCredentials();
  const accountId =
    configured ?? process.env.CLOUDFLARE_ACCOUNT_ID ?? (await onlyAccount(credentials));
  const request = async <Result>(
    path: string,
    headers: object = {},
    sent?: Sent,
  ): Promise<Result> => {
    try {
      return await call<Result>(
        `/accounts/${accountId}${path}`,
        { ...credentials, ...headers },
        sent,
      );
    } catch (error) {
      if (!(error instanceof ApiFailure) || !NO_ACCESS.includes(error.errorCode ?? 0)) throw error;
      throw new Failure(
        'no_access',
        `The Cloudflare account ${accountId} cannot be accessed: ${error.message} Check CLOUDFLARE_ACCOUNT_ID, and that ` +
          'the API token may edit Workers Scripts, Workers KV Storage, Workers R2 Storage, Queues and D1 of this account.',
      );
    }
  };
  return {
    accountId,
    get: request,
    async list<Entry>(path: string) {
      const entries: Entry[] = [];
      for (let page = 1; ; page++) {
        const more = await request<Entry[]>(`${path}?page=${page}&per_page=${PAGE_SIZE}`);
        entries.push(...more);
        if (more.length < PAGE_SIZE) return entries;
      }
    },
    post: (path, body, headers) => request(path, headers, { method: 'POST', body }),
    put: (path, body, headers) => request(path, headers, { method: 'PUT', body }),
    getOutside: (path) => call(path, credentials),
  };
}

async function findCredentials(): Promise<Record<string, string>> {
  const { CLOUDFLARE_API_TOKEN } = process.env;
  if (CLOUDFLARE_API_TOKEN) return { Authorization: `Bearer ${CLOUDFLARE_API_TOKEN}` };
  try {
    const output = await runWrangler(['auth', 'token', '--json']);
    return { Authorization: `Bearer ${JSON.parse(output.slice(output.indexOf('{'))).token}` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'not_logged_in',
      'Not logged in to Cloudflare. Log in with "npx wrangler login", or set CLOUDFLARE_API_TOKEN to an API token ' +
        'made from the template "Edit Cloudflare Workers" with the permissions "D1: Edit" and "Queues: Edit" added.',
    );
  }
}

async function onlyAccount(credentials: object): Promise<string> {
  const accounts = await call<{ id: string; name: string }[]>('/accounts?per_page=50', credentials);
  const [account, ...others] = accounts;
  if (account !== undefined && others.length === 0) return account.id;
  const choices = accounts
    .map(({ id, name }) => `\n  CLOUDFLARE_ACCOUNT_ID=${id}   # ${name}`)
    .join('');
  throw new Failure(
    'which_account',
    account === undefined
      ? 'The API token lists no account. Set CLOUDFLARE_ACCOUNT_ID to your account id, which the dashboard shows.'
      : `The credentials can access ${accounts.length} Cloudflare accounts. Choose one with an environment variable:${choices}`,
  );
}

interface Sent {
  readonly method: 'POST' | 'PUT';
  readonly body: object;
}

async function call<Result>(path: string, headers: object, sent?: Sent): Promise<Result> {
  const base = process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4';
  const response = await fetch(base + path, {
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(sent && { method: sent.method, body: JSON.stringify(sent.body) }),
    signal: AbortSignal.timeout(60_000),
  }).catch(({ cause, message }: Error) => {
    const reason = cause instanceof Error ? cause.message : message;
    throw new Failure('cloudflare_unreachable', `Cloudflare's API cannot be reached: ${reason}`);
  });
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
  const { success, errors: [error] = [], result }: any = await response.json().catch(() => ({}));
  if (response.ok && success) return result;
  throw new ApiFailure(
    error?.code,
    error?.message ?? `Cloudflare's API responds ${response.status}.`,
  );
}
