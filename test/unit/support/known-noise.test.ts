import { expect, test } from 'vitest';
import { withoutKnownNoise } from '../../support/known-noise.ts';

test('known noise is left out, and nothing else', () => {
  const noise = 'exception = workerd/api/web-socket.c++:821: disconnected: WebSocket peer disconnected\n';
  const error = 'exception = workerd/api/web-socket.c++:821: failed: something else\n';
  expect(withoutKnownNoise(`before\n${noise}${error}after`)).toBe(`before\n${error}after`);
});
