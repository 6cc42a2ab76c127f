import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type Actor, actorIn, actorText } from '../accounts/actor.ts';
import type { readers } from '../db/schema.ts';
import type { Address } from '../db/statements.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import type { SelectionRules } from '../properties/selection/schema.ts';
import { type Policy, policyIn } from './policy.ts';

/** What a reader is to get, as it is stored. */
type Stored = Pick<typeof readers.$inferSelect, 'preset' | 'fixed' | 'channelId' | 'policy'>;

/** A change of what a reader is to get. */
export interface ReaderChange {
  /** Its place among the changes of the reader. */
  readonly number: number;
  readonly changedAt: EpochSeconds;
  readonly actor: Actor;
  readonly before: Stored;
  readonly after: Stored;
}

/** Notes what a reader is to get before a change, if the reader is still as the condition says. */
export function noteReader(isBefore: SQL, isOther: SQL, actor: Actor): SQL {
  return sql`
    INSERT INTO reader_history (reader_id, number, actor, preset, fixed, channel_id, policy)
    SELECT id, (SELECT ifnull(max(h.number), 0) + 1 FROM reader_history h WHERE h.reader_id = readers.id),
           ${actorText(actor)}, preset, fixed, channel_id, policy
      FROM readers WHERE ${isBefore} AND (${isOther})`;
}

/** The changes of what a reader is to get since a time, newest first. */
export async function listReaderChanges(
  db: D1Database,
  { accountId, name }: Address,
  since: EpochSeconds,
): Promise<ReaderChange[]> {
  type Row = Record<'preset' | 'policy' | 'actor', string> &
    Record<'number' | 'changed_at' | 'fixed', number> & { channel_id: number | null };
  const rows = await drizzle(db).all<Row>(sql`
    SELECT h.number, h.changed_at, h.actor, h.preset, h.fixed, h.channel_id, h.policy
      FROM reader_history h
     WHERE h.reader_id = (SELECT id FROM readers WHERE account_id = ${accountId} AND name = ${name})
       AND h.changed_at >= ${since}
    UNION ALL
    SELECT NULL, unixepoch(), '', preset, fixed, channel_id, policy
      FROM readers WHERE account_id = ${accountId} AND name = ${name}
     ORDER BY 2, 1 NULLS LAST`);
  const states = rows.map(({ preset, policy, fixed, channel_id: channelId }) => ({
    preset,
    policy,
    fixed: fixed === 1,
    channelId,
  }));
  const changes = rows.slice(0, -1).map(({ number, changed_at: changedAt, actor }, index) => ({
    number,
    changedAt,
    actor: actorIn(actor),
    before: states[index]!,
    after: states[index + 1]!,
  }));
  return changes.reverse();
}

/** What a reader is to get, part by part, as changes of it are compared and undone. */
export type ReaderSettings = Readonly<Record<string, unknown>>;

/** How the names of parts begin: parameters, rules, and listings that are in or out by hand. */
export const PARAMETER = 'parameter:';
export const RULE = 'rule:';
export const LISTING = 'listing:';

/** The parts of what a reader is to get. */
export function settingsOf({ preset, fixed, channelId, policy }: Stored): ReaderSettings {
  const { withhold, place, kind, selection } = policyIn(policy);
  const { include = [], exclude = [], price = {}, ...rules } = selection ?? {};
  const named = (prefix: string, values: Iterable<readonly [string, unknown]>) =>
    Object.fromEntries([...values].map(([name, value]) => [prefix + name, value]));
  return {
    ...named(PARAMETER, new URLSearchParams(preset)),
    fixed,
    channelId,
    kind,
    place,
    withhold,
    ...named(RULE, Object.entries(rules)),
    ...named(`${RULE}price_`, Object.entries(price)),
    ...named(LISTING, [
      ...include.map((id) => [id, 'in'] as const),
      ...exclude.map((id) => [id, 'out'] as const),
    ]),
  };
}

/** What a reader is to get, of its parts. */
export function storedOf(settings: ReaderSettings) {
  const stated = Object.entries(settings).filter(([, value]) => value !== undefined);
  const named = (prefix: string) =>
    stated.flatMap(([name, value]): [string, unknown][] =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    );
  const put = (where: string) =>
    named(LISTING).flatMap(([id, value]) => (value === where ? [id] : []));
  const { price_min: min, price_max: max, ...rules } = Object.fromEntries(named(RULE));
  const { fixed, channelId, kind, place, withhold } = settings as unknown as Policy & Stored;
  const preset = new URLSearchParams(named(PARAMETER) as [string, string][]);
  const selection = { ...rules, price: { min, max }, include: put('in'), exclude: put('out') };
  return {
    preset: preset.toString().replaceAll('%2C', ','),
    fixed,
    channelId,
    kind,
    place,
    withhold,
    selection: selection as SelectionRules,
  };
}
