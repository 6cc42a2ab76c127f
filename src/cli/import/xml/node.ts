/** An element of one record, read whole. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  /** How much of its parent's own text stands before it. */
  readonly at: number;
  readonly children: XmlNode[];
  /** Its own text, without that of its children. */
  text: string;
}

/** Its own text without the white space around it. */
export function ownText(node: XmlNode): string {
  return node.text.trim();
}

/** All its text, that of markup in it too, without the white space around it. */
export function trimmed(node: XmlNode): string {
  return content(node).trim();
}

function content({ children, text }: XmlNode): string {
  if (children.length === 0) return text;
  const parts: string[] = [];
  let taken = 0;
  for (const child of children) {
    const line = LINES.test(child.name) ? '\n' : '';
    const within = content(child);
    parts.push(text.slice(taken, child.at), line, within, within === '' ? '' : line);
    taken = child.at;
  }
  return [...parts, text.slice(taken)].join('');
}

/** Elements of HTML that stand in lines of their own. */
const LINES = /^(br|p|div|ul|ol|li|h[1-6])$/i;

/** Whether there is anything in it at all. */
export function isEmpty(node: XmlNode): boolean {
  return ownText(node) === '' && node.children.every(isEmpty);
}

/** Text in which white space only separates words. */
export function words(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ');
}

/** Whether two elements say the same: their texts, and those of their children in their order. */
export function sameContent(a: XmlNode, b: XmlNode): boolean {
  return (
    ownText(a) === ownText(b) &&
    a.children.length === b.children.length &&
    a.children.every((child, index) => child.name === b.children[index]!.name && sameContent(child, b.children[index]!))
  );
}

/** The children with a name. */
export function childrenNamed(node: XmlNode, name: string): XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

/** The trimmed text of the first child with a name; empty where there is none. */
export function childText(node: XmlNode, name: string): string {
  const child = node.children.find((one) => one.name === name);
  return child === undefined ? '' : trimmed(child);
}
