import { describe, expect, test } from 'vitest';
import { BodyError, discardBody, readBody } from '../../../src/lib/body.ts';

/** A request with a body in chunks of 1,000 bytes, and how many of them were read. */
function requestWith(chunks: number, headers: Record<string, string> = {}, end?: Error) {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (read < chunks) controller.enqueue(new Uint8Array(1_000).fill(read++));
        else if (end === undefined) controller.close();
        else controller.error(end);
      },
    },
    { highWaterMark: 0 },
  );
  return { request: new Request('http://x/', { method: 'POST', body, headers }), read: () => read };
}

describe('readBody', () => {
  test('no body: no bytes', async () => {
    expect((await readBody(new Request('http://x/', { method: 'POST' }), 10)).byteLength).toBe(0);
  });

  test('a body of the maximum size: its bytes', async () => {
    const bytes = new Uint8Array(await readBody(requestWith(3).request, 3_000));
    expect([bytes.length, bytes[0], bytes[1_000], bytes[2_999]]).toEqual([3_000, 0, 1, 2]);
  });

  test('a larger Content-Length: too large, without reading any of it', async () => {
    const { request, read } = requestWith(4, { 'Content-Length': '4000' });
    await expect(readBody(request, 3_999)).rejects.toEqual(new BodyError('too large'));
    expect(read()).toBe(0);
  });

  test('a larger body without Content-Length: too large, without reading the rest', async () => {
    const { request, read } = requestWith(100);
    await expect(readBody(request, 2_500)).rejects.toEqual(new BodyError('too large'));
    expect(read()).toBe(3);
  });

  test('a disconnected sender: incomplete', async () => {
    const { request } = requestWith(3, {}, new Error('Network connection lost.'));
    await expect(readBody(request, 10_000)).rejects.toEqual(new BodyError('incomplete'));
  });
});

describe('discardBody', () => {
  test('an unread body: all of it is read', async () => {
    const { request, read } = requestWith(100);
    await discardBody(request);
    expect(read()).toBe(100);
  });

  test('a partly read body: the rest is read', async () => {
    const { request, read } = requestWith(100);
    await readBody(request, 2_500).catch(() => {});
    await discardBody(request);
    expect(read()).toBe(100);
  });

  test.each([
    ['no body', () => new Request('http://x/')],
    ['a body that has been read', () => requestWith(3).request, 3_000],
    ['a body of known length that has been read', () => requestWith(3, { 'Content-Length': '3000' }).request, 3_000],
    ['a body whose sender has disconnected', () => requestWith(3, {}, new Error('Network connection lost.')).request],
  ])('%s: no effect', async (_, create, size = 0) => {
    const request = create();
    if (size > 0) await readBody(request, size);
    await expect(discardBody(request)).resolves.toBeUndefined();
  });

  test('an endless body: cancelled after 16 MiB', async () => {
    const { request, read } = requestWith(Number.POSITIVE_INFINITY);
    await discardBody(request);
    expect(read()).toBe(16_778);
  });
});
