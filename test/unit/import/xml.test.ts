import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openXml } from '../../../src/import/xml/elements.ts';
import type { XmlNode } from '../../../src/import/xml/node.ts';
import { parseXml, type XmlElement } from '../../support/xml.ts';

/** A document with one element in its root, as this service reads it in pieces, and as saxes does. */
async function ours(xml: string, size: number): Promise<object | null> {
  const pieces = async function* () {
    for (let start = 0; start < xml.length; start += size) yield xml.slice(start, start + size);
  };
  const { elements } = await openXml(pieces(), () => {});
  const found: XmlNode[] = [];
  for await (const element of elements) found.push(element);
  return found.map(shape);
}

function shape({ name, attributes, text, children }: XmlNode | XmlElement): object {
  return { name, attributes: { ...attributes }, text, children: children.map(shape) };
}

const name = fc.constantFrom('a', 'b:c', '_d.e-1', 'é');
const text = fc.stringMatching(
  /^([ \n\r\tx>'"é]|😀|&(amp|lt|gt|quot|apos|#65|#x1F600);|<!\[CDATA\[[<&x\]]*\]\]>|<!--x-->|<\?p y\?>)*$/,
);
const value = fc.stringMatching(/^([ \n\tx>é]|&(amp|lt|quot|#x41);)*$/);
const attributes = fc
  .uniqueArray(fc.tuple(name, value, fc.constantFrom('"', "'")), { selector: ([own]) => own, maxLength: 3 })
  .map((all) => all.map(([own, given, quote]) => ` \n${own} = ${quote}${given}${quote}`).join(''));
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(name, attributes, text, fc.array(fc.oneof({ depthSize: 'small' }, text, tie('element')), { maxLength: 4 }))
    .map(([own, given, first, inner]) => `<${own}${given}>${first}${inner.join('')}</${own}\t><${own}/>`),
}));
const document = element.map((inner) => `<?xml version="1.0"?><!DOCTYPE r [<!-- x -->]><r>${inner}</r>\n`);
const runs = { numRuns: 500 };

test('any document, in pieces of any size: the same elements as those that saxes reads', async () => {
  await fc.assert(
    fc.asyncProperty(document, fc.integer({ min: 1, max: 50 }), async (xml, size) => {
      expect(await ours(xml, size)).toEqual(parseXml(xml).children.map(shape));
    }),
    runs,
  );
});

test('a document in which something was changed, and which saxes rejects: an error, unless it can be repaired', async () => {
  const change = fc.tuple(
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', '<', '>', '/', '"', '=', ']]>', '\0', '<a>', '</r>', '--'),
  );
  await fc.assert(
    fc.asyncProperty(document, change, async (xml, [place, length, inserted]) => {
      const root = xml.indexOf('<r>');
      const at = root + (place % (xml.length - root));
      const changed = (xml.slice(0, at) + inserted + xml.slice(at + length)).toWellFormed();
      const expected = attempt(() => parseXml(changed).children.map(shape));
      const read = await ours(changed, 7).catch(() => null);
      // Ours repairs ampersands, does not look into declarations, and finds each forbidden ]]>.
      if (expected === null && /&(?!(amp|lt|gt|quot|apos|#65|#x41|#x1F600);)|<[?!]/.test(changed)) return;
      if (read !== null || !changed.includes(']]>')) expect(read).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['ampersands', '<b>', '&', '</b>'],
  ['line feeds and ampersands', '<b>', '\n&', '</b>'],
  ['elements', '<b>', '<c/>', '</b>'],
  ['an attribute', '<b a="', 'x>', '"/>'],
])(
  '3 MB of %s in one element, in small pieces: read, in time that grows with the length only',
  async (_, first, repeated, last) => {
    const xml = `<r>${first}${repeated.repeat(3_000_000 / repeated.length)}${last}</r>`;
    expect(await ours(xml, 1_000)).toHaveLength(1);
  },
);

function attempt(read: () => object): object | null {
  try {
    return read();
  } catch {
    return null;
  }
}
