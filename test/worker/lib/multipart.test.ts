import { expect, test } from 'vitest';
import { MultipartError, readUpload } from '../../../src/lib/http/multipart.ts';

/** A form as a browser sends it, in chunks of a size. */
async function request(form: FormData | string, size: number): Promise<Request> {
  const encoded = new Response(form);
  const type =
    typeof form === 'string'
      ? 'multipart/form-data; boundary="b"'
      : encoded.headers.get('Content-Type')!;
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(sent, sent + size));
      sent += size;
    },
  });
  return new Request('https://feeds.example/', {
    method: 'POST',
    body,
    headers: { 'Content-Type': type },
  });
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
  const all: number[] = [];
  for await (const chunk of chunks) all.push(...chunk);
  return all;
}

test.each([1, 2, 7, 64, 10_000])(
  'a form with fields and a file, in chunks of %i bytes: the same bytes',
  async (size) => {
    const content = Uint8Array.from(
      { length: 3_000 },
      (_, index) => [13, 10, 45, 45, index % 256][index % 5]!,
    );
    const form = new FormData();
    form.append('replace', '1');
    form.append('format', '');
    form.append('note', 'two\r\nlines ñ');
    form.append('file', new File([content], 'feed.xml'));
    form.append('after', 'ignored');
    const upload = await readUpload(await request(form, size));
    expect([...upload.fields]).toEqual([
      ['replace', '1'],
      ['format', ''],
      ['note', 'two\r\nlines ñ'],
    ]);
    expect(upload.fileName).toBe('feed.xml');
    expect(await bytesOf(upload.chunks)).toEqual([...content]);
  },
);

const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.xml"\r\n\r\n';

test.each([
  ['without a boundary at the end', `${HEAD}content`],
  ['without a file', '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n'],
  ['with a field without a name', '--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--\r\n'],
  [
    'with a field that is too long',
    `--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n${'y'.repeat(70_000)}\r\n--b--`,
  ],
  ['that is empty', ''],
])('a form %s: an error', async (_, text) => {
  const reading = async () => bytesOf((await readUpload(await request(text, 16))).chunks);
  await expect(reading()).rejects.toThrow(MultipartError);
});

test('a form whose file is too large to be read to its end: the rest of the body can be discarded', async () => {
  const sent = await request(`${HEAD}${'x'.repeat(1_000)}\r\n--b--\r\n`, 100);
  for await (const _ of (await readUpload(sent)).chunks) break;
  expect(sent.body!.locked).toBe(false);
});
