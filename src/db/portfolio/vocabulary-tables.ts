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
