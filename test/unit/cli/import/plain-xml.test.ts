import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementsOf } from '../../../../src/cli/import/xml/elements.ts';
import type { XmlNode } from '../../../../src/cli/import/xml/node.ts';
import { NotPlain, plainElements } from '../../../../src/cli/import/xml/plain.ts';

/** The elements, and how many lines end in the document. */
function all(elements: Generator<XmlNode, number>): { elements: XmlNode[]; lines: number } {
  const found: XmlNode[] = [];
  let next = elements.next();
  for (; !next.done; next = elements.next()) found.push(next.value);
  return { elements: found, lines: next.value };
}

test.each([
  ['<r><a>1</a>\n<b>2</b></r>'],
  ['<r>\n\n<a\n>\n<b/>text<c />more</a\n></r>\n'],
  ['<r>\r\n<a>one\r\rtwo</a>\r\n</r>'],
  ['<r><a>&lt;&amp;&gt;&quot;&apos;&#233;&#x1F3E0;]]&gt;</a></r>'],
  [`<r><a id="1" xml:lang='en' b = "x&amp;y\tz&#10;'>'"/></r>`.replace('>\'"', '\'"')],
  ['<r>text<!-- <a> -->&amp;<a>one<!---->two<![CDATA[<b>&amp;]]>three</a></r><!-- end -->'],
  ['<r/>'],
  ['<r><a>Málaga 🏠\u2028€</a></r>'],
])('%j is read without the complete parser, and as by it', (document) => {
  expect(all(plainElements(document))).toEqual(all(elementsOf(document)));
});

test.each([
  ['<?xml version="1.0"?><r/>'],
  ['<!DOCTYPE r><r/>'],
  ['<r><é/></r>'],
  [''],
  ['text'],
  ['<r><a></r></a>'],
  ['<r><a></r>'],
  ['<r></r'],
  ['<r/><r/>'],
  ['<r/>text'],
  ['</r>'],
  ['<r>]]></r>'],
  ['<r>a & b; c</r>'],
  ['<r>&nbsp;</r>'],
  ['<r>&#X41;&#0;</r>'],
  ['<r>&#xD800;</r>'],
  ['<r>\u0001</r>'],
  ['<r>\ud800</r>'],
  ['<r><a b=1/></r>'],
  ['<r><a b="1" b="2"/></r>'],
  ['<r><a b="1"c="2"/></r>'],
  ['<r><a b="<"/></r>'],
  ['<r><a / ></r>'],
  ['<r><!-- -- --></r>'],
  ['<r><!-- </r>'],
  ['<r><![CDATA[ </r>'],
  ['<![CDATA[a]]><r/>'],
  ['<r></r\u00a0>'],
])('%j is left to the complete parser', (document) => {
  expect(() => all(plainElements(document))).toThrow(NotPlain);
});

const PIECES = [
  ...['<a>', '</a>', '<b>', '</b>', '<b/>', '<a x="1" y=\'&lt;\'>', '<a\n>', '</a >', '<', '>', '/', '"', "'", '='],
  ...['text', ' ', '\n', '\r\n', '\r', '&amp;', '&#65;', '&x;', '&', ';', ']]>', '<!--', '-->', '--', '<![CDATA['],
  ...['é', '🏠', '\ud83c', '\u0000', '\ufffe', '<?p?>', '<!'],
];

test('whatever the pieces, a document is read as by the complete parser or left to it', () => {
  const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, (content) => {
      const document = `<r>${content.join('')}</r>`;
      let plain: ReturnType<typeof all>;
      try {
        plain = all(plainElements(document));
      } catch (error) {
        expect(error).toBeInstanceOf(NotPlain);
        return;
      }
      expect(plain).toEqual(all(elementsOf(document)));
    }),
    { seed: 1, numRuns: 3000 },
  );
});
