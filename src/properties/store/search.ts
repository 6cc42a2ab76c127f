import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf, type Row } from '../../db/json-rows.ts';
import { developments, properties, propertySearch, units } from '../../db/schema.ts';
import { folded } from '../../lib/folded.ts';
import { readVocabulary } from '../../vocabulary/stored.ts';
import type { PropertyDocument } from '../documents.ts';

/** The columns of `property_search` besides the property's id. */
export const SEARCH_COLUMNS = ['beds', 'features', 'text'];

/** The values of {@link SEARCH_COLUMNS}: what a property is searched and filtered by. */
export function searchRowOf(property: PropertyDocument): Row {
  const { id, ref, town, area, address, notes, texts } = property;
  const titles = Object.values(texts).map(({ title }) => title);
  const said = [id, ref, town, area, address, notes, ...titles];
  return [
    property.beds,
    property.features,
    folded(said.filter((text) => text !== null).join('\n')),
  ];
}

/** Further words of a search are left out. */
const MAX_WORDS = 10;

/** Shorter words are not looked for in names: nearly every name of a type or a feature has them. */
const MIN_NAME_LETTERS = 3;

/**
 * Whether a property, joined with its unit and its row of `property_search`, has each word of a text: in what it says of itself, or
 * in the name of its type, of a feature or of its development. Case and accents make no difference.
 */
export async function searchCondition(
  db: D1Database,
  account: number,
  text: string,
): Promise<SQL | undefined> {
  const words = folded(text).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const isInText = (word: string) => sql`instr(${propertySearch.text}, ${word})`;
  if (words.every((word) => word.length < MIN_NAME_LETTERS)) return and(...words.map(isInText));
  const [vocabulary, named] = await Promise.all([
    readVocabulary(db, account),
    drizzle(db)
      .select({ code: developments.id, labels: developments.name })
      .from(developments)
      .where(eq(developments.accountId, account)),
  ]);
  const { types, features } = vocabulary;
  return and(
    ...words.map((word) => {
      if (word.length < MIN_NAME_LETTERS) return isInText(word);
      const isFeature = sql`SELECT 1 FROM json_each(${propertySearch.features})
        WHERE value IN ${listOf(codesNamed(features, word))}`;
      return or(
        isInText(word),
        inArray(properties.type, listOf(codesNamed(types, word))),
        inArray(units.developmentId, listOf(codesNamed(named, word))),
        sql`EXISTS (${isFeature})`,
      );
    }),
  );
}

/** What of a list has a word in a name, in any language. */
function codesNamed<Code extends string | number>(
  entries: readonly { readonly code: Code; readonly labels: unknown }[],
  word: string,
): Code[] {
  const found = entries.filter(({ labels }) => namesIn(labels).some((name) => name.includes(word)));
  return found.map(({ code }) => code);
}

function namesIn(labels: unknown): string[] {
  if (typeof labels === 'string') return [folded(labels)];
  return labels === null ? [] : Object.values(labels as object).flatMap(namesIn);
}
