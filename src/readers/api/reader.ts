import type { Actor } from '../../accounts/actor.ts';
import type { Address } from '../../db/statements.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { newReaderKey } from '../../feed/request/credentials.ts';
import { parsePreset } from '../../feed/request/preset.ts';
import { selectPreset } from '../../feed/request/query.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { type Issue, parsed } from '../../messages/parsed.ts';
import type { Selectable } from '../../properties/selection/rules.ts';
import { type SelectionRules, selectionRules } from '../../properties/selection/schema.ts';
import { changedPolicy, type Policy, type PolicyChange, policyIn, policyText } from '../policy.ts';
import {
  findReader,
  type NewReader,
  type ReaderFeed,
  updateReader,
  updateSelection,
} from '../readers.ts';
import { type Listing, rulesWith } from '../selection.ts';
import { unknownNames } from './known-names.ts';

/** Days for which a reader's old keys stay valid after a new one was created: by default, and at most. */
export const DEFAULT_OLD_KEY_DAYS = 14;
export const MAX_OLD_KEY_DAYS = 365;

/** The requested settings of a reader's feed; without a policy, nothing is withheld. */
type FeedRequest = Pick<ReaderFeed, 'preset' | 'fixed' | 'channelId'> &
  Partial<Pick<ReaderFeed, 'policy'>>;

type PresetErrors = { readonly errors: readonly ParameterError[] };

/** What is wrong with what a change makes of the rules. */
type RulesErrors = { readonly rules: readonly Issue[] };

/** A reader with a new key, ready to be stored; or what is wrong with its preset. */
export function newReader(
  request: FeedRequest & Omit<NewReader, keyof ReaderFeed | 'digest'>,
): { readonly reader: NewReader; readonly key: string } | PresetErrors {
  const feed = readerFeed(request);
  if ('errors' in feed) return feed;
  const key = newReaderKey();
  return { reader: { ...request, ...feed, digest: sha256Hex(key) }, key };
}

/** What is stored of the feed that a reader gets; or what is wrong with its preset. */
export function readerFeed({
  preset: text,
  policy = '',
  ...request
}: FeedRequest): ReaderFeed | PresetErrors {
  const checked = parsePreset(text);
  return 'errors' in checked ? checked : feedOf({ ...request, policy, preset: checked.preset });
}

/** @param feed with a valid preset */
function feedOf({ preset, fixed, channelId, policy }: Omit<ReaderFeed, 'parameters'>): ReaderFeed {
  const { set } = selectPreset(preset, channelId, policy);
  return { preset, fixed, channelId, policy, parameters: set.byListing ? null : set.parameters };
}

/** A preset with its parameters in one order: the console has its own. */
const sorted = (preset: string) => [...new URLSearchParams(preset)].sort().join();

type FeedChange = {
  readonly [Part in 'preset' | 'fixed' | 'channelId']?: ReaderFeed[Part] | undefined;
};

/** What a reader was to get when somebody decided to change it. */
type Seen = Omit<ReaderFeed, 'parameters'>;

function isAsSeen(reader: Seen, seen: Seen): boolean {
  const parts = ['preset', 'fixed', 'channelId', 'policy'] as const;
  return parts.every((part) => reader[part] === seen[part]);
}

/** Why a reader was not changed. */
type Unchanged = 'not found' | 'fixed without preset' | PresetErrors | RulesErrors;

/** What would be stored of a reader's feed with another policy and other settings. */
function checked(request: Required<FeedRequest>): ReaderFeed | Exclude<Unchanged, 'not found'> {
  if (request.fixed && request.preset === '') return 'fixed without preset';
  const rules = parsed(selectionRules, policyIn(request.policy).selection ?? {});
  return 'issues' in rules ? { rules: rules.issues } : readerFeed(request);
}

/**
 * Changes what a reader gets. Settings that are not given stay as they are, even if somebody changes them at the same time.
 *
 * @param seen what is changed: nothing else is
 * @returns 'fixed without preset' if the reader would have a fixed preset that is empty
 */
export async function changeReader(
  db: D1Database,
  address: Address,
  { preset, fixed, channelId, ...policy }: FeedChange & PolicyChange,
  actor: Actor,
  seen?: Seen,
): Promise<'changed' | Unchanged | 'changed since'> {
  for (;;) {
    const before = await findReader(db, address);
    if (before === null) return 'not found';
    if (seen !== undefined && !isAsSeen(before, seen)) return 'changed since';
    const after = checked({
      preset: preset ?? before.preset,
      fixed: fixed ?? before.fixed,
      channelId: channelId === undefined ? before.channelId : channelId,
      policy: changedPolicy(before.policy, policy),
    });
    if (after === 'fixed without preset' || !('parameters' in after)) return after;
    const [rules, rulesBefore] = [after, before].map((one) => policyIn(one.policy).selection);
    const unknown = await unknownNames(db, address.accountId, rules, rulesBefore);
    if (unknown.length > 0) return { rules: unknown };
    const isOther =
      sorted(after.preset) !== sorted(before.preset) ||
      (['policy', 'channelId'] as const).some((part) => after[part] !== before[part]);
    const dated = isOther
      ? feedOf({ ...after, policy: changedPolicy(after.policy, { since: before.now }) })
      : after;
    // Otherwise somebody else has changed it since it was read.
    if (await updateReader(db, address, before, dated, actor)) return 'changed';
  }
}

/**
 * Puts properties into what a reader gets, or takes them out, whatever its other rules say. This is a change of these properties, which
 * have its date and a number each: the reader's others stay as they are, and its followers go on.
 *
 * @param listing what the reader's feed lists
 */
export async function switchProperties(
  db: D1Database,
  address: Address,
  properties: readonly Selectable[],
  listing: Listing,
  isIn: boolean,
  actor: Actor,
): Promise<'changed' | Unchanged | 'changed since'> {
  const identifiers = properties.map(({ id }) => id);
  const moved = (policy: Policy) => rulesWith(properties, { ...listing, policy }, isIn);
  return changeRules(db, address, identifiers, moved, actor);
}

/**
 * Changes the rules of a reader, of which only those about some properties differ.
 *
 * @param seen what is changed: nothing else is
 */
export async function changeRules(
  db: D1Database,
  address: Address,
  identifiers: readonly string[],
  change: (policy: Policy) => SelectionRules | null,
  actor: Actor,
  seen?: Seen,
): Promise<'changed' | Unchanged | 'changed since'> {
  for (;;) {
    const before = await findReader(db, address);
    if (before === null) return 'not found';
    if (seen !== undefined && !isAsSeen(before, seen)) return 'changed since';
    const policy = policyIn(before.policy);
    const selection = change(policy);
    const after = checked({ ...before, policy: policyText({ ...policy, selection }) });
    if (after === 'fixed without preset' || !('parameters' in after)) return after;
    if (after.policy === before.policy) return 'changed';
    if (await updateSelection(db, address, before, after, identifiers, actor)) return 'changed';
  }
}
