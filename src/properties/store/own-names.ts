import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Actor } from '../../accounts/actor.ts';
import { runBatch } from '../../db/statements.ts';
import { documentKey, type PortfolioDocument, type PropertyDocument } from '../documents.ts';
import { builtInEntry, isBuiltIn, type NamedKind } from './built-in-names.ts';
import { readStored } from './read.ts';
import { writePortfolio } from './write.ts';

/** A name of a type or a feature that the built-in vocabulary does not have. */
export interface OwnName {
  readonly kind: NamedKind;
  readonly code: string;
  /** How many properties have it. */
  readonly properties: number;
}

/** A name, and the account whose it is. */
export interface NameOf {
  readonly accountId: number;
  readonly kind: NamedKind;
  readonly code: string;
}

/** The names that only this account has, types first. */
export async function readOwnNames(db: D1Database, accountId: number): Promise<OwnName[]> {
  const names = await drizzle(db).all<OwnName>(sql`
    WITH used AS (
      SELECT 'type' AS kind, type AS code, count(*) AS n FROM properties
       WHERE account_id = ${accountId} GROUP BY type
       UNION ALL
      SELECT 'feature', f.value, count(*) FROM properties p, json_each(p.document, '$.features') f
       WHERE p.account_id = ${accountId} GROUP BY f.value)
    SELECT v.kind, v.code, ifnull(u.n, 0) AS properties
      FROM vocabulary v LEFT JOIN used u ON u.kind = v.kind AND u.code = v.code
     WHERE v.account_id = ${accountId} AND v.kind <> 'category' ORDER BY v.kind DESC, v.code`);
  return names.filter(({ kind, code }) => !isBuiltIn(kind, code));
}

/** The properties that have a name. */
const usersOf = ({ accountId, kind, code }: NameOf) =>
  kind === 'type'
    ? sql`SELECT identifier FROM properties WHERE account_id = ${accountId} AND type = ${code}`
    : sql`SELECT p.identifier FROM properties p, json_each(p.document, '$.features') f
           WHERE p.account_id = ${accountId} AND f.value = ${code}`;

/** The readers whose rules name it. */
const readersOf = ({ accountId, kind, code }: NameOf) =>
  sql`SELECT r.name FROM readers r, json_each(r.selection, ${`$.${kind}s`}) s
       WHERE r.account_id = ${accountId} AND s.value = ${code}`;

/** The names of the readers whose rules name a type or a feature. */
export async function readersNaming(db: D1Database, name: NameOf): Promise<string[]> {
  const rows = await drizzle(db).all<{ name: string }>(readersOf(name));
  return rows.map((row) => row.name);
}

/**
 * Deletes a name that no property has and no reader's rules name.
 *
 * @returns whether it is gone now
 */
export async function deleteName(db: D1Database, name: NameOf): Promise<boolean> {
  const { accountId, kind, code } = name;
  await runBatch(db, [
    sql`DELETE FROM vocabulary
         WHERE account_id = ${accountId} AND kind = ${kind} AND code = ${code}
           AND NOT EXISTS (${usersOf(name)}) AND NOT EXISTS (${readersOf(name)})`,
    // Feeds do not show it, but readers of the vocabulary do.
    sql`UPDATE accounts SET changes = changes + 1, vocabulary = changes + 1
         WHERE id = ${accountId} AND changes() > 0`,
  ]);
  return !(await isNamed(db, name));
}

/** Whether an account has a name. */
export async function isNamed(db: D1Database, { accountId, kind, code }: NameOf): Promise<boolean> {
  const found = await drizzle(db).all(sql`
    SELECT 1 FROM vocabulary WHERE account_id = ${accountId} AND kind = ${kind} AND code = ${code}`);
  return found.length > 0;
}

/** Properties that are written in one transaction. */
const BATCH = 150;

/** Times that the properties are read again because somebody has used the name meanwhile. */
const MAX_ROUNDS = 5;

/**
 * Gives the properties that have a name another one instead, and deletes it. Interrupted, it can be repeated.
 *
 * @param into the code of the other name, which the account or the built-in vocabulary has
 * @returns how many properties have changed; `null` if others use the name as fast as it is replaced
 */
export async function mergeName(
  db: D1Database,
  name: NameOf,
  into: string,
  actor: Actor,
): Promise<number | null> {
  const target = entriesOf(name.kind, into);
  let changed = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const rows = await drizzle(db).all<{ identifier: string }>(usersOf(name));
    for (let start = 0; start < rows.length; start += BATCH) {
      const some = rows.slice(start, start + BATCH).map(({ identifier }) => identifier);
      changed += await renamed(db, name, into, target, some, actor);
    }
    if (await deleteName(db, name)) return changed;
  }
  return null;
}

/** The documents of a name of the built-in vocabulary, which are stored once a property has it. */
function entriesOf(kind: NamedKind, code: string): PortfolioDocument[] {
  const entry = builtInEntry(kind, code);
  if (entry === undefined) return [];
  const category = entry.kind === 'feature' ? builtInEntry('category', entry.category) : undefined;
  return category === undefined ? [entry] : [category, entry];
}

async function renamed(
  db: D1Database,
  { accountId, kind, code }: NameOf,
  into: string,
  target: readonly PortfolioDocument[],
  identifiers: readonly string[],
  actor: Actor,
): Promise<number> {
  const rename = (property: PropertyDocument): PropertyDocument => {
    if (kind === 'type') return property.type === code ? { ...property, type: into } : property;
    const features = property.features.map((one) => (one === code ? into : one));
    return { ...property, features: [...new Set(features)] };
  };
  const wanted = identifiers.map((id) => ({ kind: 'property', id }) as PropertyDocument);
  const stored = [...(await readStored(db, accountId, wanted)).values()];
  const documents = stored.flatMap((one) => (one.kind === 'property' ? [rename(one)] : []));
  const written = await writePortfolio(db, accountId, [...target, ...documents], {
    actor,
    merge: (document, now) => {
      const before = now.get(documentKey(document));
      if (document.kind !== 'property') return before ?? document;
      return before?.kind === 'property' ? rename(before) : undefined;
    },
  });
  return written.changed.filter((document) => document.kind === 'property').length;
}
