import { Buffer } from 'node:buffer';
import { ForbiddenAddress, fetchOutbound, HostBusy } from '../../http/outbound.ts';
import { percentDecoded } from '../../lib/http/percent.ts';
import { Timeout, withTimeout } from '../../lib/time/timeout.ts';
import { type CodedMessage, message } from '../../messages/messages.ts';
import { ImportError } from '../pipeline/error.ts';

const MAX_REDIRECTS = 3;

const TIMEOUT_MS = 60_000;

/** What is known of the file that a server sent last. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** How a file is fetched. */
interface FetchOptions {
  /** Whether local addresses are allowed. */
  readonly local: boolean;
  /** The milliseconds that a server may take to respond, and then for each further chunk. */
  readonly timeout?: number;
  /** Waits until an address may be requested. */
  readonly turn?: (address: string) => Promise<void>;
}

/**
 * Fetches a file.
 *
 * @returns its length in bytes, if the server has stated it, and its chunks; `null` if the server says that it is still the
 *   known one
 * @throws ImportError, also while the file is read; HostBusy
 */
export async function fetchFile(
  address: string,
  known: Validators,
  { local, timeout = TIMEOUT_MS, turn }: FetchOptions,
) {
  const { url, headers } = withCredentials(address);
  const abort = new AbortController();
  try {
    const request = fetchOutbound(url, {
      local,
      redirects: MAX_REDIRECTS,
      turn,
      headers: {
        ...headers,
        'User-Agent': 'Lindero-Import/1',
        ...(known.etag !== null && { 'If-None-Match': known.etag }),
        ...(known.lastModified !== null && { 'If-Modified-Since': known.lastModified }),
      },
      signal: abort.signal,
    });
    const response = await withTimeout('The server', request, timeout);
    const { status, headers: sent } = response;
    if (status === 304 && (known.etag ?? known.lastModified) !== null) return null;
    if (status === 304) throw new ImportError('bad_status', message('not_modified'));
    if (status >= 300 && status < 400)
      throw new ImportError('bad_status', message('redirects', { times: MAX_REDIRECTS }));
    if (status !== 200) {
      const said = await withTimeout('The server', firstWords(response), timeout);
      const problem =
        said === ''
          ? message('answered', { status })
          : message('answered_saying', { status, said });
      const advice = WHAT_TO_DO[status];
      throw new ImportError(
        'bad_status',
        advice === undefined ? problem : message('advised', { problem, advice }),
      );
    }
    const stated = sent.has('Content-Encoding') ? null : sent.get('Content-Length');
    const length = stated === null ? null : Number(stated);
    const validators = { etag: sent.get('ETag'), lastModified: sent.get('Last-Modified') };
    return { ...validators, length, chunks: complete(response, length, timeout) };
  } catch (error) {
    abort.abort();
    if (error instanceof HostBusy) throw error;
    throw failureOf(error, timeout, 'not_reachable', message('unreachable'));
  }
}

const ACCESS = message('try_credentials');

/** What to do about a status. */
const WHAT_TO_DO: Readonly<Partial<Record<number, CodedMessage>>> = {
  401: ACCESS,
  403: ACCESS,
  404: message('try_url'),
  410: message('try_new_url'),
  429: message('try_later'),
};

const MAX_QUOTED = 120;

/**
 * The first words of a body, without markup, and without addresses, which could be the URL with its
 * password.
 */
async function firstWords(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const chunk = await reader?.read().catch(() => undefined);
  await reader?.cancel().catch(() => {});
  const text = new TextDecoder().decode(chunk?.value?.subarray(0, 4_096));
  const plain = text
    .replaceAll(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replaceAll(/<[^>]*>?/g, ' ')
    .replaceAll(/\S*(:\/\/|\?\w+=)\S*/g, '…')
    .replaceAll(/[\s"]+/g, ' ')
    .trim();
  return plain.length > MAX_QUOTED ? `${plain.slice(0, MAX_QUOTED)}…` : plain;
}

/** The chunks of a body, if it is as long as the server has stated. */
async function* complete(
  response: Response,
  stated: number | null,
  timeout: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const next = reader && (await withTimeout('The server', reader.read(), timeout));
      if (next === undefined || next.done) break;
      length += next.value.length;
      yield next.value;
    }
  } catch (error) {
    throw failureOf(error, timeout, 'incomplete', message('connection_failed'));
  } finally {
    await reader?.cancel().catch(() => {});
  }
  if (stated !== null && stated !== length) {
    throw new ImportError('incomplete', message('short_body', { bytes: length, stated }));
  }
}

/** @param usual the message for any other error: the runtime's own message can contain the address, with its credentials */
function failureOf(
  error: unknown,
  timeout: number,
  code: ImportError['code'],
  usual: CodedMessage,
): ImportError {
  if (error instanceof ImportError) return error;
  if (error instanceof ForbiddenAddress) return new ImportError('forbidden_address', error.reason);
  const isLate = error instanceof Timeout;
  return new ImportError(code, isLate ? message('silent', { seconds: timeout / 1_000 }) : usual);
}

/** A URL in which user, password and the values of its query are replaced with `***`: feeds' URLs contain passwords. */
export function shownUrl(text: string): string {
  const { username, password, protocol, host, pathname, searchParams } = new URL(text);
  const user = username === '' && password === '' ? '' : '***@';
  const query = [...searchParams.keys()].map((name) => `${encodeURIComponent(name)}=***`).join('&');
  return `${protocol}//${user}${host}${pathname}${query === '' ? '' : `?${query}`}`;
}

/** Whether a URL has `***` where {@link shownUrl} hides something. */
export function isMasked(text: string): boolean {
  const { username, password, searchParams } = new URL(text);
  return [username, password, ...searchParams.values()].includes('***');
}

/** A URL without user and password, which `fetch` refuses, and the header that sends them instead. */
export function withCredentials(text: string): {
  readonly url: string;
  readonly headers: Record<string, string>;
} {
  const url = new URL(text);
  // A password that was pasted into the URL may have a percent sign that encodes nothing.
  const [user, password] = [url.username, url.password].map((part) => percentDecoded(part) ?? part);
  const credentials = `${user}:${password}`;
  url.username = '';
  url.password = '';
  if (credentials === ':') return { url: url.href, headers: {} };
  return {
    url: url.href,
    headers: { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  };
}
