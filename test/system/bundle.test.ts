import { expect, inject, test } from 'vitest';

const script = inject('worker');

test('the deployed script: no demo pictures', () => {
  expect(script).toContain('/v1/developments');
  expect(script).not.toContain('/demo/pictures');
  expect(script).not.toContain('linearGradient');
});
