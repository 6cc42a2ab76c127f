export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  /** Characters of its parent's own text before it. */
  readonly at: number;
  readonly children: XmlNode[];
  text: string;
}

/** Its own trimmed text, without its children's; empty without a node. */
export function ownText(node: XmlNode | undefined): string {
  return node?.text.trim() ?? '';
}

/** All its text, including text in nested markup, trimmed; empty without a node. */
export function trimmed(node: XmlNode | undefined): string {
  return node === undefined ? '' : content(node).trim();
}

/** An element with one child per language in English, or else in the first language. */
export function inEnglish(node: XmlNode): XmlNode {
  const child = node.children.find(({ name }) => name === 'en') ?? node.children[0];
  return child === undefined || ownText(node) !== '' ? node : { ...child, name: node.name };
}

/** Whether a word of its text is only one because markup between two words has no space: `Nerja<b>Torrox</b>`. */
export function joinsWords(node: XmlNode): boolean {
  return node.children.length > 0 && SEAM_IN_WORD.test(content(node, SEAM));
}

const SEAM = '\u0000';
// biome-ignore lint/suspicious/noControlCharactersInRegex: texts of XML have no other use of it
const SEAM_IN_WORD = /[\p{L}\p{N}]\u0000+[\p{L}\p{N}]/u;

/** @param seam what stands at both ends of markup within a line, except of raised and lowered characters */
function content({ children, text }: XmlNode, seam = ''): string {
  if (children.length === 0) return text;
  let all = '';
  let taken = 0;
  const add = (part: string) => {
    // Two numbers in two elements are not one number.
    all += /\d$/.test(all) && /^\d/.test(part) ? `\n${part}` : part;
  };
  for (const child of children) {
    const within = content(child, seam);
    const isInLine = INLINE.test(child.name);
    const line = isInLine || (within === '' && !LINES.test(child.name)) ? '' : '\n';
    const edge = isInLine && !RAISED.test(child.name) ? seam : line;
    add(text.slice(taken, child.at));
    add(`${edge}${within}${within === '' ? '' : edge}`);
    taken = child.at;
  }
  add(text.slice(taken));
  return all;
}

/**
 * The elements of a node as it stands in the file, for reports:
 * `<value>240000</value><old>260000</old>`.
 *
 * @param isWhole with the tag of the node itself
 */
export function markupOf({ name, attributes, text, children }: XmlNode, isWhole = false): string {
  const own = text.trim();
  const parts = children.map((child) => markupOf(child, true));
  const content = [...(own === '' ? [] : [own]), ...parts].join('');
  if (!isWhole) return content;
  const tag = name.split('/').at(-1)!;
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${tag}${given.join('')}>${content}</${tag}>`;
}

/** About how many characters of memory an element takes. */
export function weightOf({ text, children }: XmlNode): number {
  return children.reduce((sum, child) => sum + weightOf(child), text.length + 400);
}

const LINES = /^(br|p|div|ul|ol|li|h[1-6])$/i;

/**
 * Elements of HTML within a line. The contents of all others are lines of their own, as those of
 * unknown elements.
 */
const INLINE = /^(a|abbr|b|big|em|font|i|mark|s|small|span|strike|strong|sub|sup|tt|u)$/i;

/** `m<sup>2</sup>` and `1<sup>st</sup>` are one word. */
const RAISED = /^(sup|sub)$/i;

const BLOCKS =
  /^(address|article|blockquote|body|br|center|div|dl|dt|dd|h[1-6]|hr|html|img|li|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul)$/i;

/**
 * Whether an element is one of HTML, which a text may contain without being escaped; not one that strikes a text
 * out, which no longer holds.
 */
export function isMarkup({ name }: XmlNode): boolean {
  return (INLINE.test(name) || BLOCKS.test(name)) && !/^(s|strike)$/i.test(name);
}

/**
 * Empties texts that programs print for an absent value, such as `null`, in an element and all of
 * its descendants.
 */
export function emptyAbsent(node: XmlNode): void {
  if (
    node.text.length < 40 &&
    /^\s*(null|undefined|0000-00-00([ T]00:00:00)?)\s*$/i.test(node.text)
  )
    node.text = '';
  for (const child of node.children) emptyAbsent(child);
}

export function isEmpty(node: XmlNode): boolean {
  return ownText(node) === '' && node.children.every(isEmpty);
}

/**
 * ASCII words with single spaces, as most names are: normalising them would take longer than
 * everything else about them.
 */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Text with white space normalised to single spaces. */
export function words(text: string): string {
  return PLAIN.test(text) ? text : text.normalize('NFC').replaceAll(/\s+/g, ' ');
}

/** Whether two elements have the same content: their text, and their children in order. */
export function sameContent(a: XmlNode, b: XmlNode): boolean {
  return (
    ownText(a) === ownText(b) &&
    a.children.length === b.children.length &&
    a.children.every(
      (child, index) =>
        child.name === b.children[index]!.name && sameContent(child, b.children[index]!),
    )
  );
}

export function childrenNamed(node: XmlNode | undefined, name: string): XmlNode[] {
  return node?.children.filter((child) => child.name === name) ?? [];
}

export function childNamed(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((child) => child.name === name);
}

/** The trimmed text of the first child with a name; empty if there is none. */
export function childText(node: XmlNode | undefined, name: string): string {
  return trimmed(childNamed(node, name));
}
