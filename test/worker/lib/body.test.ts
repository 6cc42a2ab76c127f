import { describe, expect, test } from 'vitest';
import { BodyError, discardBody, readBody } from '../../../src/lib/body.ts';

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

  test('larger without one → too large, and the rest is left', async () => {
    const { request, taken } = sending(100);
    await expect(readBody(request, 2_500)).rejects.toEqual(new BodyError('too large'));
    expect(taken()).toBe(3);
  });

  test('whose sender is gone → incomplete', async () => {
    const { request } = sending(3, {}, new Error('Network connection lost.'));
    await expect(readBody(request, 10_000)).rejects.toEqual(new BodyError('incomplete'));
  });
});

describe('what is left of a body', () => {
  test('none of it read → all of it is taken', async () => {
    const { request, taken } = sending(100);
    await discardBody(request);
    expect(taken()).toBe(100);
  });

  test('some of it read → the rest is taken', async () => {
    const { request, taken } = sending(100);
    await readBody(request, 2_500).catch(() => {});
    await discardBody(request);
    expect(taken()).toBe(100);
  });

  test.each([
    ['no body', () => new Request('http://x/')],
    ['a body that was read', () => sending(3).request, 3_000],
    ['a body of known length that was read', () => sending(3, { 'Content-Length': '3000' }).request, 3_000],
    ['a body whose sender is gone', () => sending(3, {}, new Error('Network connection lost.')).request],
  ])('of %s → nothing happens', async (_, requestOf, read = 0) => {
    const request = requestOf();
    if (read > 0) await readBody(request, read);
    await expect(discardBody(request)).resolves.toBeUndefined();
  });

  test('that never ends → its sender is told that no more is taken', async () => {
    const { request, taken } = sending(Number.POSITIVE_INFINITY);
    await discardBody(request);
    expect(taken()).toBe(16_778);
  });
});
