/**
 * The network that a caller's address belongs to: an IPv4 address itself, and the /64 of an IPv6 address, since one caller
 * has all addresses of a /64. Text that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1]!;
  if (!address.includes(':')) return address;
  const [start = '', end] = address.toLowerCase().split('::');
  const groups = start === '' ? [] : start.split(':');
  if (end !== undefined) {
    const last = end === '' ? [] : end.split(':');
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  const prefix = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${prefix.join(':')}::/64`;
}
