import { expect, test } from 'vitest';
import { receivedChunks } from '../../../src/imports/runs/pace.ts';

const stream = (pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) =>
  new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });

async function all(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const { length } of chunks) bytes += length;
  return bytes;
}

test('a file that a client sends at once: all of it', async () => {
  expect(await all(receivedChunks(new Blob(['abc']).stream()))).toBe(3);
  expect(await all(receivedChunks(null))).toBe(0);
});

test('a client that sends a byte a second: too slow', async () => {
  let now = 0;
  const drip = stream((controller) => controller.enqueue(Uint8Array.of(1)));
  const chunks = receivedChunks(drip, () => (now += 1_000));
  await expect(all(chunks)).rejects.toMatchObject({ code: 'incomplete' });
  expect(now).toBeLessThan(100_000);
});

test('a client that stops sending: incomplete', async () => {
  const silent = stream(() => new Promise(() => {}));
  await expect(all(receivedChunks(silent, Date.now, 10))).rejects.toMatchObject({
    code: 'incomplete',
  });
});
