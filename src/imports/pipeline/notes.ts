import { INTERPRETATIONS } from '../../messages/interpretations.ts';
import type { InterpretationKind } from '../values/interpretation.ts';

/** One kind of interpretation of one node, counted over a file. */
export interface Interpretation {
  /** The node's path below its record, as `surface_area/built`. */
  readonly node: string;
  readonly kind: InterpretationKind;
  times: number;
  readonly lines: number[];
  /** The properties of the records with these lines; `null` for a line of none. */
  readonly listings: (string | null)[];
  readonly example: { readonly text: string; readonly as: string };
}

export interface IgnoredNode {
  readonly name: string;
  times: number;
  readonly line: number;
}

const MAX_LINES = 5;

/** Kinds of which each different word is listed: somebody has to decide what it means. */
const BY_WORD: ReadonlySet<InterpretationKind> = new Set<InterpretationKind>([
  'unreadable',
  'held_back',
  'per_day',
  'unknown_period',
  'unknown_country',
]);

/**
 * Nodes of which each different text is listed: they decide whether and how a property is offered.
 */
const DECISIVE: ReadonlySet<string> = new Set(['status', 'availability', 'price_freq', 'currency']);

/**
 * Maximum number of words of a node that are listed by themselves; further ones are counted
 * together.
 */
const MAX_WORDS = 50;

const EXAMPLE_LENGTH = 80;

/**
 * Maximum number of interpretations, of ignored nodes and of rejected records that are listed, so
 * that memory stays bounded.
 */
export const MAX_LISTED = 1_000;

/** The part of {@link Notes} with which readers of nodes report. */
export type Reporting = Pick<Notes, 'ignored' | 'interpreted'>;

/** For a node that is read again, and was reported before. */
export const SILENT: Reporting = { ignored: () => {}, interpreted: () => {} };

/**
 * What is notable about a file: ignored nodes by their paths, and interpretations by node and kind.
 */
export class Notes {
  readonly #ignored = new Map<string, IgnoredNode>();
  readonly #interpreted = new Map<string, Interpretation>();
  /** The words of a node that were not understood, by kind and node. */
  readonly #words = new Map<string, Set<string>>();
  /** Lists that end with a listing that is not known yet. */
  #open: (string | null)[][] = [];

  /** @param before interpretations that were reported earlier */
  constructor(before: readonly Interpretation[] = []) {
    for (const one of before) {
      const key = this.#keyOf(one.node, one.kind, one.example.text);
      this.#interpreted.set(key, {
        ...one,
        lines: [...one.lines],
        listings: [...one.listings],
      });
    }
  }

  /** Reports a node that is not imported, by its path. */
  ignored(name: string, line: number): void {
    const before = this.#ignored.get(name);
    if (before !== undefined) before.times++;
    else if (this.#ignored.size < MAX_LISTED) this.#ignored.set(name, { name, times: 1, line });
  }

  /** Reports a node that was understood though it is not as specified, or not understood. */
  interpreted(
    node: string,
    kind: InterpretationKind,
    line: number,
    text: string,
    as: unknown,
  ): void {
    const key = this.#keyOf(node, kind, short(text));
    const before = this.#interpreted.get(key);
    if (before !== undefined) {
      before.times++;
      if (before.lines.length < MAX_LINES && before.lines.at(-1) !== line)
        this.#place(before, line);
    } else if (this.#interpreted.size < MAX_LISTED) {
      const example = { text: short(text), as: short(shown(as)) };
      const first = { node, kind, times: 1, lines: [], listings: [], example };
      this.#interpreted.set(key, first);
      this.#place(first, line);
    }
  }

  #place({ lines, listings }: Interpretation, line: number): void {
    lines.push(line);
    listings.push(null);
    this.#open.push(listings);
  }

  /** Says that what was reported since the last record is of a property: `null` for a record without one. */
  belongTo(id: string | null): void {
    for (const listings of this.#open) listings[listings.length - 1] = id;
    this.#open = [];
  }

  /**
   * What is counted together: a node and a kind, and of words that were not understood each by
   * itself.
   */
  #keyOf(node: string, kind: InterpretationKind, word: string): string {
    const key = `${kind} ${node}`;
    if (!BY_WORD.has(kind) && !DECISIVE.has(node)) return key;
    const words = this.#words.get(key) ?? new Set();
    this.#words.set(key, words);
    if (words.size < MAX_WORDS) words.add(word);
    return words.has(word) ? `${key} ${word}` : key;
  }

  get ignoredNodes(): IgnoredNode[] {
    return [...this.#ignored.values()];
  }

  /** All interpretations, grouped by node. */
  get interpretations(): Interpretation[] {
    return [...this.#interpreted.values()].sort((a, b) =>
      a.node === b.node ? b.times - a.times : a.node < b.node ? -1 : 1,
    );
  }
}

export function describeInterpretation({
  node,
  kind,
  times,
  lines,
  example,
}: Interpretation): string {
  const what = example.text === '' ? '' : `"${example.text}" as ${example.as || 'empty'}, `;
  const where = `line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}${times > lines.length ? ', …' : ''}`;
  return `${node}: ${what}${INTERPRETATIONS[kind]} (${times === 1 ? 'once' : `${times} times`}, ${where})`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'on request';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, part]) => (part === true ? name : part))
    .join(', ');
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > EXAMPLE_LENGTH ? `${line.slice(0, EXAMPLE_LENGTH)}…` : line;
}
