import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf, type Row } from '../../db/json-rows.ts';
import { developments, properties, propertySearch, units } from '../../db/schema.ts';
import { statementOf } from '../../db/statements.ts';
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
 * The numbers of the properties that have each word of a text: in what they say of themselves, or in the name of their type, of a
 * feature or of their development. Case and accents make no difference.
 */
export async function findByText(
  db: D1Database,
  account: number,
  text: string,
): Promise<ReadonlySet<number>> {
  const words = folded(text).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const [vocabulary, named] = await Promise.all([
    readVocabulary(db, account),
    drizzle(db)
      .select({ code: developments.id, labels: developments.name })
      .from(developments)
      .where(eq(developments.accountId, account)),
  ]);
  const { types, features } = vocabulary;
  const has = words.map((word) => {
    const isInText = sql`instr(${propertySearch.text}, ${word})`;
    if (word.length < MIN_NAME_LETTERS) return isInText;
    const hasFeature = sql`SELECT 1 FROM json_each(${JSON.stringify(codesNamed(features, word))})
      WHERE instr(${propertySearch.features}, json_quote(value))`;
    return or(
      isInText,
      inArray(properties.type, listOf(codesNamed(types, word))),
      inArray(units.developmentId, listOf(codesNamed(named, word))),
      sql`EXISTS (${hasFeature})`,
    );
  });
  const query = drizzle(db)
    .select({ number: properties.number })
    .from(properties)
    .innerJoin(propertySearch, eq(propertySearch.propertyId, properties.id))
    .leftJoin(units, eq(units.id, properties.unitId))
    .where(and(eq(properties.accountId, account), ...has));
  const found = await statementOf(db, query).raw<[number]>();
  return new Set(found.map(([number]) => number));
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
