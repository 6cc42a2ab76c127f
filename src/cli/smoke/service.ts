import { gunzipSync } from 'node:zlib';
import { type Dispatcher, request } from 'undici';

const TIMEOUT_MS = 40_000;

/**
 * Shorter secrets occur in other texts by chance, so only the forms in which requests send them are
 * searched for.
 */
const MIN_PLAIN_LENGTH = 8;

/** What is verified, and with whose credentials; without a client, the unit API is not. */
export interface Target {
  readonly origin: URL;
  readonly account: string;
  readonly password: string;
  readonly client: { readonly id: string; readonly secret: string } | undefined;
  readonly firstByteMs: number;
  /**
   * Time within which a feed must be cached; it is stored after its first reader has received it.
   */
  readonly cachedWithinMs: number;
}

export interface Message {
  readonly method?: Dispatcher.HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Bytes of the body as they arrived, before decompression. */
  readonly bytes: number;
  readonly body: Buffer;
  readonly firstByteMs: number;
}

export interface ReceivedFeed extends Exchange {
  readonly path: string;
  readonly encoding: 'gzip' | 'identity';
}

/** Sends requests to one service, and searches every response for the secrets that were sent. */
export class Service {
  readonly target: Target;
  readonly #secrets: readonly string[];
  readonly #signal: AbortSignal;
  /**
   * How many responses have been searched, and the paths, without their queries, of those that
   * contain a secret.
   */
  responses = 0;
  readonly leaks = new Set<string>();
  /**
   * What the first checks leave for others: feeds that were received completely, compressed and
   * not; and a token.
   */
  feeds?: readonly ReceivedFeed[];
  token?: string;

  /** @param signal ends all requests */
  constructor(target: Target, signal: AbortSignal) {
    const { account, password, client } = target;
    this.target = target;
    this.#signal = signal;
    const ofClient = client === undefined ? [] : formsOf(client.id, client.secret);
    this.#secrets = [...formsOf(`OWNPROPERTIES@${account}`, password), ...ofClient];
  }

  /**
   * Sends a request to a path below the origin, with the given headers only.
   *
   * @throws Error if no response arrives
   */
  async send(
    path: string,
    { headers, ...message }: Message = {},
    signal = this.#signal,
  ): Promise<Exchange> {
    const startedAt = performance.now();
    const response = await request(this.target.origin.href.replace(/\/$/, '') + path, {
      ...message,
      headers: { 'User-Agent': 'lindero-smoke', ...headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const firstByteMs = performance.now() - startedAt;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of response.body) chunks.push(chunk);
    } catch {
      // A connection that ends before the stated length may still have delivered the complete
      // document.
    }
    const sent = Buffer.concat(chunks);
    const received = response.headers as Exchange['headers'];
    const body = decoded(sent, received);
    this.responses += 1;
    const text = JSON.stringify(received) + (body ?? sent);
    if (this.#secrets.some((secret) => text.includes(secret))) this.leaks.add(path.split('?')[0]!);
    const status = response.statusCode;
    return {
      status,
      headers: received,
      bytes: sent.length,
      body: body ?? Buffer.alloc(0),
      firstByteMs,
    };
  }

  feedPath(
    parameters: Readonly<Record<string, string | number>>,
    file = 'CreateXMLFeedV3.asp',
  ): string {
    const { account, password } = this.target;
    const query = Object.entries({ U: `OWNPROPERTIES@${account}`, P: password, ...parameters })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    return `/${file}?${query}`;
  }
}

function decoded(body: Buffer, headers: Exchange['headers']): Buffer | undefined {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) return body;
  try {
    return gunzipSync(body);
  } catch {
    return undefined;
  }
}

/** The texts that must not occur in a response. */
function formsOf(user: string, secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const forms = [`P=${encoded}`, `P%3D${encoded}`, btoa(`${user}:${secret}`)];
  return secret.length < MIN_PLAIN_LENGTH ? forms : [...forms, secret, encoded];
}

/**
 * A line of the report.
 *
 * @returns what was verified
 * @throws Skipped if it cannot be verified, and any other error with what is wrong
 */
export type Check = (service: Service) => Promise<string>;

export class Skipped extends Error {}

export function ensure(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}
