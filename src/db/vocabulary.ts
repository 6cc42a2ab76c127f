import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import {
  accounts,
  featureCategories,
  featureCategoryLabels,
  featureLabels,
  features,
  propertyTypeLabels,
  propertyTypes,
} from './schema.ts';

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

/**
 * Reads an account's vocabulary in one transaction, in every language, since a label may replace a missing one.
 *
 * @throws if the account no longer exists
 */
export async function readVocabulary(db: D1Database, accountId: number): Promise<VocabularyRead> {
  const connection = drizzle(db);
  const [[account], types, categories, featuresRead] = await connection.batch([
    connection.select({ revision: accounts.vocabularyRevision }).from(accounts).where(eq(accounts.id, accountId)),
    connection
      .select({
        id: propertyTypes.id,
        code: propertyTypes.code,
        language: propertyTypeLabels.language,
        olderType: propertyTypeLabels.olderType,
        olderSubtype: propertyTypeLabels.olderSubtype,
        type: propertyTypeLabels.type,
        subtype: propertyTypeLabels.subtype,
      })
      .from(propertyTypes)
      .leftJoin(propertyTypeLabels, eq(propertyTypeLabels.typeId, propertyTypes.id))
      .where(eq(propertyTypes.accountId, accountId))
      .orderBy(propertyTypes.id, propertyTypeLabels.language),
    connection
      .select({
        id: featureCategories.id,
        code: featureCategories.code,
        language: featureCategoryLabels.language,
        label: featureCategoryLabels.label,
      })
      .from(featureCategories)
      .leftJoin(featureCategoryLabels, eq(featureCategoryLabels.categoryId, featureCategories.id))
      .where(eq(featureCategories.accountId, accountId))
      .orderBy(featureCategories.id, featureCategoryLabels.language),
    connection
      .select({
        id: features.id,
        code: features.code,
        categoryId: features.categoryId,
        language: featureLabels.language,
        label: featureLabels.label,
      })
      .from(features)
      .leftJoin(featureLabels, eq(featureLabels.featureId, features.id))
      .where(eq(features.accountId, accountId))
      .orderBy(features.id, featureLabels.language),
  ]);
  if (account === undefined) throw new Error('The account no longer exists');
  return { revision: account.revision, types, categories, features: featuresRead };
}
