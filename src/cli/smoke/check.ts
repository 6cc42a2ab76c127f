import type { Exchange, HttpClient } from './http.ts';

/** What the checks work on. */
export interface Subject {
  readonly account: string;
  readonly password: string;
  readonly client: HttpClient;
  /** The client of the unit API, if one was given. */
  readonly api: { readonly id: string; readonly secret: string } | undefined;
  /** Maximum time to the first byte of a cached feed. */
  readonly firstByteMs: number;
  /** Time within which a feed must be cached; it is stored after its first reader has received it. */
  readonly cachedWithinMs: number;
  /** What checks have found that others continue from. */
  readonly seen: Seen;
}

export interface Seen {
  /** Feeds that were received completely, for the second time if that was possible: compressed and not. */
  feeds?: readonly ReceivedFeed[];
  token?: string;
}

export interface ReceivedFeed extends Exchange {
  readonly path: string;
  readonly encoding: 'gzip' | 'identity';
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

/** The path and query of a feed. */
export function feedPath(
  { account, password }: Pick<Subject, 'account' | 'password'>,
  parameters: Readonly<Record<string, string | number>>,
  file = 'CreateXMLFeedV3.asp',
): string {
  const query = Object.entries({ U: `OWNPROPERTIES@${account}`, P: password, ...parameters })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `/${file}?${query}`;
}

export function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
