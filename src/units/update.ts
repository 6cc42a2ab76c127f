import type * as z from 'zod';
import type { Writer } from '../accounts/actor.ts';
import { type WriteContext, writeThenInvalidate } from '../feed/invalidation/invalidate.ts';
import { invalidateManifests } from '../feed/manifest/manifest-cache.ts';
import { nowInSeconds } from '../lib/time/time.ts';
import { notFound, type Problem, ProblemError } from '../problem.ts';
import { type DevelopmentDocument, parseDocument } from '../properties/documents.ts';
import { writePortfolio } from '../properties/store/write.ts';
import type { Removal } from './developments.ts';
import { limitHistory } from './history.ts';
import { type ifUnchanged, unitNotFound, type unitValues } from './schemas.ts';
import { tryUpdates, type UnitUpdate, type UnitUpdated, updateUnits } from './unit-updates.ts';
import {
  type DevelopmentAddress,
  hasValues,
  readUnit,
  similarUnits,
  type Unit,
  type UnitValues,
} from './units.ts';
import { allowedVersions } from './view.ts';

/** Units of a transaction that do not exist, and whose similar names are looked for. */
const MAX_EXPLAINED = 5;

/** The result of an update: the unit's current state, or why nothing was written. */
export type UpdateResult =
  | { readonly unit: Unit; readonly changed: boolean }
  | { readonly problem: Problem };

/**
 * Applies updates to units of one of the account's developments, in order, in one transaction.
 *
 * @param versions if given, the units must have one of these versions, unless they already have the new values
 * @param validate whether to say what would become of them, and write nothing
 * @throws DependencyUnavailable if D1 fails; the updates may have been committed or not, and can be repeated
 */
export async function applyUpdates(
  c: WriteContext,
  writer: Writer,
  development: string,
  updates: readonly UnitUpdate[],
  versions?: readonly number[],
  validate = false,
): Promise<UpdateResult[]> {
  const address = { accountId: writer.accountId, development };
  const updated = validate
    ? await tryUpdates(c.env.DB, address, updates, versions)
    : await write(c, writer, address, updates, versions);
  const absent = updates.filter((_, index) => updated[index]!.kind === 'no unit');
  const similar = await Promise.all(
    absent
      .slice(0, MAX_EXPLAINED)
      .map(async ({ name }) => [name, await similarUnits(c.env.DB, address, name)] as const),
  );
  const similarTo = new Map(similar);
  return updated.map((result, index) => {
    const { name, values } = updates[index]!;
    if (result.kind !== 'unit')
      return { problem: unitNotFound(result.kind, development, name, similarTo.get(name)) };
    const { unit, changed } = result;
    // A retry of an applied update succeeds although the unit's version has moved on (RFC 9110 section 13.1.1).
    const isOther = versions !== undefined && !changed && !hasValues(unit, values);
    return isOther ? { problem: versionMismatch(unit) } : { unit, changed };
  });
}

/** Writes updates, and what follows from that: caches, webhooks, histories. */
async function write(
  c: WriteContext,
  { actor, batch }: Writer,
  address: DevelopmentAddress,
  updates: readonly UnitUpdate[],
  versions?: readonly number[],
): Promise<UnitUpdated[]> {
  const { accountId } = address;
  const updating = updateUnits(c.env.DB, address, updates, actor, versions, batch);
  const updated = await writeThenInvalidate(c, accountId, updating, (units) => ({
    changed: units.some(({ changed }) => changed),
    hasWebhooks: units.some(({ hasWebhooks }) => hasWebhooks),
  }));
  // Another isolate may have committed the same updates before: then only this isolate's manifests can be stale.
  if (updated.some(({ kind }) => kind === 'unit')) invalidateManifests(accountId);
  limitHistory(c.env, c.executionCtx, address, updated);
  return updated;
}

/** Applies one update. @throws ProblemError if nothing was written */
export async function applyUpdate(
  c: WriteContext,
  writer: Writer,
  development: string,
  update: UnitUpdate,
  versions?: readonly number[],
  validate = false,
): Promise<Unit> {
  const all = await applyUpdates(c, writer, development, [update], versions, validate);
  const [result] = all as [UpdateResult];
  if ('problem' in result) throw new ProblemError(result.problem);
  return result.unit;
}

/**
 * Sets the values of a unit, as an update does, or creates it.
 *
 * @param validate whether to say what would become of it, and write nothing
 * @throws ProblemError if nothing was written
 * @throws what D1 throws; the write may have been committed or not, and can be repeated
 */
export async function putUnit(
  c: WriteContext,
  writer: Writer,
  development: string,
  name: string,
  values: z.output<typeof unitValues>,
  conditions: z.output<typeof ifUnchanged>,
  validate = false,
): Promise<{ readonly unit: Unit; readonly created: boolean }> {
  const { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch } = conditions;
  const { accountId, actor } = writer;
  const address = { accountId, development, name };
  const found = await readUnit(c.env.DB, address, 0);
  if (found.kind === 'no development') throw new ProblemError(notFound('development', development));
  if (found.kind === 'unit') {
    if (ifNoneMatch?.trim() === '*') throw new ProblemError(versionMismatch(found.unit));
    const update = { name, values: storedValues(values) };
    const versions = allowedVersions(ifMatch);
    const unit = await applyUpdate(c, writer, development, update, versions, validate);
    return { unit, created: false };
  }
  if (ifMatch !== undefined) {
    throw new ProblemError({ code: 'precondition_failed', detail: 'The unit does not exist.' });
  }
  const { UntStatus: status, UntPrice: price, UntDirections: directions } = values;
  if (validate) {
    const now = nowInSeconds();
    const unit = { development, name, ...storedValues(values), version: 1, changedAt: now };
    return { unit, created: true };
  }
  const document = parseDocument({ kind: 'unit', development, name, status, price, directions });
  // Another client may have created it in the meantime: then its values are updated.
  const writing = writePortfolio(c.env.DB, accountId, [document], {
    actor,
    merge: (given, stored) => (stored.size > 0 ? undefined : given),
  });
  const { changed } = await writeThenInvalidate(c, accountId, writing, (written) => ({
    changed: written.changed.length > 0,
  }));
  if (changed.length === 0) return putUnit(c, writer, development, name, values, conditions);
  const created = await readUnit(c.env.DB, address, 0);
  if (created.kind !== 'unit')
    throw new ProblemError(unitNotFound(created.kind, development, name));
  return { unit: created.unit, created: true };
}

/**
 * Creates a development, or replaces it; without details, the stored ones stay. Returns whether it is new.
 *
 * @param onlyNew whether one that exists stays as it is
 */
export async function putDevelopment(
  c: WriteContext,
  { accountId, actor }: Writer,
  document: DevelopmentDocument,
  onlyNew = false,
): Promise<boolean> {
  const writing = writePortfolio(c.env.DB, accountId, [document], {
    actor,
    merge: (given, stored) => (onlyNew && stored.size > 0 ? undefined : given),
  });
  const { before } = await writeThenInvalidate(c, accountId, writing, ({ changed }) => ({
    changed: changed.length > 0,
  }));
  return before.stored.size === 0;
}

/** Waits for a removal, and invalidates the account's feeds. */
export function removing<Result extends Removal | 'changed'>(
  c: WriteContext,
  accountId: number,
  removal: Promise<Result>,
): Promise<Result> {
  return writeThenInvalidate(c, accountId, removal, (done) => ({ changed: done === 'removed' }));
}

/** Values as the database takes them. */
export function storedValues({
  UntStatus,
  UntPrice,
  UntDirections,
}: z.output<typeof unitValues>): UnitValues {
  return { status: UntStatus, price: UntPrice, directions: JSON.stringify(UntDirections) };
}

export function versionMismatch({ version }: Unit): Problem {
  return { code: 'precondition_failed', detail: `The unit has version ${version}.` };
}
