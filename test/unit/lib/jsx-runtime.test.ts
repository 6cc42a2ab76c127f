import { expect, test } from 'vitest';
import { Fragment, jsx } from '../../../src/lib/jsx-runtime.ts';

test.each([
  ['text', jsx('p', { children: '<b> & "c"' }), '<p>&lt;b&gt; &amp; &quot;c&quot;</p>'],
  ['an attribute', jsx('p', { title: '"><script>' }), '<p title="&quot;&gt;&lt;script&gt;"></p>'],
  ['elements', jsx('p', { children: [jsx('b', { children: 1 }), [' ', 'a']] }), '<p><b>1</b> a</p>'],
  ['nothing', jsx('p', { children: [null, undefined, false, true] }), '<p></p>'],
  [
    'absent attributes',
    jsx('input', { hidden: true, checked: false, value: undefined, name: null }),
    '<input hidden="">',
  ],
  ['a component', jsx(({ name }) => jsx('i', { children: name }), { name: 'a&b' }), '<i>a&amp;b</i>'],
  ['a fragment', Fragment({ children: ['a', jsx('br', {})] }), 'a<br>'],
])('%s', (_, element, html) => {
  expect(String(element)).toBe(html);
});
