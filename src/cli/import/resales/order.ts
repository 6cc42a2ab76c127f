/**
 * Names in an order in which each stands before those that come after it; where there is none, as in a circle, in the order
 * given.
 */
export function inOrder(names: readonly string[], after: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const ordered: string[] = [];
  const left = new Set(names);
  while (left.size > 0) {
    const isFirst = (name: string) => [...left].every((other) => other === name || !after.get(other)?.has(name));
    const next = [...left].find(isFirst) ?? [...left][0]!;
    ordered.push(next);
    left.delete(next);
  }
  return ordered;
}
