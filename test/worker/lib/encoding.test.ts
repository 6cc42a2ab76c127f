import { expect, test } from 'vitest';
import { acceptedEncodings, chooseEncoding } from '../../../src/lib/encoding.ts';

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
  ['an empty original in cf', { headers: { 'Accept-Encoding': 'br, gzip' }, cf: { clientAcceptEncoding: '' } }, ''],
  ['none in cf: the edge has written the header itself', { headers: { 'Accept-Encoding': 'br, gzip' }, cf: {} }, null],
  ['only the header', { headers: { 'Accept-Encoding': 'gzip' } }, 'gzip'],
  ['neither', {}, null],
])('acceptedEncodings: %s', (_, init, accepted) => {
  expect(acceptedEncodings(new Request('https://feeds.example/', init))).toBe(accepted);
});
