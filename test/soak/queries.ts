/** `count` different sets of feed parameters, in an order that mixes them. */
export function parameterSets(count: number): string[] {
  const combined = (queries: readonly string[], values: readonly string[]) =>
    queries.flatMap((query) => values.map((value) => (value === '' ? query : `${query}&${value}`)));
  const sets = [
    ['T=SALE', 'T=RENT', ''],
    ['IC=0', 'IC=1', 'IC=3', 'IC=12', ''],
    ['Language=1', 'Language=3', 'Language=1,2,3', ''],
    ['DisplayListingDate=TRUE', ''],
  ].reduce(combined, ['FV=1', 'FV=2', 'FV=3']);
  if (count > sets.length) throw new RangeError(`There are ${sets.length} sets of parameters`);
  // 77 and 360 have no common divisor, so each is taken once.
  return Array.from({ length: count }, (_, index) => sets[(index * 77) % sets.length]!);
}
