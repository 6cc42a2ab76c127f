import type { FeedAccount } from './feed.ts';
import type { Exchange, HttpClient } from './http.ts';
import type { SecretScanner } from './secrets.ts';

/** The context of the checks. */
export interface Subject extends FeedAccount {
  readonly client: HttpClient;
  readonly scanner: SecretScanner;
  /** The client of the unit API, if one was given. */
  readonly api: { readonly id: string; readonly secret: string } | undefined;
  /** Milliseconds that the first byte of a cached feed may take. */
  readonly firstByteLimit: number;
  /** Milliseconds in which a feed must be cached; it is stored after its first reader has received it. */
  readonly cachedWithin: number;
  /** What checks have found that others continue from. */
  readonly seen: Seen;
}

/** Responses and tokens that later checks use. */
export interface Seen {
  /** The cached feed, compressed and not; there once it has been received completely. */
  gzip?: Exchange & { readonly path: string };
  identity?: Exchange & { readonly path: string };
  /** What is wrong with the way in which these came to be cached. */
  readonly notCached: string[];
  token?: string;
  /** Whether the feed showed the last update. */
  visibility?: Visibility;
}

/** Whether the feed showed an update that it must show a second later. */
export interface Visibility {
  readonly shown: 'in time' | 'late' | 'never';
  readonly detail: string;
}

/** The outcome of a check. */
export type Outcome = { readonly outcome: 'pass' | 'FAIL' | 'skip'; readonly detail: string };

/** One line of the report. */
export interface Check {
  readonly name: string;
  run(subject: Subject): Promise<Outcome>;
}

export function pass(detail: string): Outcome {
  return { outcome: 'pass', detail };
}

export function fail(detail: string): Outcome {
  return { outcome: 'FAIL', detail };
}

/** @param detail why it was not checked */
export function skip(detail: string): Outcome {
  return { outcome: 'skip', detail };
}
