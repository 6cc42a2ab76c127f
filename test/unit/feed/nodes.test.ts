import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dateTime, images } from '../../../src/feed/formats/nodes.ts';
import { PLAIN_NODES, type PlainNode } from '../../../src/feed/formats/resales/nodes.ts';
import { SCHEMA_FILES, schemaText } from '../../../src/service/schema-files.ts';
import { parseXml, type XmlElement } from '../../support/documents/xml.ts';

const NODES: readonly PlainNode[] = Object.values(PLAIN_NODES).flat();

/** The names of the nodes of a record that a schema describes. */
function describedIn(name: string): string[] {
  const schema = parseXml(schemaText(name, readFileSync(SCHEMA_FILES[name]!, 'utf8')));
  const elementIn = (parent: XmlElement): XmlElement[] =>
    parent.children.flatMap((child) =>
      child.attributes.name === 'property' ? [child] : elementIn(child),
    );
  const nodes = elementIn(schema)[0]!.find('xs:complexType/xs:sequence')!.all('xs:element');
  return nodes.map(({ attributes }) => attributes.name!);
}

test.each([1, 2, 3] as const)(
  'feed-v%i.xsd describes the plain nodes of its version',
  (version) => {
    const described = new Set(describedIn(`feed-v${version}.xsd`));
    const nodes = NODES.map(({ field, name = field, versions = [version] }) => ({
      name,
      isShown: versions.includes(version),
    }));
    const wrong = nodes.filter(({ name, isShown }) => described.has(name) !== isShown);
    expect(
      wrong,
      `Describe in resales/schema.xsd what feed-v${version} shows, and no more`,
    ).toEqual([]);
  },
);

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
