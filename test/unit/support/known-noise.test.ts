import { expect, test } from 'vitest';
import { withoutKnownNoise } from '../../support/known-noise.ts';

test('known noise is left out, and nothing else', () => {
  const noise = 'exception = workerd/api/web-socket.c++:821: disconnected: WebSocket peer disconnected\n';
  const error = 'exception = workerd/api/web-socket.c++:821: failed: something else\n';
  expect(withoutKnownNoise(`before\n${noise}${error}after`)).toBe(`before\n${error}after`);
});

test('the warning about a setting that wrangler does not know yet is left out, another one is not', () => {
  const warning = (field: string) =>
    `\u001b[33m▲ \u001b[43;33m[\u001b[43;30mWARNING\u001b[43;33m]\u001b[0m \u001b[1mProcessing wrangler.toml configuration:\u001b[0m\n\n    - Unexpected fields found in observability field: "${field}"\n\n\n`;
  expect(withoutKnownNoise(warning('redact_query_string'))).toBe('');
  expect(withoutKnownNoise(warning('redact_querystring'))).toBe(warning('redact_querystring'));
  const asBytes = Buffer.from(warning('redact_query_string')).toString('latin1');
  expect(withoutKnownNoise(asBytes)).toBe('');
});
