import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { FEED_COLUMNS } from '../../../src/db/feed/feed-properties.ts';
import { FINDINGS } from '../../../src/feed/formats/findings/format.ts';
import { FORMATS } from '../../../src/feed/formats/formats.ts';

const SHOWN = new Set([...FEED_COLUMNS, ...[...FORMATS, FINDINGS].flatMap(({ furtherFields }) => furtherFields)]);

test('a change of any column that a format shows advances the revisions', async () => {
  const sql = await env.DB.prepare("SELECT sql FROM sqlite_schema WHERE name = 'properties_updated'").first<string>(
    'sql',
  );
  const counts = [...SHOWN].map(
    (column) => [column, sql!.match(new RegExp(`\\b${column}\\b`, 'g'))?.length ?? 0] as const,
  );
  const missing = counts.filter(([, count]) => count < 3).map(([column]) => column);
  expect(missing, 'Add these to the list of properties_updated, and to OLD and NEW, in a new migration').toEqual([]);
});
