/** Kinds of documents, each after those that its documents may name. */
export const KINDS = ['type', 'category', 'feature', 'development', 'unit', 'property'] as const;
