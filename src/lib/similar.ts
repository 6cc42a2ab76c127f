/** Names that are suggested. */
const MOST = 5;

/**
 * The names that are most like one that does not exist: equal but for case, accents, spaces and punctuation; or but for a
 * character that is missing, added, exchanged, or, in longer names, two of them.
 */
export function similarNames(missing: string, names: readonly string[]): string[] {
  const key = spellingOf(missing);
  const most = key.length < 3 ? 0 : key.length < 8 ? 1 : 2;
  return names
    .map((name) => ({ name, distance: distance(key, spellingOf(name), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name);
}

function spellingOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

/** The number of characters that differ (Levenshtein); more than `most` as soon as that is known. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, character] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = before[column]! + (character === other ? 0 : 1);
      current.push(Math.min(replaced, before[column + 1]! + 1, current[column]! + 1));
    }
    before = current;
  }
  return before.at(-1)!;
}
