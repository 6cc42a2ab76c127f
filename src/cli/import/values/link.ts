import type { Understood } from './interpretation.ts';

/** An address on the web, plain or out of the markup that embeds what is there. */
export function readLink(text: string): Understood<string> {
  const embedded =
    /<(?:iframe|a|embed|video|source)\b[^>]*?\b(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(text);
  const found = embedded?.slice(1).find((part) => part !== undefined);
  if (found !== undefined) return { value: whole(found.replaceAll('&amp;', '&').trim()), how: 'link_extracted' };
  const several = /^(\S+)[\s,;|]+\S*https?:\/\/\S/i.exec(text)?.[1]?.replace(/[,;|]+$/, '');
  if (several !== undefined) return { value: whole(several), how: 'first_of_several' };
  return text.startsWith('//') ? { value: whole(text), how: 'spelling' } : { value: text };
}

/** An address without its scheme stands on a page: of one that is transmitted safely. */
function whole(address: string): string {
  return address.startsWith('//') ? `https:${address}` : address;
}
