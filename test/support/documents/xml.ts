import { SaxesParser } from 'saxes';

/** An element as read by saxes, a parser that shares nothing with the writer under test. */
export class XmlElement {
  readonly children: XmlElement[] = [];

  /** The text directly in the element, white space included. */
  text = '';

  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name;
    this.attributes = attributes;
  }

  /** All elements at a path of names such as `images/image/url`, in document order. */
  all(path: string): XmlElement[] {
    return path
      .split('/')
      .reduce<XmlElement[]>(
        (found, name) =>
          found.flatMap((element) => element.children.filter((child) => child.name === name)),
        [this],
      );
  }

  /** The first element at a path. */
  find(path: string): XmlElement | undefined {
    return this.all(path)[0];
  }

  has(path: string): boolean {
    return this.find(path) !== undefined;
  }

  /** The text of the first element at a path; `undefined` if there is none. */
  textOf(path: string): string | undefined {
    return this.find(path)?.text;
  }

  /** The texts of all elements at a path. */
  texts(path: string): string[] {
    return this.all(path).map((element) => element.text);
  }

  /** The names of the children, in order. */
  names(): string[] {
    return this.children.map((child) => child.name);
  }

  /** The children's texts by name, for an element whose children all have different names. */
  record(): Record<string, string> {
    return Object.fromEntries(this.children.map((child) => [child.name, child.text]));
  }
}

/**
 * The root element of a document.
 *
 * @throws Error if it is not well-formed
 */
export function parseXml(xml: string): XmlElement {
  const parser = new SaxesParser({ xmlns: false });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = new XmlElement(name, attributes);
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  if (root === undefined) throw new Error('There is no root element');
  return root;
}
