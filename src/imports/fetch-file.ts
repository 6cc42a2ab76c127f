import { ForbiddenAddress, fetchOutbound } from '../http/outbound.ts';
import { withCredentials } from './address.ts';

const MAX_REDIRECTS = 3;

const TIMEOUT_MS = 60_000;

/** Why a file could not be fetched; nothing was changed. */
export class FetchFailure extends Error {
  readonly code: 'forbidden_address' | 'not_reachable' | 'bad_status' | 'incomplete';

  constructor(code: FetchFailure['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** What is known of the file that a server sent last. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A file that a server is sending. */
export interface FetchedFile extends Validators {
  /** Its length in bytes, if the server has stated it. */
  readonly length: number | null;
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/**
 * Fetches a file.
 *
 * @param options whether local addresses are allowed, and the milliseconds within which a server must begin to answer, and then
 *   send the next bytes
 * @returns `null` if the server says that it is still the known one
 * @throws FetchFailure, also while the file is read
 */
export async function fetchFile(
  address: string,
  known: Validators,
  { local, timeout = TIMEOUT_MS }: { readonly local: boolean; readonly timeout?: number },
): Promise<FetchedFile | null> {
  const { url, headers } = withCredentials(address);
  const patience = new Patience(timeout);
  try {
    const response = await fetchOutbound(url, {
      local,
      redirects: MAX_REDIRECTS,
      headers: {
        ...headers,
        'User-Agent': 'Lindero-Import/1',
        ...(known.etag === null ? {} : { 'If-None-Match': known.etag }),
        ...(known.lastModified === null ? {} : { 'If-Modified-Since': known.lastModified }),
      },
      signal: patience.signal,
    });
    if (response.status === 304 && (known.etag ?? known.lastModified) !== null) return null;
    if (response.status !== 200) throw badStatus(response.status);
    const { headers: sent, body } = response;
    const stated = sent.has('Content-Encoding') ? null : sent.get('Content-Length');
    const length = stated === null ? null : Number(stated);
    return {
      length,
      etag: sent.get('ETag'),
      lastModified: sent.get('Last-Modified'),
      chunks: complete(body, length, patience),
    };
  } catch (error) {
    patience.end();
    throw failureOf(error, patience);
  }
}

function badStatus(status: number): FetchFailure {
  const redirected = status >= 300 && status < 400;
  return new FetchFailure(
    'bad_status',
    redirected
      ? `The server redirects more than ${MAX_REDIRECTS} times, or to an invalid URL.`
      : `The server answers with status ${status}.`,
  );
}

/** The chunks of a body, if it is as long as the server has stated. */
async function* complete(
  body: ReadableStream<Uint8Array> | null,
  stated: number | null,
  patience: Patience,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      patience.begin();
      length += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw failureOf(error, patience, 'incomplete');
  } finally {
    patience.end();
  }
  if (stated !== null && stated !== length) {
    throw new FetchFailure('incomplete', `The server sent ${length} of ${stated} bytes.`);
  }
}

/** Ends a request whose server is silent for too long. */
class Patience {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | null = null;

  readonly timeout: number;

  constructor(timeout: number) {
    this.timeout = timeout;
    this.begin();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(): void {
    this.end();
    this.#timer = setTimeout(() => this.#controller.abort(), this.timeout);
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

/** The runtime's own message can contain the address, with its credentials. */
function failureOf(
  error: unknown,
  { signal, timeout }: Patience,
  code: 'not_reachable' | 'incomplete' = 'not_reachable',
): Error {
  if (error instanceof FetchFailure) return error;
  if (error instanceof ForbiddenAddress) return new FetchFailure('forbidden_address', error.message);
  if (signal.aborted) return new FetchFailure(code, `The server sent nothing for ${timeout / 1_000} seconds.`);
  return new FetchFailure(code, code === 'incomplete' ? 'The connection failed.' : 'The server cannot be reached.');
}
