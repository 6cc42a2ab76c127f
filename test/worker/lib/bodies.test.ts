import { describe, expect, test } from 'vitest';
import { acceptedEncodings, chooseEncoding } from '../../../src/lib/bytes/encoding.ts';
import { BodyError, discardBody, readBody } from '../../../src/lib/http/body.ts';
import { InexactNumber, JsonError, parseJson } from '../../../src/lib/http/json.ts';

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
    [
      'a body of known length that has been read',
      () => requestWith(3, { 'Content-Length': '3000' }).request,
      3_000,
    ],
    [
      'a body whose sender has disconnected',
      () => requestWith(3, {}, new Error('Network connection lost.')).request,
    ],
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

function parse(text: string): unknown {
  return parseJson(new TextEncoder().encode(text).buffer as ArrayBuffer);
}

/** Matches a JsonError by a part of its message. */
function failure(part: string) {
  return expect.objectContaining({
    constructor: JsonError,
    message: expect.stringContaining(part),
  });
}

describe('a number that a double represents: the double', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['-0.00e7', 0],
    ['0e99999999999999999999', 0],
    ['0.1', 0.1],
    ['0.100', 0.1],
    ['1E2', 100],
    ['100', 100],
    ['-12.50', -12.5],
    ['0.30000000000000004', 0.30000000000000004],
    ['0.10000000000000001', 0.1],
    ['3.2500009999999998e5', 325000.1],
    ['272727.27272727271', 300000 / 1.1],
    ['0.1000000000000000055511151231257827021181583404541015625', 0.1],
    ['9007199254740992', 9007199254740992],
    ['1e23', 1e23],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', 5e-324],
    ['4.9e-324', 5e-324],
    [`1${'0'.repeat(22)}`, 1e22],
    [`0.5${'0'.repeat(1_000_000)}`, 0.5],
  ])('%s', (text, value) => expect(parse(text)).toBe(value));
});

describe('a number that no double represents: an InexactNumber', () => {
  test.each([
    '9007199254740993',
    '123456789012345678',
    '0.1000000000000000055511151231257828',
    '272727.27272727272727272727273',
    '123456789.123456789123',
    '1e400',
    '-1e400',
    '1e-400',
    '4.8e-324',
    `0.1${'0'.repeat(1_000_000)}1`,
    '1e99999999999999999999',
  ])('%s', (text) => expect(parse(text)).toEqual(new InexactNumber(text)));
});

describe('member names', () => {
  test.each([
    ['{"a":1,"a":1}', '"a"'],
    ['{"a":1,"\\u0061":1}', '"\\u0061"'],
    ['[{"x":{"b":[{}],"b" : 2}}]', '"b"'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
  ])('%s: an error that names the repeated one', (text, name) => {
    expect(() => parse(text)).toThrow(failure(`The member ${name} is repeated`));
  });

  test.each(['{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"\\"a\\":","b":["a","a"],"{":"}"}'])(
    '%s: its value',
    (text) => expect(parse(text)).toEqual(JSON.parse(text)),
  );
});

describe('invalid JSON', () => {
  test.each([
    ['an empty text', ''],
    ['an incomplete text', '{"a":'],
    ['a line break in a string', '"\n"'],
    ['NaN', 'NaN'],
    ['a number with a leading zero', '01'],
    ['an incomplete string of two million escapes', `"${'\\n'.repeat(2_000_000)}`],
  ])('%s: not JSON', (_, text) => expect(() => parse(text)).toThrow(failure('is not JSON')));

  test('bytes that are not UTF-8: an error', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22).buffer)).toThrow(
      failure('is not UTF-8'),
    );
  });

  test('two million nested arrays: nested too deeply', () => {
    expect(() => parse('['.repeat(2_000_000) + ']'.repeat(2_000_000))).toThrow(
      failure('nested too deeply'),
    );
  });
});

test.each([
  ['a string of two million escapes', JSON.stringify('\n'.repeat(2_000_000))],
  ['a string of four million letters', JSON.stringify('a'.repeat(4_000_000))],
  ['a string followed by four million spaces', `["a"${' '.repeat(4_000_000)}]`],
  [
    '150,000 strings, more than a function takes arguments',
    JSON.stringify(Array(150_000).fill('a')),
  ],
])('%s: its value', (_, text) => {
  // As text: vitest takes far longer to compare thousands of values than to parse them.
  expect(JSON.stringify(parse(text))).toBe(JSON.stringify(JSON.parse(text)));
});

test.each([
  [null, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br', 'gzip'],
  ['br;q=1, gzip;q=0.5', 'gzip'],
  ['*', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=0, *', 'identity'],
  ['gzip;q=-1', 'identity'],
  ['br; Q = -0.5, gzip', 'gzip'],
  ['identity;q=-1, br', undefined],
  ['deflate', 'identity'],
  ['identity', 'identity'],
  ['identity;q=1, gzip;q=0.5', 'identity'],
  ['gzip;q=0.5, identity;q=0.1', 'gzip'],
  ['identity;q=0', undefined],
  ['*;q=0', undefined],
  ['gzip, *;q=0', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['br, identity;q=0', undefined],
])('Accept-Encoding %j: %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});

test.each<[string, RequestInit<CfProperties>, string | null]>([
  [
    'the original in cf',
    { headers: { 'Accept-Encoding': 'br, gzip' }, cf: { clientAcceptEncoding: 'identity' } },
    'identity',
  ],
  [
    'an empty original in cf',
    { headers: { 'Accept-Encoding': 'br, gzip' }, cf: { clientAcceptEncoding: '' } },
    '',
  ],
  [
    'none in cf: the edge has written the header itself',
    { headers: { 'Accept-Encoding': 'br, gzip' }, cf: {} },
    null,
  ],
  ['only the header', { headers: { 'Accept-Encoding': 'gzip' } }, 'gzip'],
  ['neither', {}, null],
])('acceptedEncodings: %s', (_, init, accepted) => {
  expect(acceptedEncodings(new Request('https://feeds.example/', init))).toBe(accepted);
});
