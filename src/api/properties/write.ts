import { expectations } from '../../db/portfolio/expectations.ts';
import { purge } from '../../db/portfolio/listed.ts';
import type { Stored } from '../../db/portfolio/read.ts';
import { type Written, writeMerged } from '../../db/portfolio/write.ts';
import { validate } from '../../http/validation.ts';
import { allowedTags } from '../../lib/http/entity-tags.ts';
import { mergePatch } from '../../lib/http/merge-patch.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { isoTime } from '../../lib/time/time.ts';
import {
  documentKey,
  keyOf,
  type PortfolioDocument,
  type PropertyDocument,
  propertySchema,
} from '../../portfolio/documents.ts';
import { type FieldError, jsonPointer } from '../../problem.ts';
import { type Named, NameResolver, type Understood } from './names.ts';

/** The condition of a request (RFC 9110 section 13.1). */
interface Condition {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/**
 * Whether a condition allows a change.
 *
 * @param tag the entity tag of the present state; `null` if there is none
 */
function allows({ ifMatch, ifNoneMatch }: Condition, tag: string | null): boolean {
  const isListed = (header: string) => {
    if (tag === null) return false;
    return allowedTags(header)?.includes(tag.slice(1, -1)) ?? true;
  };
  if (ifMatch !== undefined && !isListed(ifMatch)) return false;
  return ifNoneMatch === undefined || !isListed(ifNoneMatch);
}

/** What is to be done with a property. */
export type PropertyOperation = { readonly id: string; readonly condition?: Condition } & (
  | {
      readonly op: 'put';
      /** A document without its kind and id. Without a time of listing, a new property is listed now. */
      readonly document: object;
    }
  | { readonly op: 'patch' /** A JSON Merge Patch. */; readonly patch: object }
  | { readonly op: 'delete' /** Whether it is removed for good, instead of withdrawn. */; readonly purge: boolean }
);

/** What became of an operation. */
export type PropertyResult =
  | {
      readonly kind: 'written';
      readonly created: boolean;
      /** Whether anything differs from before. */
      readonly changed: boolean;
      /** The property as it is now; `null` if it is removed. */
      readonly property: PropertyDocument | null;
      readonly understood: readonly Understood[];
    }
  | Failure;

export type Failure =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'precondition_failed' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  /** Another operation failed, of which all were to be applied together. */
  | { readonly kind: 'not_applied' };

interface WriteOptions {
  /** Whether no operation is applied if one fails. */
  readonly atomic: boolean;
  /** The time, for new properties without a time of listing. */
  readonly now: number;
}

/** Creates, changes, withdraws or removes one property. */
export async function writeProperty(
  db: D1Database,
  accountId: number,
  operation: PropertyOperation,
  now: number,
): Promise<PropertyResult> {
  const [result] = await writeProperties(db, accountId, [operation], { atomic: true, now });
  return result!;
}

/**
 * Applies operations to an account's properties in one transaction, each to another property. Types and features are
 * matched as in an import.
 *
 * @returns a result for each operation, in their order
 * @throws what D1 throws
 */
export async function writeProperties(
  db: D1Database,
  accountId: number,
  operations: readonly PropertyOperation[],
  { atomic, now }: WriteOptions,
): Promise<PropertyResult[]> {
  const failures = new Map<string, Failure>();
  const byId = new Map<string, PropertyOperation>();
  for (const operation of operations) if (!byId.has(operation.id)) byId.set(operation.id, operation);
  const names = new Map([...byId.values()].map((operation) => [operation.id, namedIn(operation)]));
  const resolver = new NameResolver([...names.values()]);
  const placeholders = [...byId.values()].map((operation) => placeholder(operation, names.get(operation.id)!));
  const merge = (document: PortfolioDocument, stored: Stored): PortfolioDocument | undefined => {
    if (document.kind !== 'property') return resolver.merge(document, stored);
    const outcome = applied(byId.get(document.id)!, stored, now);
    failures.delete(document.id);
    if (outcome?.kind === 'property') return resolver.resolved(outcome, stored);
    if (outcome !== null) failures.set(document.id, outcome);
    return undefined;
  };
  const check = ({ conflicts }: Written) => {
    for (const [id, errors] of errorsById(conflicts, [...resolver.documents(), ...placeholders])) {
      failures.set(id, { kind: 'invalid', errors });
    }
    if (atomic && failures.size > 0) throw new NotApplied();
  };
  let written: Written | undefined;
  try {
    written = await writeMerged(
      db,
      accountId,
      [...resolver.documents(), ...placeholders],
      {
        merge,
        also: ({ stored, before }) => {
          const removed = [...byId.values()].flatMap((operation) => {
            const property = stored.get(keyOf('property', operation.id));
            const isRemoved = operation.op === 'delete' && operation.purge && !failures.has(operation.id);
            return isRemoved && property !== undefined ? [property] : [];
          });
          if (removed.length === 0) return [];
          return [...expectations(db, accountId, removed, before), purge(db, accountId, removed.map(idOf))];
        },
        readAfter: placeholders,
      },
      check,
    );
  } catch (error) {
    if (!(error instanceof NotApplied)) throw error;
  }
  const changed = new Set(written?.changed.map(documentKey));
  return operations.map((operation): PropertyResult => {
    const { id } = operation;
    if (byId.get(id) !== operation) {
      return { kind: 'invalid', errors: [{ pointer: '/id', detail: 'is that of an earlier operation' }] };
    }
    const failure = failures.get(id);
    if (failure !== undefined) return failure;
    if (written === undefined) return { kind: 'not_applied' };
    const key = keyOf('property', id);
    const property = (written.after?.stored.get(key) as PropertyDocument | undefined) ?? null;
    return {
      kind: 'written',
      created: property !== null && !written.stored.has(key),
      changed: changed.has(key) || property === null,
      property,
      understood: property === null ? [] : resolver.understood(names.get(id)!, written.stored),
    };
  });
}

/** Ends a transaction before it begins. */
class NotApplied extends Error {}

/** The strong entity tag of a property (RFC 9110 section 8.8.3): a digest of its document. */
export function propertyTag(property: PropertyDocument): string {
  return `"${sha256Hex(JSON.stringify(property)).slice(0, 32)}"`;
}

function idOf(document: PortfolioDocument): string {
  return 'id' in document ? document.id : '';
}

/** The document that an operation makes of a stored one; `null` if it is to be removed; or why it fails. */
function applied(operation: PropertyOperation, stored: Stored, now: number): PropertyDocument | Failure | null {
  const { id, condition = {} } = operation;
  const before = stored.get(keyOf('property', id)) as PropertyDocument | undefined;
  if (operation.op !== 'put' && before === undefined) return { kind: 'not_found' };
  if (!allows(condition, before === undefined ? null : propertyTag(before))) return { kind: 'precondition_failed' };
  switch (operation.op) {
    case 'put':
      return parsed(id, { listed_at: before?.listed_at ?? isoTime(now), ...operation.document });
    case 'patch':
      return parsed(id, mergePatch(before, operation.patch) as object);
    case 'delete':
      return operation.purge ? null : { ...before!, status: 'Withdrawn' };
  }
}

function parsed(id: string, given: object): PropertyDocument | Failure {
  const { id: own = id } = given as { id?: unknown };
  if (own !== id) return { kind: 'invalid', errors: [{ pointer: '/id', detail: 'must be that of the path' }] };
  const result = validate(propertySchema, { kind: 'property', ...given, id });
  return 'value' in result ? result.value : { kind: 'invalid', errors: result.errors };
}

function pointerOf(field: string): string {
  return field === '' ? '' : jsonPointer(field.split('.'));
}

/** The names in an operation's document that can be looked up. */
function namedIn(operation: PropertyOperation): Named {
  if (operation.op === 'delete') return {};
  const { type, features } = (operation.op === 'put' ? operation.document : operation.patch) as Record<string, unknown>;
  const isName = (value: unknown): value is string =>
    typeof value === 'string' && value.trim() !== '' && value.length <= 200 && value.isWellFormed();
  return {
    type: isName(type) ? type : undefined,
    features: Array.isArray(features) ? features.slice(0, 200).filter(isName) : undefined,
  };
}

/** A document with what its operation refers to, which is read before. */
function placeholder(operation: PropertyOperation, { type = '', features = [] }: Named): PropertyDocument {
  const { unit = null } = (
    operation.op === 'put' ? operation.document : operation.op === 'patch' ? operation.patch : {}
  ) as {
    unit?: unknown;
  };
  const { development, name } = (unit ?? {}) as { development?: unknown; name?: unknown };
  const isUnit = typeof development === 'string' && typeof name === 'string';
  return {
    kind: 'property',
    id: operation.id,
    type,
    features: [...features],
    unit: isUnit ? { development, name: name.normalize('NFC') } : null,
  } as unknown as PropertyDocument;
}

function errorsById(conflicts: Written['conflicts'], documents: readonly PortfolioDocument[]) {
  const errors = new Map<string, FieldError[]>();
  for (const { index, field, detail } of conflicts) {
    const id = idOf(documents[index]!);
    errors.set(id, [...(errors.get(id) ?? []), { pointer: pointerOf(field), detail }]);
  }
  return errors;
}
