import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';

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
interface Label {
  readonly id: number;
  readonly code: string;
  readonly language: number | null;
}

export interface TypeLabel extends Label {
  readonly olderType: string | null;
  readonly olderSubtype: string | null;
  readonly type: string | null;
  readonly subtype: string | null;
}

export interface CategoryLabel extends Label {
  readonly label: string | null;
}

export interface FeatureLabel extends Label {
  readonly categoryId: number;
  readonly label: string | null;
}

interface VocabularyRow {
  readonly kind: 'revision' | 'type' | 'category' | 'feature';
  readonly id: number;
  readonly language: number | null;
  readonly code: string;
  readonly categoryId: number;
  readonly label: string | null;
  readonly olderType: string | null;
  readonly olderSubtype: string | null;
  readonly subtype: string | null;
}

/** Reads an account's vocabulary by one statement, in every language, since a label may replace a missing one. */
export async function readVocabulary(db: D1Database, accountId: number): Promise<VocabularyRead> {
  const rows = await drizzle(db).all<VocabularyRow>(sql`
    SELECT 'revision' AS kind, vocabulary_revision AS id, 0 AS language, NULL AS code, NULL AS categoryId,
           NULL AS label, NULL AS olderType, NULL AS olderSubtype, NULL AS subtype
      FROM accounts WHERE id = ${accountId}
     UNION ALL
    SELECT 'type', t.id, l.language, t.code, NULL, l.type, l.older_type, l.older_subtype, l.subtype
      FROM property_types t LEFT JOIN property_type_labels l ON l.type_id = t.id
     WHERE t.account_id = ${accountId}
     UNION ALL
    SELECT 'category', c.id, l.language, c.code, NULL, l.label, NULL, NULL, NULL
      FROM feature_categories c LEFT JOIN feature_category_labels l ON l.category_id = c.id
     WHERE c.account_id = ${accountId}
     UNION ALL
    SELECT 'feature', f.id, l.language, f.code, f.category_id, l.label, NULL, NULL, NULL
      FROM features f LEFT JOIN feature_labels l ON l.feature_id = f.id
     WHERE f.account_id = ${accountId}
     ORDER BY 1, 2, 3`);
  const revision = rows.find((row) => row.kind === 'revision')?.id;
  if (revision === undefined) throw new Error('The account no longer exists');
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    revision,
    types: of('type').map(({ label, ...row }) => ({ ...row, type: label })),
    categories: of('category'),
    features: of('feature'),
  };
}
