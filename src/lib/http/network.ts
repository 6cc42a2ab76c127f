import ipaddr from 'ipaddr.js';

/**
 * The network that a caller's address belongs to: an IPv4 address itself, and the /64 of an IPv6 address, since one caller
 * has all addresses of a /64. Text that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!('parts' in parsed)) return parsed.toString();
  const prefix = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}
