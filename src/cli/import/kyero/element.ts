/** An element of one record, read whole. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly children: XmlNode[];
  /** Its own text, without that of its children. */
  text: string;
}

/** Its own text without the white space around it. */
export function trimmed(node: XmlNode): string {
  return node.text.trim();
}

/** Whether there is anything in it at all. */
export function isEmpty(node: XmlNode): boolean {
  return trimmed(node) === '' && node.children.every(isEmpty);
}

/** Text in which white space only parts words. */
export function words(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ');
}
