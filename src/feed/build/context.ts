import type { ExecutionContext } from 'hono';
import type { Manifest } from '../../db/feed/manifest.ts';
import type { SnapshotSet } from '../../db/feed/snapshots.ts';
import type { Env } from '../../env.ts';
import type { Frame } from '../document/envelope.ts';
import type { PartFormat } from '../formats/format.ts';
import type { FeedParameters } from '../formats/parameters.ts';
import { BackgroundTasks } from './background.ts';
import { FeedTally } from './tally.ts';

/** The document that a response shows. */
export interface RequestedFeed {
  /** The code of its account, in upper case. */
  readonly account: string;
  readonly manifest: Manifest;
  readonly format: PartFormat;
  readonly parameters: FeedParameters;
  readonly frame: Frame;
  readonly set: SnapshotSet;
  /** Whether the response is gzip. */
  readonly compressed: boolean;
  /** Whether the cache of the Worker's location is used in front of KV. */
  readonly hasLocalCache: boolean;
  /** Logs an error that the reader does not see. */
  report(error: unknown): void;
}

/** The context shared by all parts of a response. */
export interface FeedContext extends RequestedFeed {
  readonly env: Env;
  readonly background: BackgroundTasks;
  /** What the response contains, and why parts were built. */
  readonly tally: FeedTally;
}

export function feedContext(
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
  requested: RequestedFeed,
): FeedContext {
  return {
    ...requested,
    env,
    background: new BackgroundTasks((task) => context.waitUntil(task), requested.report),
    tally: new FeedTally(requested.manifest, requested.set),
  };
}
