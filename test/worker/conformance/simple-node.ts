import type { XmlElement } from '../../support/xml.ts';

/**
 * Sibling elements with the same name; as one, the first. As in PHP's SimpleXML, a missing node is like an empty one, and a
 * node as a string is its own text.
 */
export class SimpleNode {
  readonly #elements: readonly XmlElement[];

  constructor(elements: readonly XmlElement[]) {
    this.#elements = elements;
  }

  child(name: string): SimpleNode {
    return new SimpleNode(this.#elements[0]?.all(name) ?? []);
  }

  at(path: string): SimpleNode {
    return path.split('/').reduce<SimpleNode>((node, name) => node.child(name), this);
  }

  attribute(name: string): string {
    return this.#elements[0]?.attributes[name] ?? '';
  }

  each<T>(take: (node: SimpleNode) => T): T[] {
    return this.#elements.map((element) => take(new SimpleNode([element])));
  }

  toString(): string {
    return this.#elements[0]?.text ?? '';
  }
}
