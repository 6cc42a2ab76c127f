import { constants, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { StepInflater } from '../../../src/lib/inflate.ts';

const plain = Buffer.from(Array.from({ length: 60_000 }, (_, index) => `${index * 7919}`).join());
const deflated = deflateRawSync(plain, { level: 1, finishFlush: constants.Z_FULL_FLUSH });

test('inflate in steps: the complete input, a bounded part of it per step', async () => {
  const inflater = new StepInflater();
  const steps: Buffer[] = [];
  // Each call gets a copy of the input, as after an eviction.
  while (inflater.consumed < deflated.length) steps.push(Buffer.concat(await inflater.next(Buffer.from(deflated))));
  inflater.close();
  expect(Buffer.concat(steps).equals(plain)).toBe(true);
  expect(steps.length).toBeGreaterThan(5);
  expect(Math.max(...steps.map(({ length }) => length))).toBeLessThan(plain.length / 4);
});

test('input that is not raw deflate: an error', async () => {
  const inflater = new StepInflater();
  await expect(inflater.next(Buffer.from([7, 1, 2, 3, 4, 5]))).rejects.toThrow();
  inflater.close();
});
