/** Sorts names topologically: each before those that must follow it. Names in a cycle stay in the given order. */
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
