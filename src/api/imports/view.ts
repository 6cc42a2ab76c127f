import type * as z from 'zod';
import type { Import } from '../../db/imports/imports.ts';
import type { Source } from '../../db/imports/sources.ts';
import type { ImportCursor } from '../../import/apply.ts';
import { isoTime } from '../../lib/time/time.ts';
import type { importSummary, source as sourceSchema } from './schemas.ts';

/** An import as represented in responses; times in ISO 8601, UTC. */
export function importView(stored: Import): z.output<typeof importSummary> {
  const { id, source, state, createdAt, endedAt, bytes, records, progress, code, detail } = stored;
  const { counts } = JSON.parse(progress) as Partial<ImportCursor>;
  const compared = Object.values(counts ?? {}).map(({ created, updated, unchanged }) => created + updated + unchanged);
  return {
    id,
    source,
    state,
    created_at: isoTime(createdAt),
    ended_at: endedAt === null ? null : isoTime(endedAt),
    bytes,
    records,
    done: compared.reduce((sum, number) => sum + number, 0),
    error: code === null ? null : { code, detail: detail ?? '' },
  };
}

/** A source as represented in responses. */
export function sourceView(stored: Source): z.output<typeof sourceSchema> {
  const { name, shownUrl, format, every, at, maxWithdrawn, strict, channel, enabled } = stored;
  const { createdAt, failures, nextRunAt, lastId, lastState } = stored;
  return {
    name,
    url: shownUrl,
    format,
    every,
    at,
    max_withdrawn: maxWithdrawn,
    strict,
    channel,
    enabled,
    created_at: isoTime(createdAt),
    failures,
    next_run_at: enabled ? isoTime(nextRunAt) : null,
    last_run: lastId === null ? null : { id: lastId, state: lastState! },
  };
}
