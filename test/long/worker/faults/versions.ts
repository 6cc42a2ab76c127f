/** Who wrote a version, such as an isolate or the importer. */
export type Writer = object;

/** A moment of the scenario. */
export interface Moment {
  /** Advances with every event, so that events of the same time have an order. */
  readonly order: number;
  /** Milliseconds, of the clock that the test sets. */
  readonly time: number;
}

/** Milliseconds after which an isolate shows what another one has written, usually and while D1 does not respond. */
const USUAL_DELAY = 1_000;
const LONGEST_DELAY = 10 * 60_000;

interface Version<Value> {
  readonly value: Value;
  readonly since: Moment;
}

interface Acknowledgement {
  readonly index: number;
  readonly at: Moment;
  readonly by: Writer;
}

/** What readers may see of one entry: its versions, and which of them have been acknowledged to their writers. */
export class Versions<Value> {
  readonly #versions: Version<Value>[];
  readonly #acknowledged: Acknowledgement[] = [];

  readonly clock: () => Moment;

  constructor(first: Value, clock: () => Moment) {
    this.clock = clock;
    this.#versions = [{ value: first, since: clock() }];
  }

  /** The version that was last acknowledged, or the first one. */
  get current(): Value {
    return this.#versions[this.#acknowledged.at(-1)?.index ?? 0]!.value;
  }

  get all(): Value[] {
    return this.#versions.map(({ value }) => value);
  }

  /**
   * Call before a version is sent. Until it is acknowledged, readers may see it or not.
   *
   * @returns a function to call once it is known to be stored
   */
  begin(value: Value): (by: Writer) => void {
    const index = this.#versions.push({ value, since: this.clock() }) - 1;
    return (by) => this.#acknowledged.push({ index, at: this.clock(), by });
  }

  /** Call when it is known that the versions that were begun last are not stored. */
  withdraw(): void {
    this.#versions.length = (this.#acknowledged.at(-1)?.index ?? 0) + 1;
  }

  /** The versions that a response of an isolate may show. */
  visible(begun: Moment, ended: Moment, isolate: Writer, isD1Failing: boolean): Value[] {
    const delay = isD1Failing ? LONGEST_DELAY : USUAL_DELAY;
    const isShown = ({ at, by }: Acknowledgement) =>
      at.order < begun.order && (by === isolate || at.time + delay <= begun.time);
    const oldest = this.#acknowledged.filter(isShown).at(-1)?.index ?? 0;
    return this.#versions
      .filter(({ since }, index) => index >= oldest && since.order <= ended.order)
      .map(({ value }) => value);
  }
}
