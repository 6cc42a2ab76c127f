import ipaddr from 'ipaddr.js';
import type { Env } from '../env.ts';
import { type CodedMessage, inEnglish, message } from '../messages/messages.ts';
import { fieldError, invalidFields, ProblemError } from '../problem.ts';

/**
 * Names that resolve to addresses inside a network: reserved ones (RFC 6761, RFC 6762, RFC 8375), a
 * cloud's metadata service, and those that networks use all the same.
 */
const INNER_NAMES = new RegExp(
  '(^|\\.)(localhost|localdomain|local|internal|intranet|private|lan|home|home\\.arpa|corp|mail|svc|' +
    'test|invalid|onion)$',
);

/**
 * Names that resolve to an address that is part of them, such as 127.0.0.1.nip.io. Any other public
 * name can resolve to an inner address as well: the Worker cannot know, and relies on the platform,
 * which lets it reach none.
 */
const MIRRORS = /(^|\.)(nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me)$/;

/** Why the Worker does not call an address, for the person who has configured it. */
export class ForbiddenAddress extends Error {
  readonly reason: CodedMessage;

  constructor(reason: CodedMessage) {
    super(inEnglish(reason));
    this.reason = reason;
  }
}

/** So many others want to call a host that nobody should wait for it. */
export class HostBusy extends Error {
  override readonly name = 'HostBusy';
}

/** Whether the Worker may call any http and https address: in development, or if the operator's setting allows it. */
export function mayCallLocal(env: Pick<Env, 'LOCAL_ADDRESSES'>): boolean {
  // biome-ignore lint/style/noRestrictedGlobals: esbuild replaces it.
  return process.env.NODE_ENV === 'development' || env.LOCAL_ADDRESSES === 'allowed';
}

/**
 * Why the Worker must not call an address that someone else has configured; `null` if it may. Without `local`, it must be https,
 * and its host public: no private, loopback, link-local or otherwise special address in any notation, and no name that
 * resolves within a network.
 *
 * @param local whether local addresses and http are allowed, from {@link mayCallLocal}
 */
export function addressError(text: string, local: boolean): CodedMessage | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    return message('url_not_absolute');
  }
  if (local) return null;
  if (url.protocol !== 'https:') return message('url_not_https');
  // The URL parser has turned every notation of an IPv4 address, such as 0x7f.1 or 2130706433, into four decimal numbers.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isPublic = ipaddr.isValid(host)
    ? isPublicAddress(host)
    : /^[^.]+(\.[^.]+)+$/.test(host) && !INNER_NAMES.test(host) && !MIRRORS.test(host);
  return isPublic ? null : message('host_not_public');
}

/** @throws ForbiddenAddress if the Worker must not call it */
function outboundUrl(text: string, local: boolean): URL {
  const problem = addressError(text, local);
  if (problem !== null) throw new ForbiddenAddress(message('bad_address', { problem }));
  return new URL(text);
}

/** The URL in the member `url` of a body. @throws ProblemError if the Worker must not call it */
export function checkUrl(env: Env, url: string): string {
  const problem = addressError(url, mayCallLocal(env));
  if (problem !== null) throw new ProblemError(invalidFields([fieldError('/url', problem)]));
  return url;
}

/** Of IPv6, only 2000::/3 is assigned to public use (RFC 4291 section 2.4). */
function isPublicAddress(text: string): boolean {
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'));
}

/** How an address is called. */
interface OutboundRequest extends Omit<RequestInit, 'redirect'> {
  /** Whether local addresses are allowed, from {@link mayCallLocal}. */
  readonly local: boolean;
  /** How many redirects to follow; 0 returns a redirect as the response. */
  readonly redirects: number;
  /** Waits until an address may be called, also one that another redirects to. */
  readonly turn?: ((address: string) => Promise<void>) | undefined;
}

/**
 * Calls an address, and checks it and every address that it redirects to. A redirect to another origin gets no credentials.
 *
 * @returns the last response, whatever its status
 * @throws ForbiddenAddress before an address is called that must not be; HostBusy, from `turn`
 */
export async function fetchOutbound(
  address: string,
  { local, redirects, turn, ...init }: OutboundRequest,
): Promise<Response> {
  let url = outboundUrl(address, local);
  const headers = new Headers(init.headers);
  for (let remaining = redirects; ; remaining--) {
    await turn?.(url.href);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const location = response.headers.get('Location');
    if (
      remaining === 0 ||
      location === null ||
      ![301, 302, 303, 307, 308].includes(response.status)
    )
      return response;
    if (!URL.canParse(location, url.href)) return response;
    await response.body?.cancel();
    const target = outboundUrl(new URL(location, url).href, local);
    if (url.protocol === 'https:' && target.protocol === 'http:') {
      throw new ForbiddenAddress(message('redirects_to_http'));
    }
    if (target.origin !== url.origin) {
      headers.delete('Authorization');
      headers.delete('Cookie');
    }
    url = target;
  }
}
