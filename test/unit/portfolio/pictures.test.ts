import { expect, test } from 'vitest';
import { parsed } from '../../../src/messages/parsed.ts';
import {
  type PictureEntry,
  pictures,
  storedPictures,
  thumbnailOf,
} from '../../../src/properties/pictures.ts';

const A = 'https://pictures.example/a.jpg';
const B = 'https://pictures.example/b.jpg';
const photo = { kind: 'photo', width: null, height: null } as const;

test('addresses and objects among pictures: both, with defaults', () => {
  expect(pictures.parse([A, { url: B }])).toEqual([A, { url: B, ...photo }]);
  expect(pictures.parse(undefined)).toEqual([]);
});

test.each([
  ['a number', [5], [0]],
  ['a list', [[A]], [0]],
  ['an empty address', [''], [0]],
  ['a line feed', [A, 'a\nb'], [1]],
  ['an unknown kind', [{ url: A, kind: 'video' }], [0, 'kind']],
  ['no address', [{ kind: 'photo' }], [0, 'url']],
  ['a width of 0', [{ url: A, width: 0 }], [0, 'width']],
  ['an unknown member', [{ url: A, title: 'x' }], [0, 'title']],
])('%s as a picture: an error at its place', (_, given, path) => {
  const result = parsed(pictures, given);
  expect('issues' in result && result.issues.map((issue) => issue.path)).toEqual([path]);
});

test('1,001 pictures: an error', () => {
  expect(pictures.safeParse(Array(1_000).fill(A)).success).toBe(true);
  expect(pictures.safeParse(Array(1_001).fill(A)).success).toBe(false);
});

const PLAN: PictureEntry = { url: A, kind: 'floor_plan', width: 800, height: 600 };
const COPY: PictureEntry = { url: '/own.jpg', ...photo, copied_from: B };

test.each<[string, PictureEntry[], PictureEntry[], PictureEntry[]]>([
  ['an address of a known picture: what is known stays', [A], [PLAN], [PLAN]],
  ['an address that was copied: the copy stays', [B], [PLAN, COPY], [COPY]],
  ['an object: replaces what was known', [{ url: A, ...photo }], [PLAN], [A]],
  ['a photo of which nothing is known: its address', [{ url: A, ...photo }], [], [A]],
  ['another order: the given one', [B, A], [PLAN, COPY], [COPY, PLAN]],
])('%s', (_, given, before, stored) => {
  expect(storedPictures(given, before)).toEqual(stored);
});

test('the thumbnail of an own picture, and of any other: a smaller one, and itself', () => {
  const own = 'https://feeds.example/pictures/COSTA/0123456789abcdef0123456789abcdef';
  expect(thumbnailOf(`${own}-2560.jpg`)).toBe(`${own}-480.jpg`);
  for (const other of [A, `${own}-full.jpg`]) expect(thumbnailOf(other)).toBe(other);
});
