import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../command/failure.ts';
import { count } from '../command/print.ts';
import { withoutSecrets } from './address.ts';
import type { Progress } from './progress.ts';
import { temporaryFile } from './temporary-file.ts';

/** The validators of a downloaded version, for a conditional request. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A downloaded file. */
export interface Download {
  /** Where its bytes are as they were sent. */
  readonly path: string;
  readonly validators: Validators;
  /** Removes it from the disk. */
  remove(): void;
}

export interface DownloadOptions {
  /** Validators of the last imported version: if the server still has it, nothing is downloaded. */
  readonly known?: Validators | undefined;
  /** Milliseconds that a server may keep this waiting: for its response, and for each further piece of it. */
  readonly timeout: number;
  /** Maximum size of the transmitted file in bytes. */
  readonly most: number;
}

/** The maximum number of redirects. */
const REDIRECTS = 5;

/**
 * Downloads a file to disk, following redirects. Credentials in the URL are sent to its own origin only, as HTTP Basic,
 * and never shown.
 *
 * @returns `null` if the server still has the known version (304)
 * @throws Failure if the server returns an error, sends too much, or stops sending
 */
export async function download(
  address: URL,
  { known, timeout, most }: DownloadOptions,
  progress: Progress,
): Promise<Download | null> {
  const abort = new AbortController();
  const watch = setTimeout(() => abort.abort(new TimedOut()), timeout);
  try {
    const response = await follow(address, headersFor(known), abort.signal, () => watch.refresh());
    const shown = withoutSecrets(address);
    if (response.status === 304 && known !== undefined) return null;
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new Failure(
        'download_failed',
        `${shown} returned ${response.status} ${response.statusText}.${HINTS[response.status] ?? ''}`,
      );
    }
    const total = Number(response.headers.get('content-length') ?? Number.NaN);
    if (total > most) throw tooLarge(shown, most);
    progress.begin('Downloading', Number.isNaN(total) ? 0 : total);
    const { path, remove } = await temporaryFile();
    try {
      let length = 0;
      const counting = new Transform({
        transform(chunk: Uint8Array, _encoding, done) {
          watch.refresh();
          length += chunk.length;
          progress.add(chunk.length);
          done(length > most ? tooLarge(shown, most) : null, chunk);
        },
      });
      const body = Readable.fromWeb(response.body as never);
      await pipeline(body, counting, createWriteStream(path, { mode: 0o600 }), { signal: abort.signal });
    } catch (error) {
      remove();
      throw error;
    }
    return {
      path,
      validators: { etag: response.headers.get('etag'), lastModified: response.headers.get('last-modified') },
      remove,
    };
  } catch (error) {
    throw failureOf(error, withoutSecrets(address), abort.signal, timeout);
  } finally {
    clearTimeout(watch);
  }
}

/** The failure for an error status, with a remedy. */
const HINTS: Readonly<Record<number, string>> = {
  401: ' Are the credentials right?',
  403: ' Are the credentials right?',
  404: ' Is the address right?',
  429: ' Try again later.',
  503: ' Try again later.',
};

class TimedOut extends Error {}

function headersFor(known: Validators | undefined): Headers {
  const headers = new Headers({ accept: 'application/xml, text/xml, application/x-ndjson, */*;q=0.5' });
  if (known?.etag) headers.set('if-none-match', known.etag);
  if (known?.lastModified) headers.set('if-modified-since', known.lastModified);
  return headers;
}

async function follow(address: URL, headers: Headers, signal: AbortSignal, alive: () => void): Promise<Response> {
  let [next, redirects] = [address, 0];
  for (;;) {
    if (next.protocol !== 'https:' && next.protocol !== 'http:') {
      throw new Failure('download_failed', `${withoutSecrets(address)} redirects to a URL that is not HTTP.`);
    }
    const own = new Headers(headers);
    const { username, password } = next;
    if (username !== '' || password !== '') {
      const credentials = `${decoded(username)}:${decoded(password)}`;
      own.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
    }
    const target = new URL(next);
    target.username = '';
    target.password = '';
    const response = await fetch(target, { headers: own, redirect: 'manual', signal });
    alive();
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    if (++redirects > REDIRECTS) {
      throw new Failure('download_failed', `${withoutSecrets(address)} redirects more than ${REDIRECTS} times.`);
    }
    const from = next;
    next = redirected(location, target, address);
    if (from.protocol === 'https:' && next.protocol === 'http:') {
      throw new Failure('download_failed', `${withoutSecrets(address)} redirects from HTTPS to HTTP.`);
    }
    // Credentials must not be sent to another origin.
    if (next.origin === target.origin && next.username === '') {
      next.username = username;
      next.password = password;
    }
  }
}

/** A part of a URL; as it is if it has a percent sign that encodes nothing, as a password pasted into a URL may. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function redirected(location: string, from: URL, address: URL): URL {
  try {
    return new URL(location, from);
  } catch {
    throw new Failure('download_failed', `${withoutSecrets(address)} redirects to an invalid URL.`);
  }
}

function tooLarge(shown: string, most: number): Failure {
  return new Failure('too_large', `${shown} is larger than ${Math.floor(most / 1024 ** 2)} MiB.`);
}

function failureOf(error: unknown, shown: string, signal: AbortSignal, timeout: number): unknown {
  if (error instanceof Failure) return error;
  if (signal.reason instanceof TimedOut) {
    return new Failure('download_failed', `${shown} sent nothing for ${count(timeout / 1000, 'second')}.`);
  }
  // The message of fetch is always the same, and its cause may contain the URL with its credentials.
  const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  const reason = code === undefined ? 'the connection failed' : (REASONS[code] ?? code);
  return new Failure('download_failed', `${shown} cannot be downloaded: ${reason}.`);
}

/** The usual reasons in words, by the codes of Node and of its `fetch`. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens there (ECONNREFUSED)',
  ECONNRESET: 'the server closed the connection (ECONNRESET)',
  ENOTFOUND: 'no such host is known (ENOTFOUND)',
  UND_ERR_SOCKET: 'the server closed the connection before the end',
};
