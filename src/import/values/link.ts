import type { Understood } from './interpretation.ts';

/** A URL, plain or extracted from markup that embeds it. */
export function readLink(text: string): Understood<string> {
  const embedded =
    /<(?:iframe|a|embed|video|source)\b[^>]*?\b(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(text);
  const found = embedded?.slice(1).find((part) => part !== undefined);
  if (found !== undefined) return { value: withScheme(found.replaceAll('&amp;', '&').trim()), how: 'link_extracted' };
  const several = /^(\S+)[\s,;|]+\S*https?:\/\/\S/i.exec(text)?.[1]?.replace(/[,;|]+$/, '');
  if (several !== undefined) return { value: withScheme(several), how: 'first_of_several' };
  return text.startsWith('//') ? { value: withScheme(text), how: 'spelling' } : { value: text };
}

function withScheme(address: string): string {
  return address.startsWith('//') ? `https:${address}` : address;
}
