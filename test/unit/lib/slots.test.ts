import { expect, test, vi } from 'vitest';
import { Slots } from '../../../src/lib/time/slots.ts';

const later = (milliseconds = 20) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('more requests than slots: the others wait, and proceed in their order as leases are released', async () => {
  const slots = new Slots(2, 60_000);
  const order: number[] = [];
  const acquired = [1, 2, 3, 4].map(async (request) => {
    const lease = await slots.acquire();
    order.push(request);
    return lease;
  });
  await later();
  expect(order).toEqual([1, 2]);
  (await acquired[1]!).release();
  await vi.waitFor(() => expect(order).toEqual([1, 2, 3]), { timeout: 300_000 });
  (await acquired[0]!).release();
  await vi.waitFor(() => expect(order).toEqual([1, 2, 3, 4]), { timeout: 300_000 });
});

test('a lease released twice frees one slot', async () => {
  const slots = new Slots(1, 60_000);
  const lease = await slots.acquire();
  lease.release();
  lease.release();
  await slots.acquire();
  let third = false;
  void slots.acquire().then(() => {
    third = true;
  });
  await later();
  expect(third).toBe(false);
});

test('a lease whose request was cancelled counts until the longest hold', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const slots = new Slots(1, 30_000);
  await slots.acquire();
  let second = false;
  void slots.acquire().then(() => {
    second = true;
  });
  now.mockReturnValue(1_004_000);
  await later();
  now.mockReturnValue(1_008_000);
  await later();
  expect(second).toBe(false);
  now.mockReturnValue(1_030_000);
  await vi.waitFor(() => expect(second).toBe(true), { timeout: 300_000 });
  now.mockRestore();
});

test('a waiting request that was cancelled does not hold up the next', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const slots = new Slots(1, 60_000);
  const lease = await slots.acquire();
  const cancelled = vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => 0 as never);
  void slots.acquire();
  cancelled.mockRestore();
  let next = false;
  void slots.acquire().then(() => {
    next = true;
  });
  lease.release();
  await later();
  expect(next).toBe(false);
  now.mockReturnValue(1_004_999);
  await later();
  now.mockReturnValue(1_005_000);
  await vi.waitFor(() => expect(next).toBe(true), { timeout: 300_000 });
  now.mockRestore();
});

test('100 requests that wait: an attempt of one does not look at all others', async () => {
  const slots = new Slots(1, 60_000);
  const lease = await slots.acquire();
  const steps = vi.spyOn(Object.getPrototypeOf(new Map().values()), 'next');
  const waiting = Array.from({ length: 100 }, () => slots.acquire());
  const taken = steps.mock.calls.length;
  steps.mockRestore();
  expect(taken).toBeLessThan(1_000);
  lease.release();
  for (const next of waiting) (await next).release();
});
