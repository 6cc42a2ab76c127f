/** What some statements read in one transaction. */
export interface Reading<Value> {
  readonly statements: readonly D1PreparedStatement[];
  /** @param results the rows of each statement, in the statements' order */
  value(results: readonly (readonly never[])[]): Value;
}

/** Two readings as one, of the same moment. */
export function together<A, B>(a: Reading<A>, b: Reading<B>): Reading<[A, B]> {
  const ofA = a.statements.length;
  return {
    statements: [...a.statements, ...b.statements],
    value: (results) => [a.value(results.slice(0, ofA)), b.value(results.slice(ofA))],
  };
}

/** @throws what D1 throws */
export async function read<Value>(db: D1Database, { statements, value }: Reading<Value>): Promise<Value> {
  const results = statements.length === 0 ? [] : await db.batch<never>([...statements]);
  return value(results.map(({ results: rows }) => rows));
}
