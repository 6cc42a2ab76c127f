import type { CategoryDocument, FeatureDocument, TypeDocument } from '../properties/documents.ts';

/** A document of the vocabulary. */
export type VocabularyDocument = TypeDocument | CategoryDocument | FeatureDocument;

/** An account's types, feature categories and features, each kind in the order of creation. */
export interface VocabularyRead {
  /** Differs from that of any other state of the vocabulary. */
  readonly revision: string;
  readonly types: readonly TypeDocument[];
  readonly categories: readonly CategoryDocument[];
  readonly features: readonly FeatureDocument[];
}

/** The revision of the vocabulary of the account `a`. */
export const VOCABULARY_REVISION = "a.incarnation || '.' || a.vocabulary";

/** A row of the table `vocabulary`. */
export interface VocabularyRow {
  readonly kind: VocabularyDocument['kind'];
  readonly code: string;
  readonly document: string;
}

/** A document of the vocabulary from its row. */
export function vocabularyDocument({ kind, code, document }: VocabularyRow): VocabularyDocument {
  return { kind, code, ...JSON.parse(document) };
}

/**
 * Reads an account's vocabulary in one transaction, in every language, since a label may replace a missing one.
 *
 * @throws if the account no longer exists
 */
export async function readVocabulary(db: D1Database, accountId: number): Promise<VocabularyRead> {
  const [account, entries] = await db.batch<never>([
    db
      .prepare(`SELECT ${VOCABULARY_REVISION} AS revision FROM accounts a WHERE a.id = ?`)
      .bind(accountId),
    db
      .prepare('SELECT kind, code, document FROM vocabulary WHERE account_id = ? ORDER BY id')
      .bind(accountId),
  ]);
  const [read] = account!.results as { revision: string }[];
  if (read === undefined) throw new Error('The account no longer exists');
  const documents = (entries!.results as VocabularyRow[]).map(vocabularyDocument);
  return {
    revision: read.revision,
    types: documents.filter((document) => document.kind === 'type'),
    categories: documents.filter((document) => document.kind === 'category'),
    features: documents.filter((document) => document.kind === 'feature'),
  };
}
