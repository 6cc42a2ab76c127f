import { Buffer } from 'node:buffer';
import { ForbiddenAddress, fetchOutbound } from '../../http/outbound.ts';
import { percentDecoded } from '../../lib/http/percent.ts';
import { Timeout, withTimeout } from '../../lib/time/timeout.ts';
import { ImportError } from '../pipeline/error.ts';

const MAX_REDIRECTS = 3;

const TIMEOUT_MS = 60_000;

/** What is known of the file that a server sent last. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/**
 * Fetches a file.
 *
 * @param options whether local addresses are allowed, and the milliseconds that a server may take to respond, and then for each
 *   further chunk
 * @returns its length in bytes, if the server has stated it, and its chunks; `null` if the server says that it is still the
 *   known one
 * @throws ImportError, also while the file is read
 */
export async function fetchFile(
  address: string,
  known: Validators,
  { local, timeout = TIMEOUT_MS }: { readonly local: boolean; readonly timeout?: number },
) {
  const { url, headers } = withCredentials(address);
  const abort = new AbortController();
  try {
    const request = fetchOutbound(url, {
      local,
      redirects: MAX_REDIRECTS,
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
    if (status === 304) {
      const message =
        'The server answered that the file has not changed (304), though it was asked for all of ' +
        'it. Ask whoever runs the server.';
      throw new ImportError('bad_status', message);
    }
    if (status >= 300 && status < 400) {
      const message = `The server redirects more than ${MAX_REDIRECTS} times, or to an invalid URL.`;
      throw new ImportError('bad_status', message);
    }
    if (status !== 200) {
      const said = await withTimeout('The server', firstWords(response), timeout);
      const answered = `The server answered with status ${status}${said && `: "${said}"`}.`;
      throw new ImportError('bad_status', `${answered}${WHAT_TO_DO[status] ?? ''}`);
    }
    const stated = sent.has('Content-Encoding') ? null : sent.get('Content-Length');
    const length = stated === null ? null : Number(stated);
    const validators = { etag: sent.get('ETag'), lastModified: sent.get('Last-Modified') };
    return { ...validators, length, chunks: complete(response, length, timeout) };
  } catch (error) {
    abort.abort();
    throw failureOf(error, timeout, 'not_reachable', 'The server cannot be reached.');
  }
}

const ACCESS = ' Credentials can be part of the URL: https://user:password@…';

/** What to do about a status. */
const WHAT_TO_DO: Readonly<Record<number, string>> = {
  401: ACCESS,
  403: ACCESS,
  404: ' Check the URL.',
  410: ' Ask for the new URL of the feed.',
  429: ' It is asked too often: choose a longer interval, or try again later.',
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
    throw failureOf(error, timeout, 'incomplete', 'The connection failed.');
  } finally {
    await reader?.cancel().catch(() => {});
  }
  if (stated !== null && stated !== length) {
    throw new ImportError('incomplete', `The server sent ${length} of ${stated} bytes.`);
  }
}

/** @param usual the message for any other error: the runtime's own message can contain the address, with its credentials */
function failureOf(
  error: unknown,
  timeout: number,
  code: ImportError['code'],
  usual: string,
): ImportError {
  if (error instanceof ImportError) return error;
  if (error instanceof ForbiddenAddress) return new ImportError('forbidden_address', error.message);
  const isLate = error instanceof Timeout;
  return new ImportError(
    code,
    isLate ? `The server sent nothing for ${timeout / 1_000} seconds.` : usual,
  );
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
