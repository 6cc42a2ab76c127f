import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DamagedInput, inflate } from '../../../src/lib/bytes/inflate.ts';

const plain = Buffer.from(Array.from({ length: 100_000 }, (_, index) => `${index * 7919}`).join());
const deflated = deflateRawSync(plain, { level: 1, finishFlush: constants.Z_FULL_FLUSH });
const gzip = gzipSync(plain);

async function inflated(...input: Parameters<typeof inflate>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of inflate(...input)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('raw deflate and gzip, whole and in chunks: the bytes', async () => {
  expect((await inflated([deflated, new Uint8Array([3, 0])], 'deflate-raw')).equals(plain)).toBe(
    true,
  );
  const chunks = Array.from({ length: 100 }, (_, index) =>
    gzip.subarray(index * 5_000, (index + 1) * 5_000),
  );
  expect((await inflated(chunks, 'gzip')).equals(plain)).toBe(true);
  expect((await inflated([gzipSync('')], 'gzip')).length).toBe(0);
});

test.each([
  ['truncated', [deflated], 'deflate-raw'],
  ['in another format', [gzip], 'deflate-raw'],
  ['damaged', [gzip.subarray(0, -8), Buffer.alloc(8)], 'gzip'],
  ['empty', [], 'gzip'],
] as const)('%s input: DamagedInput', async (_, chunks, format) => {
  await expect(inflated(chunks, format)).rejects.toThrow(DamagedInput);
});

test('a reader that pauses, and then stops: no more input is read than inflates to what it has, and the input is closed', async () => {
  let [read, isClosed] = [0, false];
  function* chunks(): Generator<Uint8Array> {
    try {
      for (let start = 0; start < deflated.length; start += 1_000) {
        read += 1;
        yield deflated.subarray(start, start + 1_000);
      }
    } finally {
      isClosed = true;
    }
  }
  for await (const chunk of inflate(chunks(), 'deflate-raw')) {
    expect(plain.subarray(0, chunk.length).equals(chunk)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    break;
  }
  expect(read).toBeLessThan(deflated.length / 1_000 / 4);
  expect(isClosed).toBe(true);
});

test('input whose source fails: its error', async () => {
  const failing = async function* () {
    yield gzip.subarray(0, 1_000);
    throw new RangeError('the source');
  };
  await expect(inflated(failing(), 'gzip')).rejects.toThrow(RangeError);
});
