import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { PassThrough } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { SecretScanner } from './secrets.ts';

/** Milliseconds after which a request is aborted. */
const TIMEOUT = 40_000;

/** A request. */
export interface Message {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Stop reading and close the connection once a part of the body has arrived. */
  readonly abort?: boolean;
  /** Discard the body as it is read, because it may be large. */
  readonly discard?: boolean;
}

/** A response that has been read to its end or until it failed. */
export interface Exchange {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Bytes of the body as they arrived, before decompression. */
  readonly bytes: number;
  /** The body, decompressed; empty if it was to be discarded. */
  readonly body: Buffer;
  /** SHA-256 of the body, decompressed. */
  readonly digest: string;
  /** How many properties the body has. */
  readonly properties: number;
  /** Whether the body is a complete XML document below `<root>`: decompressed without an error, with its end. */
  readonly isComplete: boolean;
  /** Milliseconds from the request to its headers, and to the end of its body. */
  readonly firstByte: number;
  readonly total: number;
}

/** Sends requests to one service over persistent connections, and searches every response for secrets. */
export class HttpClient {
  readonly #origin: URL;
  readonly #scanner: SecretScanner;
  readonly #signal: AbortSignal;
  readonly #agent: HttpAgent;

  /** @param signal ends all requests */
  constructor(origin: URL, scanner: SecretScanner, signal: AbortSignal) {
    this.#origin = origin;
    this.#scanner = scanner;
    this.#signal = signal;
    this.#agent =
      origin.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
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
    const firstByte = performance.now() - startedAt;
    const scan = this.#scanner.scan(path, response.headers);
    const read = message.abort === true ? await readStart(response) : await readAll(response, scan, message.discard);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      firstByte,
      total: performance.now() - startedAt,
      ...read,
    };
  }

  async #open(path: string, message: Message, signal: AbortSignal): Promise<IncomingMessage> {
    const url = new URL(this.#origin.href.replace(/\/$/, '') + path);
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url.href, {
      agent: this.#agent,
      method: message.method ?? 'GET',
      headers: { 'User-Agent': 'lindero-smoke', ...message.headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
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

  close(): void {
    this.#agent.destroy();
  }
}

type Read = Pick<Exchange, 'bytes' | 'body' | 'digest' | 'properties' | 'isComplete'>;

async function readAll(response: IncomingMessage, scan: (chunk: Buffer) => void, discard = false): Promise<Read> {
  const decoder = response.headers['content-encoding'] === 'gzip' ? createGunzip() : new PassThrough();
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  // A connection that ends before the stated length has been reached may still have delivered the complete document.
  response.on('error', () => decoder.end());
  response.pipe(decoder);

  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  let [properties, end]: [number, Buffer] = [0, Buffer.alloc(0)];
  let isIntact = true;
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      if (!discard) chunks.push(chunk);
      hash.update(chunk);
      scan(chunk);
      const text = Buffer.concat([end, chunk]);
      properties += countIn(text, PROPERTY);
      end = text.subarray(1 - PROPERTY.length);
    }
  } catch {
    isIntact = false;
  }
  const isComplete = isIntact && end.toString().trimEnd().endsWith('</root>');
  return { bytes, body: Buffer.concat(chunks), digest: hash.digest('hex'), properties, isComplete };
}

const PROPERTY = '<property>';

function countIn(text: Buffer, sought: string): number {
  let count = 0;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) count += 1;
  return count;
}

async function readStart(response: IncomingMessage): Promise<Read> {
  const bytes = await new Promise<number>((done) => {
    response.once('data', (chunk: Buffer) => done(chunk.length));
    response.once('close', () => done(0));
  });
  response.on('error', () => {});
  response.destroy();
  return { bytes, body: Buffer.alloc(0), digest: '', properties: 0, isComplete: false };
}
