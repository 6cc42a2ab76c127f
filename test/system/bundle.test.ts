import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';

const script = inject('worker');

test('the deployed script: no demo pictures', () => {
  expect(script).toContain('/v1/developments');
  expect(script).not.toContain('/demo/pictures');
  expect(script).not.toContain('linearGradient');
});

test('the deployed script: 100 KB compressed, or 5% more', () => {
  expect(gzipSync(script).length).toBeLessThan(105_000);
});

test('the deployed script: nothing that only the command line needs', () => {
  expect(script).not.toContain('ZodError');
});

test('the deployed script: no parts of drizzle that nothing uses', () => {
  expect(script).not.toContain('PgEnumColumn');
  expect(script).not.toContain('RelationalQueryBuilder');
  expect(script).not.toContain('not enough information to infer relation');
});
