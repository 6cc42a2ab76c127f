import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';

/** An account's labels of types, feature categories and features, read at one revision of the vocabulary. */
export interface VocabularyRead {
  readonly revision: number;
  readonly types: readonly TypeLabel[];
  readonly categories: readonly CategoryLabel[];
  readonly features: readonly FeatureLabel[];
}

export interface TypeLabel {
  readonly id: number;
  readonly language: number;
  readonly olderType: string;
  readonly type: string;
  readonly subtype: string | null;
}

/** `language` and `label` are null for a category that has no label in any of the languages asked for. */
export interface CategoryLabel {
  readonly id: number;
  readonly language: number | null;
  readonly code: string;
  readonly label: string | null;
}

/** `language` and `label` are null for a feature that has no label in any of the languages asked for. */
export interface FeatureLabel {
  readonly id: number;
  readonly categoryId: number;
  readonly language: number | null;
  readonly label: string | null;
}

/** Reads an account's vocabulary in some languages by one statement; labels come by id, and by language within one. */
export async function readVocabulary(
  db: D1Database,
  accountId: number,
  languages: readonly number[],
): Promise<VocabularyRead> {
  const rows = await drizzle(db).all<{
    kind: 'revision' | 'type' | 'category' | 'feature';
    id: number;
    language: number;
    a: string;
    b: string;
    c: string | null;
  }>(sql`
    SELECT 'revision' AS kind, vocabulary_revision AS id, 0 AS language, NULL AS a, NULL AS b, NULL AS c
      FROM accounts WHERE id = ${accountId}
     UNION ALL
    SELECT 'type', t.id, l.language, l.older_type, l.type, l.subtype
      FROM property_types t JOIN property_type_labels l ON l.type_id = t.id
     WHERE t.account_id = ${accountId} AND l.language IN ${languages}
     UNION ALL
    SELECT 'category', c.id, l.language, c.code, l.label, NULL
      FROM feature_categories c LEFT JOIN feature_category_labels l ON l.category_id = c.id AND l.language IN ${languages}
     WHERE c.account_id = ${accountId}
     UNION ALL
    SELECT 'feature', f.id, l.language, f.category_id, l.label, NULL
      FROM features f LEFT JOIN feature_labels l ON l.feature_id = f.id AND l.language IN ${languages}
     WHERE f.account_id = ${accountId}
     ORDER BY 1, 2, 3`);
  const revision = rows.find((row) => row.kind === 'revision')?.id;
  if (revision === undefined) throw new Error('The account is gone');
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    revision,
    types: of('type').map(({ id, language, a, b, c }) => ({ id, language, olderType: a, type: b, subtype: c })),
    categories: of('category').map(({ id, language, a, b }) => ({ id, language, code: a, label: b })),
    features: of('feature').map(({ id, language, a, b }) => ({ id, categoryId: Number(a), language, label: b })),
  };
}
