import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { gunzipSync } from 'node:zlib';

const TIMEOUT_MS = 40_000;

/** Shorter secrets occur in other texts by chance, so only the forms in which requests send them are searched for. */
const MIN_PLAIN_LENGTH = 8;

/** A request. */
export interface Message {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** A response that has been read to its end or until it failed. */
export interface Exchange {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Bytes of the body as they arrived, before decompression. */
  readonly bytes: number;
  /** The body, decompressed. */
  readonly body: Buffer;
  /** Whether the body is a complete XML document with the element `root`: decompressed without an error, with its end. */
  readonly isComplete: boolean;
  readonly firstByteMs: number;
}

/** A secret that is sent, and the user name that it is sent with. */
export interface SentSecret {
  readonly user: string;
  readonly secret: string;
}

/** Sends requests to one service over persistent connections, and searches every response for secrets that were sent. */
export class HttpClient {
  readonly #origin: URL;
  readonly #secrets: readonly string[];
  readonly #signal: AbortSignal;
  readonly #agent: HttpAgent;
  readonly #leaks = new Set<string>();
  #responses = 0;

  /** @param signal ends all requests */
  constructor(origin: URL, secrets: readonly SentSecret[], signal: AbortSignal) {
    this.#origin = origin;
    this.#secrets = secrets.flatMap(formsOf);
    this.#signal = signal;
    this.#agent =
      origin.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  }

  /** How many responses have been searched for secrets. */
  get responses(): number {
    return this.#responses;
  }

  /** The paths, without their queries, whose responses contain a secret. */
  get leaks(): readonly string[] {
    return [...this.#leaks];
  }

  /**
   * Sends a request and reads its response.
   *
   * @param path below the origin
   * @throws Error if no response arrives
   */
  async send(path: string, message: Message = {}, signal = this.#signal): Promise<Exchange> {
    const startedAt = performance.now();
    const response = await this.#open(path, message, signal);
    const firstByteMs = performance.now() - startedAt;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of response) chunks.push(chunk);
    } catch {
      // A connection that ends before the stated length may still have delivered the complete document.
    }
    const { statusCode: status = 0, headers } = response;
    const sent = Buffer.concat(chunks);
    const body = decoded(sent, headers);
    this.#search(path, JSON.stringify(headers), body ?? sent);
    const isComplete = body?.subarray(-20).toString().trimEnd().endsWith('</root>') ?? false;
    return { status, headers, bytes: sent.length, body: body ?? Buffer.alloc(0), isComplete, firstByteMs };
  }

  async #open(path: string, message: Message, signal: AbortSignal): Promise<IncomingMessage> {
    const url = new URL(this.#origin.href.replace(/\/$/, '') + path);
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url.href, {
      agent: this.#agent,
      method: message.method ?? 'GET',
      headers: { 'User-Agent': 'lindero-smoke', ...message.headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const responded = once(request, 'response');
    // An error after the response has arrived is a read error, which is handled there.
    request.on('error', () => {});
    request.end(message.body);
    try {
      const [response] = await responded;
      return response;
    } catch (error) {
      // The service has closed the connection while it was idle (nodejs.org/api/http.html, request.reusedSocket).
      if (request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') {
        return this.#open(path, message, signal);
      }
      throw error;
    }
  }

  #search(path: string, headers: string, body: Buffer): void {
    this.#responses += 1;
    if (this.#secrets.some((form) => headers.includes(form) || body.includes(form))) {
      this.#leaks.add(path.split('?')[0]!);
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A body without its compression; `undefined` if that is truncated. */
function decoded(body: Buffer, headers: IncomingMessage['headers']): Buffer | undefined {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) return body;
  try {
    return gunzipSync(body);
  } catch {
    return undefined;
  }
}

/** The texts that must not occur in a response. */
function formsOf({ user, secret }: SentSecret): string[] {
  const encoded = encodeURIComponent(secret);
  const forms = [`P=${encoded}`, `P%3D${encoded}`, Buffer.from(`${user}:${secret}`).toString('base64')];
  return secret.length < MIN_PLAIN_LENGTH ? forms : [...forms, secret, encoded];
}
