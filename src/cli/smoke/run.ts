import type { Exchange, Service } from './service.ts';

/** What checks work with. */
export interface Subject {
  readonly service: Service;
  /** Maximum time to the first byte of a cached feed. */
  readonly firstByteMs: number;
  /** Time within which a feed must be cached; it is stored after its first reader has received it. */
  readonly cachedWithinMs: number;
  /** Feeds that were received completely: compressed and not. */
  feeds?: readonly ReceivedFeed[];
  /** An access token. */
  token?: string;
}

export interface ReceivedFeed extends Exchange {
  readonly path: string;
  readonly encoding: 'gzip' | 'identity';
}

/**
 * A line of the report.
 *
 * @returns what was verified
 * @throws Skipped if it cannot be verified, and any other error with what is wrong
 */
export type Check = (subject: Subject) => Promise<string>;

/** Why something was not verified. */
export class Skipped extends Error {}

/** Fails a check, for this reason, unless a condition holds. */
export function ensure(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}

export interface Line {
  readonly name: string;
  readonly outcome: 'pass' | 'FAIL' | 'skip';
  readonly detail: string;
}

/** If one of these fails, only `secrets` can be checked. */
const REQUIRED = ['service', 'password'];

/**
 * Runs checks in their order.
 *
 * @param onLine called with each line once its check has been run
 * @param signal aborted if no time is left, with the reason
 */
export async function runChecks(
  checks: ReadonlyMap<string, Check>,
  subject: Subject,
  onLine: (line: Line) => void,
  signal: AbortSignal,
): Promise<void> {
  let missing: string | undefined;
  for (const [name, check] of checks) {
    const line: Line =
      missing === undefined || name === 'secrets'
        ? { name, ...(await outcomeOf(check, subject, signal)) }
        : { name, outcome: 'skip', detail: missing };
    onLine(line);
    if (REQUIRED.includes(name) && line.outcome === 'FAIL') missing = `skipped: ${name} failed`;
  }
}

async function outcomeOf(check: Check, subject: Subject, signal: AbortSignal): Promise<Omit<Line, 'name'>> {
  try {
    signal.throwIfAborted();
    return { outcome: 'pass', detail: await check(subject) };
  } catch (error) {
    if (signal.aborted) return { outcome: 'FAIL', detail: String(signal.reason) };
    const { message, code } = error as NodeJS.ErrnoException;
    return { outcome: error instanceof Skipped ? 'skip' : 'FAIL', detail: message || code || String(error) };
  }
}
