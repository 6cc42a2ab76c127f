import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';

const script = inject('worker');

/** Those of some texts that the script contains: a failing `toContain` would print all of it. */
function contained(...texts: readonly string[]): string[] {
  return texts.filter((text) => script.includes(text));
}

test('the deployed script: nothing of the demo', () => {
  expect(contained('/v1/developments')).toEqual(['/v1/developments']);
  expect(contained('/demo/pictures', 'linearGradient')).toEqual([]);
  expect(contained('costa-sur-ana', 'land-prices.xml')).toEqual([]);
});

test('the deployed script: a megabyte compressed at most', () => {
  expect(gzipSync(script).length).toBeLessThan(1_000_000);
});
