import type { Actor } from '../../accounts/actor.ts';
import { codeOf } from '../../imports/runs/names.ts';
import { changeImportNames } from '../../imports/runs/sources.ts';
import { isBuiltIn } from '../store/built-in-names.ts';
import { isNamed, mergeName, type NameOf, readersNaming } from '../store/own-names.ts';

/** What became of a name that was to be merged. */
export type Merged =
  | { readonly into: string; readonly properties: number }
  | { readonly why: 'missing' | 'unknown_into' }
  | { readonly why: 'in_use'; readonly readers: readonly string[] };

/**
 * Merges a name of an account's own into another one. If that is built in, imports and programs that still send the name mean
 * it from now on.
 *
 * @param text the other name's code, or what else it is called in English or Spanish
 */
export async function mergeInto(
  db: D1Database,
  name: NameOf,
  text: string,
  actor: Actor,
): Promise<Merged> {
  const { accountId, kind, code } = name;
  if (isBuiltIn(kind, code) || !(await isNamed(db, name))) return { why: 'missing' };
  const isOwn = await isNamed(db, { ...name, code: text });
  const into = isOwn || isBuiltIn(kind, text) ? text : codeOf(`${kind}s`, text);
  if (into === null || into === code) return { why: 'unknown_into' };
  const readers = await readersNaming(db, name);
  if (readers.length > 0) return { why: 'in_use', readers };
  // First: what is imported meanwhile would use the name again.
  if (isBuiltIn(kind, into)) {
    const names = { types: {}, features: {}, [`${kind}s`]: { [code]: into } };
    await changeImportNames(db, accountId, names);
  }
  const properties = await mergeName(db, name, into, actor);
  return properties === null ? { why: 'in_use', readers: [] } : { into, properties };
}
