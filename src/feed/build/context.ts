import type { ExecutionContext } from 'hono';
import type { Env } from '../../env.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import type { Envelope } from '../document/envelope.ts';
import type { PartFormat } from '../formats/format.ts';
import type { FeedParameters } from '../formats/parameters.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { isSameRevision, type PlannedPart } from '../manifest/plan.ts';
import type { SnapshotSet } from '../snapshots/table.ts';
import { type BackgroundTasks, backgroundTasks } from './background.ts';
import type { Revision } from './feed-properties.ts';

interface RequestedFeed {
  readonly manifest: Manifest;
  readonly format: PartFormat;
  readonly parameters: FeedParameters;
  readonly envelope: Envelope;
  readonly set: SnapshotSet;
  readonly compressed: boolean;
  /** Whether the cache of the Worker's location is used in front of KV. */
  readonly hasLocalCache: boolean;
  /** Logs an error that the reader does not see. */
  report(error: unknown): void;
}

/** What the parts of a response share. */
export interface FeedContext extends RequestedFeed {
  readonly env: Env;
  readonly background: BackgroundTasks;
  readonly metrics: FeedMetrics;
}

/** What is counted about a response. */
interface FeedMetrics {
  /** The records sent. */
  records: number;
  /** The parts stored in KV. */
  stored: number;
  /** The parts built, for each reason. */
  missed: Partial<Record<MissReason, number>>;
}

export function feedContext(
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
  requested: RequestedFeed,
): FeedContext {
  const background = backgroundTasks((task) => context.waitUntil(task), requested.report);
  return { ...requested, env, background, metrics: { records: 0, stored: 0, missed: {} } };
}

/**
 * Why a part was built, where this isolate knows:
 * `changed` since it was last built here, or since other parts of the feed were cached;
 * `expired`, because the isolate has built it in this state before, and its snapshot has expired, was evicted or never written;
 * `lost`, because KV no longer has the recorded snapshot, or has another; `unreadable`, because KV fails;
 * `new`, because none of that is known.
 */
type MissReason = 'new' | 'changed' | 'expired' | 'lost' | 'unreadable';

/** The revision at which this isolate last built a part, by account, parameter set and part. */
const builtAt = boundedCache<Revision>(5_000);

/** Counts a part that must be built, with the reason why its snapshot cannot be used, if it has one. */
export function countMiss(
  { metrics, manifest, set }: FeedContext,
  { part, revision }: PlannedPart,
  reason?: 'lost' | 'unreadable',
): void {
  const key = `${manifest.accountId} ${part} ${set.parameters}`;
  const before = builtAt.get(key);
  builtAt.set(key, revision);
  const otherwise = manifest.parts.some(({ cached }) => cached !== null) ? 'changed' : 'new';
  const since = before && (isSameRevision(before, revision) ? 'expired' : 'changed');
  const found = reason ?? since ?? otherwise;
  metrics.missed[found] = (metrics.missed[found] ?? 0) + 1;
}
