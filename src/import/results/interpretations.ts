import { INTERPRETATIONS, type InterpretationKind } from '../values/interpretation.ts';

/** One kind of interpretation of one node, counted over a file. */
export interface Interpretation {
  /** The node's path below its record, as `surface_area/built`. */
  readonly node: string;
  readonly kind: InterpretationKind;
  readonly times: number;
  /** The first lines at which it occurred. */
  readonly lines: readonly number[];
  readonly example: Example;
}

/** A text, and its interpretation. */
export interface Example {
  readonly text: string;
  readonly as: string;
}

/** Maximum number of reported lines per interpretation. */
const LINES = 5;

/** Maximum length of a reported example. */
const EXAMPLE = 80;

/** Maximum number of distinct interpretations, so that memory stays bounded. */
const MOST = 1_000;

interface Found {
  times: number;
  readonly lines: number[];
  readonly example: Example;
}

/** Counts interpretations by node and kind. */
export class Interpretations {
  readonly #found = new Map<string, Found>();

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

/** An interpretation as a line of text. */
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
