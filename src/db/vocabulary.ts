import type { propertyTypeLabels } from './schema.ts';

/** Where one kind of the vocabulary is stored: its entries by their codes, and their labels by language. */
export interface VocabularyTable {
  readonly kind: 'type' | 'category' | 'feature';
  readonly table: string;
  readonly labels: string;
  /** The column of the labels that refers to the entry. */
  readonly owner: string;
  /** The columns of a label: its keys in a document, or the only one. */
  readonly columns: readonly string[];
  /** The id of the category that an entry of a row `d` belongs to, if entries of this kind have one. */
  readonly category?: string;
}

/** Each after the one that it refers to. */
export const VOCABULARY: readonly VocabularyTable[] = [
  {
    kind: 'type',
    table: 'property_types',
    labels: 'property_type_labels',
    owner: 'type_id',
    columns: ['older_type', 'older_subtype', 'type', 'subtype'],
  },
  {
    kind: 'category',
    table: 'feature_categories',
    labels: 'feature_category_labels',
    owner: 'category_id',
    columns: ['label'],
  },
  {
    kind: 'feature',
    table: 'features',
    labels: 'feature_labels',
    owner: 'feature_id',
    columns: ['label'],
    category: '(SELECT id FROM feature_categories WHERE account_id = ?1 AND code = d.category)',
  },
];

/**
 * An account's labels of types, feature categories and features in every language, read at one revision of the vocabulary.
 * Labels come by id, and within one by language: English first.
 */
export interface VocabularyRead {
  readonly revision: number;
  readonly types: readonly TypeLabel[];
  readonly categories: readonly CategoryLabel[];
  readonly features: readonly (CategoryLabel & { readonly categoryId: number })[];
}

/** `language` and the labels are null for an entry without a label in any language. */
type Label<Texts> = { readonly id: number; readonly code: string; readonly language: number | null } & {
  readonly [Name in keyof Texts]: Texts[Name] | null;
};

export type TypeLabel = Label<Omit<typeof propertyTypeLabels.$inferSelect, 'typeId' | 'language'>>;
type CategoryLabel = Label<{ label: string }>;

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

/** A value for each entry by its id, made from its labels. */
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
