import { expect, test } from 'vitest';
import { withoutKnownWarning } from '../../../src/cli/wrangler.ts';

/** What wrangler 4.86 prints about a field that it does not know. */
function warning(field: string): string {
  return `\u001b[33m▲ \u001b[43;33m[\u001b[43;30mWARNING\u001b[43;33m]\u001b[0m \u001b[1mProcessing wrangler.toml configuration:\u001b[0m

    - Unexpected fields found in observability field: "${field}"


`;
}

test('the warning about the setting that wrangler does not know is not printed; others are', () => {
  expect(withoutKnownWarning(`${warning('redact_query_string')}Uploaded\n`)).toBe('Uploaded\n');
  expect(withoutKnownWarning(warning('redact_querystring'))).toBe(warning('redact_querystring'));
  const hint =
    'There is a newer version of Wrangler available (current: 4.86.0, latest: 4.164.0). ' +
    'Try upgrading, as it might support this configuration option.\n';
  expect(withoutKnownWarning(`${hint}Uploaded\n`)).toBe('Uploaded\n');
});
