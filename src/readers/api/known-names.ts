import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { properties } from '../../db/schema.ts';
import { similarNames } from '../../lib/similar.ts';
import { message } from '../../messages/messages.ts';
import type { Issue } from '../../messages/parsed.ts';
import type { SelectionRules } from '../../properties/selection/schema.ts';
import { FEATURE_ENTRIES, TYPE_ENTRIES } from '../../vocabulary/entries.ts';
import { readVocabulary } from '../../vocabulary/stored.ts';

/** The rules whose values are names that the account has. */
const NAMED = ['types', 'features', 'towns'] as const;

type Named = (typeof NAMED)[number];

/** The names that the rules of readers can ask for: types and features are also those that every account can use. */
const KNOWN: Readonly<Record<Named, (db: D1Database, accountId: number) => Promise<string[]>>> = {
  types: async (db, accountId) =>
    codesIn([...(await readVocabulary(db, accountId)).types, ...TYPE_ENTRIES]),
  features: async (db, accountId) =>
    codesIn([...(await readVocabulary(db, accountId)).features, ...FEATURE_ENTRIES]),
  async towns(db, accountId) {
    const { town } = properties;
    const query = drizzle(db).selectDistinct({ town }).from(properties);
    return (await query.where(eq(properties.accountId, accountId))).map((row) => row.town);
  },
};

function codesIn(entries: readonly { readonly code: string }[]): string[] {
  return entries.map(({ code }) => code);
}

/**
 * What is wrong with the names in rules: the account has none of them, with the most similar ones that it has. Those that were there
 * before may stay.
 */
export async function unknownNames(
  db: D1Database,
  accountId: number,
  rules: SelectionRules | null | undefined,
  before: SelectionRules | null | undefined,
): Promise<Issue[]> {
  const found = NAMED.map(async (part): Promise<Issue[]> => {
    const added = (rules?.[part] ?? []).filter((name) => !before?.[part]?.includes(name));
    if (added.length === 0) return [];
    const known = [...new Set(await KNOWN[part](db, accountId))];
    const unknown = added.filter((name) => !known.includes(name));
    return unknown.map((value) => {
      const similar = similarNames(value, known);
      const what =
        similar.length > 0
          ? message('not_in_account_but', { value, similar })
          : message('not_in_account', { value });
      return { path: [part], message: what };
    });
  });
  return (await Promise.all(found)).flat();
}
