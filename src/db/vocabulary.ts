import { VOCABULARY, type VocabularyTable } from './portfolio/vocabulary-tables.ts';
import type { propertyTypeLabels } from './schema.ts';

/**
 * An account's labels of types, feature categories and features in every language, read at one revision of the vocabulary.
 * Labels come by id, and within one by language: English first.
 */
export interface VocabularyRead {
  readonly revision: number;
  readonly types: readonly TypeLabel[];
  readonly categories: readonly CategoryLabel[];
  readonly features: readonly FeatureLabel[];
}

/** `language` and the labels are null for an entry without a label in any language. */
type Label<Texts> = { readonly id: number; readonly code: string; readonly language: number | null } & {
  readonly [Name in keyof Texts]: Texts[Name] | null;
};

export type TypeLabel = Label<Omit<typeof propertyTypeLabels.$inferSelect, 'typeId' | 'language'>>;
type CategoryLabel = Label<{ label: string }>;
export type FeatureLabel = CategoryLabel & { readonly categoryId: number };

/**
 * Reads an account's vocabulary in one transaction, in every language, since a label may replace a missing one.
 *
 * @throws if the account no longer exists
 */
export async function readVocabulary(db: D1Database, accountId: number): Promise<VocabularyRead> {
  const revision = 'SELECT vocabulary_revision AS revision FROM accounts WHERE id = ?1';
  const [account, types, categories, features] = await db.batch<never>(
    [revision, ...VOCABULARY.map(selectLabels)].map((sql) => db.prepare(sql).bind(accountId)),
  );
  const [read] = account!.results as { revision: number }[];
  if (read === undefined) throw new Error('The account no longer exists');
  return { ...read, types: types!.results, categories: categories!.results, features: features!.results };
}

/** Something for each entry, made from its labels. */
export function labelsById<Row extends { readonly id: number }, Made>(
  rows: readonly Row[],
  make: (labels: readonly Row[]) => Made,
): Map<number, Made> {
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, labels]) => [id, make(labels)]));
}

function selectLabels({ table, labels, owner, columns, category }: VocabularyTable): string {
  const camelCase = (column: string) => column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const shown = columns.map((column) => `, l.${column} AS "${camelCase(column)}"`).join('');
  return `
    SELECT e.id, e.code, l.language${shown}${category ? ', e.category_id AS "categoryId"' : ''}
      FROM ${table} e LEFT JOIN ${labels} l ON l.${owner} = e.id
     WHERE e.account_id = ?1 ORDER BY e.id, l.language`;
}
