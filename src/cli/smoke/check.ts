import type { Exchange, Service } from './service.ts';

/** What checks work with. */
export interface Subject {
  readonly service: Service;
  /** Maximum time to the first byte of a cached feed. */
  readonly firstByteMs: number;
  /** Time within which a feed must be cached; it is stored after its first reader has received it. */
  readonly cachedWithinMs: number;
  /** Feeds that were received completely, for the second time if that was possible: compressed and not. */
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

/** The feeds that an earlier check has received. */
export function receivedFeeds({ feeds }: Subject): readonly ReceivedFeed[] {
  if (feeds === undefined) throw new Skipped('skipped: no feed was received completely');
  return feeds;
}
