/** Pseudo-random numbers, the same for the same seed. */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  next(): number;
  /** An integer from `least` to `most`, inclusive. */
  integer(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** A random selection of `count` elements, in their original order. */
  some<T>(from: readonly T[], count: number): T[];
}

/** The generator mulberry32: 32 bits of state, the same sequence for the same seed on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: <T>(from: readonly T[]) => from[integer(0, from.length - 1)] as T,
    some: <T>(from: readonly T[], count: number) => {
      let wanted = Math.min(count, from.length);
      return from.filter((_, index) => {
        const taken = next() * (from.length - index) < wanted;
        if (taken) wanted--;
        return taken;
      });
    },
  };
}
