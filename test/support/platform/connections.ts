/** https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections */
const MAX_OPEN = 6;

/** The connections of an invocation: a seventh waits until one of six has been closed. */
export class Connections {
  /** The most that have been open at the same time. */
  most = 0;
  #open = 0;
  readonly #waiting: (() => void)[] = [];

  /** Opens a connection, as soon as one is free; the function that is returned closes it, once. */
  async open(): Promise<() => void> {
    if (this.#open >= MAX_OPEN) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#open++;
    this.most = Math.max(this.most, this.#open);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const next = this.#waiting.shift();
      // The next one takes over this one's place.
      if (next !== undefined) next();
      else this.#open--;
    };
  }
}
