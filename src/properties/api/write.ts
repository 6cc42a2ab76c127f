import type { Actor } from '../../accounts/actor.ts';
import { validate } from '../../api/validation.ts';
import { readAccount } from '../../db/account-read.ts';
import { type WriteContext, writeThenInvalidate } from '../../feed/invalidation/invalidate.ts';
import { allowedTags } from '../../lib/http/conditional.ts';
import { mergePatch } from '../../lib/http/merge-patch.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { DAY_SECONDS, type EpochSeconds, isoTime } from '../../lib/time/time.ts';
import { message } from '../../messages/messages.ts';
import {
  type FieldError,
  fieldError,
  invalidFields,
  jsonPointer,
  notFound,
  type Problem,
  ProblemError,
  problemOf,
} from '../../problem.ts';
import { isWebAddress } from '../checks.ts';
import {
  type DocumentProblem,
  documentKey,
  keyOf,
  type PortfolioDocument,
  type PropertyDocument,
  propertySchema,
  type UnitDocument,
} from '../documents.ts';
import { addressOf } from '../pictures.ts';
import { type Stored, selectMappedNames } from '../store/read.ts';
import {
  comparedWithStored,
  type Merge,
  selectBefore,
  type Written,
  writePortfolio,
} from '../store/write.ts';
import { type Named, NameResolver } from './names.ts';
import { type PropertyOperation, type Understood, writtenProperty } from './schemas.ts';

/** What became of an operation: the property, why nothing was written, or `null` because another operation failed. */
export type PropertyResult =
  | {
      readonly created: boolean;
      /** Whether anything differs from before. */
      readonly changed: boolean;
      /** The property as it is now; `null` if it is removed. */
      readonly property: PropertyDocument | null;
      readonly understood: Understood[];
    }
  | { readonly problem: Problem | null };

/** A unit as it is to be, and the version that it must still have; `null` if it must not exist yet. */
export interface UnitWrite {
  readonly document: UnitDocument;
  readonly version: number | null;
}

interface WriteOptions {
  readonly actor: Actor;
  /** What they are done together with, if that can be undone together. */
  readonly batch?: string | undefined;
  /** Units that are written in the same transaction. */
  readonly units?: readonly UnitWrite[];
  /** Whether no operation is applied if one fails. */
  readonly atomic: boolean;
  /** Whether to say what would become of them, and write nothing. */
  readonly validate?: boolean;
  /** The time, for new properties without a time of listing. */
  readonly now: EpochSeconds;
}

/**
 * Applies operations to an account's properties in one transaction, each to another property. Types and features are
 * matched as in an import.
 *
 * @returns a result for each operation, in their order
 * @throws ProblemError if a unit has another version, or its development does not exist
 */
export function writeProperties(
  c: WriteContext,
  accountId: number,
  operations: readonly PropertyOperation[],
  options: WriteOptions,
): Promise<PropertyResult[]> {
  const applying = apply(c.env.DB, accountId, operations, options);
  if (options.validate) return applying;
  const { units = [] } = options;
  return writeThenInvalidate(c, accountId, applying, (results) => ({
    changed: units.length > 0 || results.some((result) => 'changed' in result && result.changed),
  }));
}

async function apply(
  db: D1Database,
  accountId: number,
  operations: readonly PropertyOperation[],
  { actor, batch, units = [], atomic, now, validate = false }: WriteOptions,
): Promise<PropertyResult[]> {
  const failures = new Map<string, Problem>();
  const byId = new Map<string, PropertyOperation>();
  for (const operation of operations)
    if (!byId.has(operation.id)) byId.set(operation.id, operation);
  const names = new Map([...byId.values()].map((operation) => [operation.id, namedIn(operation)]));
  const placeholders = [...byId.values()].map((operation) =>
    placeholder(operation, names.get(operation.id)!),
  );
  const expected = new Map(units.map(({ document, version }) => [documentKey(document), version]));
  const given = [...units.map(({ document }) => document), ...placeholders];
  const named = [...new NameResolver([...names.values()]).documents(), ...given];
  const [found, mapped] = await readAccount(db, accountId, (select) => {
    const before = selectBefore(select, named);
    const names = selectMappedNames(select);
    return () => [before(), names()] as const;
  });
  const before = { ...found, stored: new Map([...mapped.stored, ...found.stored]) };
  const resolver = new NameResolver([...names.values()], mapped.names);
  const documents = [...resolver.documents(), ...given];
  const merge: Merge = (document, stored, states) => {
    if (document.kind === 'unit') {
      const key = documentKey(document);
      if ((states.get(key) ?? null) === expected.get(key)) return document;
      throw new ProblemError(problemOf('precondition_failed', message('unit_changed')));
    }
    if (document.kind !== 'property') return resolver.merge(document, stored);
    const outcome = applied(byId.get(document.id)!, stored, now, resolver);
    failures.delete(document.id);
    if (outcome === null) return undefined;
    if ('kind' in outcome) return outcome;
    failures.set(document.id, outcome);
    return undefined;
  };
  let tried: Written | undefined;
  const check = (planned: Written) => {
    for (const [id, own] of Map.groupBy(planned.conflicts, ({ index }) =>
      idOf(documents[index]!),
    )) {
      const unit = documents[own[0]!.index]!;
      if (unit.kind === 'unit') throw new ProblemError(notFound('development', unit.development));
      const large = own.find(({ message }) => message.code === 'large_property');
      failures.set(
        id,
        large === undefined
          ? invalidFields(own.map(fieldErrorOf))
          : problemOf('body_too_large', large.message),
      );
    }
    if (atomic && failures.size > 0) throw new NotApplied();
    if (!validate) return;
    tried = planned;
    throw new NotApplied();
  };
  const purge = ({ before }: Written) =>
    [...byId.values()].flatMap((operation) => {
      const isPurged = operation.op === 'delete' && operation.purge && !failures.has(operation.id);
      return isPurged && before.stored.has(keyOf('property', operation.id)) ? [operation.id] : [];
    });
  const writing = {
    actor,
    batch,
    merge,
    onlyUsed: true,
    check,
    purge,
    readAfter: placeholders,
    before,
  };
  const written = await writePortfolio(db, accountId, documents, writing).catch((error) => {
    if (error instanceof NotApplied) return tried;
    throw error;
  });
  const stored = new Map(written?.after?.stored ?? written?.before.stored);
  if (tried) for (const document of tried.changed) stored.set(documentKey(document), document);
  const changed = new Set(written?.changed.map(documentKey));
  return operations.map((operation): PropertyResult => {
    const { id } = operation;
    if (byId.get(id) !== operation) {
      return {
        problem: invalidFields([fieldError('/id', message('earlier_operation'))]),
      };
    }
    const problem = failures.get(id);
    if (problem !== undefined || written === undefined) return { problem: problem ?? null };
    const key = keyOf('property', id);
    const isPurged = operation.op === 'delete' && operation.purge;
    const property = isPurged ? null : ((stored.get(key) as PropertyDocument | undefined) ?? null);
    return {
      created: property !== null && !written.before.stored.has(key),
      changed: changed.has(key) || property === null,
      property,
      understood:
        property === null ? [] : resolver.understood(names.get(id)!, written.before.stored),
    };
  });
}

/** Ends a transaction before it begins: because an operation fails, or because it is only tried. */
class NotApplied extends Error {}

/** The strong entity tag of a property (RFC 9110 section 8.8.3): a digest of its document. */
export function propertyTag(property: PropertyDocument): string {
  return `"${sha256Hex(JSON.stringify(property)).slice(0, 32)}"`;
}

function idOf(document: PortfolioDocument): string {
  return 'id' in document ? document.id : '';
}

/** A stored document after an operation; `null` if it is to be removed; or why the operation fails. */
function applied(
  operation: PropertyOperation,
  stored: Stored,
  now: EpochSeconds,
  resolver: NameResolver,
): PropertyDocument | Problem | null {
  const { id } = operation;
  const before = stored.get(keyOf('property', id)) as PropertyDocument | undefined;
  if (operation.op !== 'put' && before === undefined) return notFound('property', id);
  const given = outcomeOf(operation, before, now);
  const outcome = given !== null && 'kind' in given ? resolver.resolved(given, stored) : given;
  if (mayApply(operation, before) || isRepeated(operation, outcome, stored)) return outcome;
  const why =
    before === undefined
      ? 'property_absent'
      : operation.if_match === undefined
        ? 'property_exists'
        : 'property_changed';
  return problemOf('precondition_failed', message(why));
}

function outcomeOf(
  operation: PropertyOperation,
  before: PropertyDocument | undefined,
  now: EpochSeconds,
) {
  const { id } = operation;
  switch (operation.op) {
    case 'put':
      return parsed(
        id,
        { listed_at: before?.listed_at ?? isoTime(now), ...operation.property },
        now,
        before,
        true,
      );
    case 'patch':
      return parsed(id, mergePatch(before, operation.patch) as object, now, before);
    case 'pictures': {
      const pictures = operation.change(before!.pictures);
      return 'code' in pictures ? pictures : parsed(id, { ...before!, pictures }, now, before);
    }
    case 'delete':
      return operation.purge ? null : { ...before!, status: 'Withdrawn' as const };
  }
}

/** Whether an operation with `If-Match` appears to have been applied already (RFC 9110 section 13.1.1). */
function isRepeated(
  operation: PropertyOperation,
  outcome: PropertyDocument | Problem | null,
  stored: Stored,
): boolean {
  if (operation.if_none_match !== undefined || outcome === null || !('kind' in outcome))
    return false;
  const before = { stored, states: new Map() };
  return comparedWithStored([outcome], before).unchanged.length === 1;
}

/** Whether an operation may be applied, by its conditions (RFC 9110 section 13.1). */
function mayApply(
  { if_match, if_none_match }: PropertyOperation,
  before: PropertyDocument | undefined,
): boolean {
  const isListed = (header: string) =>
    before !== undefined &&
    (allowedTags(header)?.includes(propertyTag(before).slice(1, -1)) ?? true);
  return (
    (if_match === undefined || isListed(if_match)) &&
    (if_none_match === undefined || !isListed(if_none_match))
  );
}

/**
 * @param before what is changed: what is doubtful in it may stay
 * @param isPut whether all of it is given again: then a place that an import has left empty may not stay so
 */
function parsed(
  id: string,
  given: object,
  now: EpochSeconds,
  before: PropertyDocument | undefined,
  isPut = false,
): PropertyDocument | Problem {
  const { id: own = id, town, province } = given as Readonly<Record<string, unknown>>;
  if (typeof own !== 'string' || own.normalize('NFC') !== id)
    return invalidFields([fieldError('/id', message('not_path_id'))]);
  const isSamePlace = !isPut && before?.town === town && before?.province === province;
  const schema = isSamePlace ? propertySchema : writtenProperty;
  const result = validate(schema, { kind: 'property', ...given, id });
  if ('errors' in result) return invalidFields(result.errors);
  const errors = [...unusable(result.value), ...doubtful(result.value, now, before)];
  return errors.length > 0 ? invalidFields(errors) : result.value;
}

/** Names that nothing can have, and for which nothing was looked up. */
function unusable({ type, features }: PropertyDocument): FieldError[] {
  const names = [['/type', type], ...features.map((name, at) => [`/features/${at}`, name])];
  return names.flatMap(([pointer, name]) =>
    name!.includes('\0') ? [fieldError(pointer!, message('has_nul'))] : [],
  );
}

/** What is stored as it is, but not written: a listing of the future, and pictures that are nowhere in the web. */
function doubtful(
  { listed_at, pictures }: PropertyDocument,
  now: EpochSeconds,
  before: PropertyDocument | undefined,
): FieldError[] {
  const known = new Set(before?.pictures.map(addressOf));
  const isFuture = listed_at !== before?.listed_at && listed_at > isoTime(now + DAY_SECONDS);
  return [
    ...(isFuture ? [fieldError('/listed_at', message('in_future'))] : []),
    ...pictures.map(addressOf).flatMap((address, at) => {
      const isUsable = known.has(address) || isWebAddress(address);
      return isUsable ? [] : [fieldError(`/pictures/${at}`, message('not_web_address'))];
    }),
  ];
}

function givenIn(operation: PropertyOperation): {
  type?: unknown;
  features?: unknown;
  unit?: unknown;
} {
  return operation.op === 'put'
    ? operation.property
    : operation.op === 'patch'
      ? operation.patch
      : {};
}

/** The type and the features that an operation's document names, by codes of the account or by other names. */
function namedIn(operation: PropertyOperation): Named {
  const { type, features } = givenIn(operation);
  const isName = (value: unknown): value is string =>
    typeof value === 'string' &&
    // Characters, as the schema counts them: an emoji is one of two code units.
    value.length <= 400 &&
    [...value].length <= 200 &&
    value.isWellFormed() &&
    !value.includes('\0');
  return {
    type: isName(type) ? type.normalize('NFC') : undefined,
    features: Array.isArray(features)
      ? features
          .slice(0, 200)
          .filter(isName)
          .map((feature) => feature.normalize('NFC'))
      : undefined,
  };
}

/** A document, and what its operation refers to, which has been read already. */
function placeholder(
  operation: PropertyOperation,
  { type = '', features = [] }: Named,
): PropertyDocument {
  const { development, name } = (givenIn(operation).unit ?? {}) as {
    development?: unknown;
    name?: unknown;
  };
  const isUnit = typeof development === 'string' && typeof name === 'string';
  const unit = isUnit
    ? { development: development.normalize('NFC'), name: name.normalize('NFC') }
    : null;
  return {
    kind: 'property',
    id: operation.id,
    type,
    features: [...features],
    unit,
  } as unknown as PropertyDocument;
}

function fieldErrorOf({ field, message }: DocumentProblem): FieldError {
  return fieldError(field === '' ? '' : jsonPointer(field.split('.')), message);
}
