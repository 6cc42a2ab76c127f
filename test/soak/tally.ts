/** What has happened so far. */
export class Tally {
  readonly counts = new Map<string, number>();
  /** Milliseconds of each complete feed or 304. */
  readonly durations: number[] = [];
  /** The first things that went wrong. */
  readonly failures: string[] = [];
  failed = 0;

  count(name: string): void {
    this.counts.set(name, this.of(name) + 1);
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** Counts something that must not happen. */
  fail(message: string): void {
    this.failed++;
    if (this.failures.length < 10) this.failures.push(message);
  }

  /** The duration that this share of the responses did not exceed. */
  percentile(share: number): number {
    const sorted = this.durations.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }
}
