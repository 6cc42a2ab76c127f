import { isShortName } from '../lib/short-name.ts';
import type { Reporting } from './results/notes.ts';
import { isEmpty, ownText, trimmed, type XmlNode } from './xml/node.ts';

/**
 * The channels that a node of a record assigns its property to: one for each `channel` in it, or a list in one text. No
 * format has this node; it is that of programs that know the account's channels.
 */
export function channelsOf(node: XmlNode, reporting: Reporting): string[] {
  return childrenOf(node, reporting).flatMap((child) => {
    const text = trimmed(child);
    const name = channelName(text);
    if (name !== undefined) return [name];
    if (text !== '') reporting.interpreted('channels/channel', 'unreadable', child.line, text, undefined);
    return [];
  });
}

/** The name of a channel, in lower case; `undefined` if no channel can have it. */
export function channelName(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return isShortName(name) ? name : undefined;
}

function childrenOf(node: XmlNode, reporting: Reporting): XmlNode[] {
  if (node.children.length === 0)
    return ownText(node)
      .split(/[,;|\s]+/)
      .map((text) => ({ ...node, text }));
  return node.children.filter((child) => {
    if (child.name === 'channel') return true;
    if (!isEmpty(child)) reporting.ignored(`${node.name}/${child.name}`, child.line);
    return false;
  });
}
