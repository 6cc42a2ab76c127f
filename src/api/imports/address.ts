import { Buffer } from 'node:buffer';
import { ForbiddenAddress, outboundUrl } from '../../http/outbound.ts';

const HIDDEN = '***';

/** Why the Worker must not fetch a URL, or `null`. @param local whether local addresses are allowed */
export function addressError(text: string, local: boolean): string | null {
  try {
    outboundUrl(text, local);
    return null;
  } catch (error) {
    if (error instanceof ForbiddenAddress) return error.message;
    throw error;
  }
}

/** A URL in which user, password and the values of its query are replaced with `***`: feeds' URLs contain passwords. */
export function shownUrl(text: string): string {
  const url = new URL(text);
  const user = url.username === '' && url.password === '' ? '' : `${HIDDEN}@`;
  const query = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${HIDDEN}`).join('&');
  return `${url.protocol}//${user}${url.host}${url.pathname}${query === '' ? '' : `?${query}`}`;
}

/** A URL without user and password, which `fetch` refuses, and the header that sends them instead. */
export function withCredentials(text: string): { readonly url: string; readonly headers: Record<string, string> } {
  const url = new URL(text);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url: url.href, headers: {} };
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return { url: url.href, headers: { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

/** A part of a URL; as it is if it has a percent sign that encodes nothing, as a password pasted into a URL may. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
