/** So many different sets of feed parameters, in an order that mixes them. */
export function parameterSets(count: number): string[] {
  const sets: string[] = [];
  for (const IC of ['', '0', '1', '3', '12']) {
    for (const T of ['', 'SALE', 'RENT']) {
      for (const FV of ['1', '2', '3']) {
        for (const Language of ['', '1', '3', '1,2,3']) {
          for (const [name, value] of [
            ['ST', ''],
            ['DisplayListingDate', 'TRUE'],
          ] as const) {
            sets.push(String(new URLSearchParams(given({ FV, T, Language, IC, [name]: value }))));
          }
        }
      }
    }
  }
  if (count > sets.length) throw new RangeError(`There are ${sets.length} sets of parameters`);
  // 77 and 360 have no common divisor, so each is taken once.
  return Array.from({ length: count }, (_, index) => sets[(index * 77) % sets.length]!);
}

function given(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
}
