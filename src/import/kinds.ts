/** Kinds of documents, each after those that its documents may refer to. */
export const KINDS = ['type', 'category', 'feature', 'development', 'unit', 'property'] as const;
