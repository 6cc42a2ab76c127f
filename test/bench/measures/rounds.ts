import { Random } from '../../support/random.ts';

/** One figure, and the server's processor time for it in milliseconds, if the platform reports it. */
export interface Sample {
  readonly figure: number;
  readonly processor: number | null;
}

/**
 * Measures all contestants in every round, in a different order each time, so that none is always first or always
 * follows the same other; an absent one (`null`) has no samples.
 */
export async function alternate<Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, (() => Promise<Sample>) | null>>,
): Promise<Readonly<Record<Name, readonly Sample[]>>> {
  const names = Object.keys(contestants) as Name[];
  const random = new Random(1);
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<Name, Sample[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of random.some(names, names.length)) {
      const sample = await contestants[name]?.();
      if (sample !== undefined) samples[name].push(sample);
    }
  }
  return samples;
}

/** A sample as the mean of several, if a single one is too short to be accurate. */
export function repeated(times: number, take: () => Promise<Sample>): () => Promise<Sample> {
  return async () => {
    const samples: Sample[] = [];
    while (samples.length < times) samples.push(await take());
    const processor = samples.flatMap((sample) => sample.processor ?? []);
    return {
      figure: mean(samples.map(({ figure }) => figure)),
      processor: processor.length === times ? mean(processor) : null,
    };
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function medianFigure(samples: readonly Sample[]): number {
  return median(samples.map(({ figure }) => figure));
}

/** The exponent of the best-fitting power law, by least squares of the logarithms. */
export function exponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const meanX = mean(logs.map(([x]) => x));
  const meanY = mean(logs.map(([, y]) => y));
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const variance = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return covariance / variance;
}
