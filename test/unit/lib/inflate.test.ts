import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { constants, createInflateRaw, deflateRawSync } from 'node:zlib';
import { beforeEach, expect, test, vi } from 'vitest';
import { StepInflater } from '../../../src/lib/bytes/inflate.ts';

vi.mock('node:zlib', { spy: true });

const plain = Buffer.from(Array.from({ length: 60_000 }, (_, index) => `${index * 7919}`).join());
const deflated = deflateRawSync(plain, { level: 1, finishFlush: constants.Z_FULL_FLUSH });

beforeEach(() => {
  vi.mocked(createInflateRaw).mockClear();
});

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

test('input that is not raw deflate: an error, and others get the right bytes', async () => {
  const inflater = new StepInflater();
  await expect(inflater.next(Buffer.from([7, 1, 2, 3, 4, 5]))).rejects.toThrow();
  inflater.close();
  expect((await inflated()).equals(plain)).toBe(true);
});

test('inputs one after the other, some of them left midway: all use the same memory of zlib', async () => {
  await inflated();
  vi.mocked(createInflateRaw).mockClear();
  for (let round = 0; round < 20; round++) {
    const left = new StepInflater();
    await left.next(deflated);
    left.close();
    left.close();
    expect((await inflated()).equals(plain)).toBe(true);
  }
  expect(createInflateRaw).not.toHaveBeenCalled();
});

test('inputs whose readers have hung up: their memory is used again', async () => {
  const leave = async () => {
    await Promise.all(Array.from({ length: 5 }, () => new StepInflater().next(deflated)));
  };
  await leave();
  vi.mocked(createInflateRaw).mockClear();
  for (let round = 0; round < 5; round++) {
    await collectGarbage();
    await leave();
  }
  await collectGarbage();
  expect(createInflateRaw).not.toHaveBeenCalled();
});

test('inputs at the same time: each is inflated by itself', async () => {
  const others = Array.from({ length: 5 }, (_, index) => Buffer.from(`${index},`.repeat(100_000 + index)));
  const results = await Promise.all(others.map((other) => inflated(deflateRawSync(other, { level: 1 }))));
  expect(results.map((result, index) => result.equals(others[index]!))).toEqual([true, true, true, true, true]);
  expect(vi.mocked(createInflateRaw).mock.calls.length).toBeLessThan(5);
});

/** A collection, and what it calls. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await setTimeout(10);
}

async function inflated(input: Uint8Array = deflated): Promise<Buffer> {
  const inflater = new StepInflater();
  const output: Uint8Array[] = [];
  while (inflater.consumed < input.length) output.push(...(await inflater.next(input)));
  inflater.close();
  return Buffer.concat(output);
}
