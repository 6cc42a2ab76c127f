import { describe, expect, test } from 'vitest';
import { BodyError, readBody } from '../../src/lib/body.ts';

/** A request whose body comes in pieces of 1,000 bytes, and how many of them were taken. */
function sending(pieces: number, headers: Record<string, string> = {}, end?: Error) {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken < pieces) controller.enqueue(new Uint8Array(1_000).fill(taken++));
        else if (end === undefined) controller.close();
        else controller.error(end);
      },
    },
    { highWaterMark: 0 },
  );
  return { request: new Request('http://x/', { method: 'POST', body, headers }), taken: () => taken };
}

describe('a body', () => {
  test('none → no bytes', async () => {
    expect((await readBody(new Request('http://x/', { method: 'POST' }), 10)).byteLength).toBe(0);
  });

  test('as large as it may be → its bytes', async () => {
    const bytes = new Uint8Array(await readBody(sending(3).request, 3_000));
    expect([bytes.length, bytes[0], bytes[1_000], bytes[2_999]]).toEqual([3_000, 0, 1, 2]);
  });

  test('larger by its Content-Length → too large, and nothing of it is read', async () => {
    const { request, taken } = sending(4, { 'Content-Length': '4000' });
    await expect(readBody(request, 3_999)).rejects.toEqual(new BodyError('too large'));
    expect(taken()).toBe(0);
  });

  test('larger without one → too large, once all of it has come', async () => {
    const { request, taken } = sending(100);
    await expect(readBody(request, 99_999)).rejects.toEqual(new BodyError('too large'));
    expect(taken()).toBe(100);
  });

  test('that never ends → too large', async () => {
    await expect(readBody(sending(Number.POSITIVE_INFINITY).request, 1)).rejects.toEqual(new BodyError('too large'));
  });

  test('whose sender is gone → broken off', async () => {
    const { request } = sending(3, {}, new Error('Network connection lost.'));
    await expect(readBody(request, 10_000)).rejects.toEqual(new BodyError('broken off'));
  });
});
