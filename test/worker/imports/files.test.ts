import { expect, test } from 'vitest';
import { storedInput } from '../../../src/api/imports/files.ts';

test('a stored file of 2 MiB: while it is read, at least six times something else can run', async () => {
  const body = () =>
    new ReadableStream({
      start(controller) {
        for (let chunk = 0; chunk < 32; chunk++) controller.enqueue(new Uint8Array(64 * 1024).fill(chunk));
        controller.close();
      },
    });
  const input = storedInput({ get: async () => ({ body: body() }) } as unknown as R2Bucket, 'imports/1/1/file');
  let times = 0;
  const timer = setInterval(() => times++, 0);
  const read: number[] = [];
  for await (const chunk of await input.open()) read.push(chunk[0]!);
  clearInterval(timer);
  expect(read).toEqual(Array.from({ length: 32 }, (_, chunk) => chunk));
  expect(times).toBeGreaterThanOrEqual(6);
});
