import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dateTime, images } from '../../../src/feed/formats/nodes.ts';
import { PLAIN_NODES, type PlainNode } from '../../../src/feed/formats/resales/nodes.ts';

const FOLDER = join(import.meta.dirname, '../../../src/feed/formats/resales');
const NODES: readonly PlainNode[] = Object.values(PLAIN_NODES).flat();

test.each([1, 2, 3] as const)('feed-v%i.xsd describes every plain node', (version) => {
  const schema = readFileSync(join(FOLDER, `feed-v${version}.xsd`), 'utf8');
  const nodes = NODES.flatMap(({ field, name = field, versions = [version] }) =>
    versions.includes(version) ? [name] : [],
  );
  expect(nodes.length).toBeGreaterThan(0);
  const missing = nodes.filter((name) => !schema.includes(`name="${name}"`));
  expect(missing, `Describe these in feed-v${version}.xsd`).toEqual([]);
});

describe('images', () => {
  const numbered = (...urls: string[]) =>
    urls.map((url, index) => `<image id="${index + 1}"><url>${url}</url></image>`).join('');

  test('are escaped and numbered, up to a number of them; 0 is all', () => {
    expect(images(['a?b&c', 'd'], 0)).toBe(numbered('a?b&amp;c', 'd'));
    expect(images(['a', 'b', 'c'], 2)).toBe(numbered('a', 'b'));
    expect(images([], 2)).toBe('');
  });

  test('without a URL in the format: are left out; only an empty address counts', () => {
    const urlOf = (url: string) => (url.startsWith('x') ? null : url);
    expect(images(['x1', 'a', 'b'], 1, urlOf)).toBe(numbered('a'));
    expect(images(['\u0001', 'a'], 1)).toBe('');
  });

  test('a floor plan: has the mark of the format before its URL', () => {
    const size = { width: null, height: null };
    const pictures = [
      { url: 'a', kind: 'photo', ...size },
      { url: 'b', kind: 'floor_plan', ...size },
    ] as const;
    expect(images(pictures, 0)).toBe(numbered('a', 'b'));
    expect(images(pictures, 0, (url) => url, '<plan/>')).toBe(
      '<image id="1"><url>a</url></image><image id="2"><plan/><url>b</url></image>',
    );
  });
});

test('a time: without its zone', () => {
  expect(dateTime('2026-05-01T09:30:00Z')).toBe('2026-05-01 09:30:00');
});
