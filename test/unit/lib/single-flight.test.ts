import { expect, test, vi } from 'vitest';
import { SingleFlight } from '../../../src/lib/time/single-flight.ts';

const later = (milliseconds = 20) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('the same work at the same time is done once; afterwards it is done again', async () => {
  const flights = new SingleFlight<number>(60_000);
  let done = 0;
  const work = async () => {
    await later();
    return ++done;
  };
  expect(await Promise.all([1, 2, 3].map(() => flights.run('key', work)))).toEqual([1, 1, 1]);
  expect(await flights.run('key', work)).toBe(2);
});

test('other work is not affected', async () => {
  const flights = new SingleFlight<string>(60_000);
  expect(await Promise.all(['a', 'b'].map((key) => flights.run(key, async () => key)))).toEqual(['a', 'b']);
});

test('work that fails: one request gets the error, another takes over', async () => {
  const flights = new SingleFlight<string>(60_000);
  const failing = flights.run('key', async () => {
    await later();
    throw new Error('failed');
  });
  const others = [1, 2].map(() => flights.run('key', async () => 'done'));
  await expect(failing).rejects.toThrow('failed');
  expect(await Promise.all(others)).toEqual(['done', 'done']);
});

test('work whose request was cancelled: another takes over after the longest duration', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000);
  const flights = new SingleFlight<string>(500);
  void flights.run('key', () => new Promise(() => {}));
  let taken = false;
  const other = flights.run('key', async () => {
    taken = true;
    return 'done';
  });
  now.mockReturnValue(1_499);
  await later();
  expect(taken).toBe(false);
  now.mockReturnValue(1_500);
  expect(await other).toBe('done');
  now.mockRestore();
});
