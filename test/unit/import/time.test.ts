import { expect, test } from 'vitest';
import { readSource } from '../../support/documents/import-source.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';

/** As long as reading each of them takes on a busy machine; a time that grows with the square of a length exceeds it. */
const timeout = 20_000;

test('XML after 40 comments: read in seconds', { timeout }, async () => {
  const feed = kyeroFeed([kyeroRecord('a')]).replace('<root>', `${'<!-- a feed -->\n'.repeat(40)}<root>`);
  expect((await readSource(feed)).properties).toHaveLength(1);
});
