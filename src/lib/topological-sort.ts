/** Sorts items topologically: each comes before those that must follow it. Items in a cycle stay in the given order. */
export function topologicalSort<Item>(
  items: readonly Item[],
  isBefore: (one: Item, other: Item) => boolean,
): Item[] {
  const ordered: Item[] = [];
  for (let left = items; left.length > 0; left = left.filter((item) => item !== ordered.at(-1))) {
    const isFirst = (item: Item) => left.every((other) => other === item || !isBefore(other, item));
    ordered.push(left.find(isFirst) ?? left[0]!);
  }
  return ordered;
}
