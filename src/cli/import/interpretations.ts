import { INTERPRETATIONS, type InterpretationKind } from './values/interpretation.ts';

/** How one node was understood in one way, over a whole file. */
export interface Interpretation {
  /** The node's path below its record, as `surface_area/built`. */
  readonly node: string;
  readonly kind: InterpretationKind;
  readonly times: number;
  /** The first lines where it happened. */
  readonly lines: readonly number[];
  readonly example: Example;
}

/** A text, and what it was taken for. */
export interface Example {
  readonly text: string;
  readonly as: string;
}

/** Lines of an interpretation that are reported. */
const LINES = 5;

/** Characters of an example that are reported. */
const EXAMPLE = 80;

/** Ways to interpret that are told apart: a file of any length must not fill the memory with them. */
const MOST = 1_000;

/** Counts interpretations by node and kind. */
export class Interpretations {
  readonly #found = new Map<string, { times: number; lines: number[]; readonly example: Example }>();

  add(node: string, kind: InterpretationKind, line: number, text: string, as: unknown): void {
    const key = `${kind} ${node}`;
    const before = this.#found.get(key);
    if (before !== undefined) {
      before.times++;
      if (before.lines.length < LINES && before.lines.at(-1) !== line) before.lines.push(line);
    } else if (this.#found.size < MOST) {
      this.#found.set(key, { times: 1, lines: [line], example: { text: short(text), as: short(shown(as)) } });
    }
  }

  /** All of them, those of one node together. */
  list(): Interpretation[] {
    return [...this.#found]
      .map(([key, found]) => {
        const [kind = '', ...node] = key.split(' ');
        return { node: node.join(' '), kind: kind as InterpretationKind, ...found };
      })
      .sort((a, b) => (a.node === b.node ? b.times - a.times : a.node < b.node ? -1 : 1));
  }
}

/** An interpretation in words, in a line. */
export function describeInterpretation({ node, kind, times, lines, example }: Interpretation): string {
  const what = example.text === '' ? '' : `"${example.text}" as ${example.as}, `;
  const where = `line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}${times > lines.length ? ', …' : ''}`;
  return `${node}: ${what}${INTERPRETATIONS[kind]} (${times === 1 ? 'once' : `${times} times`}, ${where})`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'on request';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > EXAMPLE ? `${line.slice(0, EXAMPLE)}…` : line;
}
