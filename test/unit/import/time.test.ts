import { expect, test } from 'vitest';
import { readSource } from '../../support/documents/import-source.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';

/** As long as reading each of them takes on a busy machine; a time that grows with the square of a length exceeds it. */
const timeout = 20_000;

const spaces = ' '.repeat(60_000);

test.each<[string, KyeroNodes, string]>([
  [
    'coordinates with spaces',
    { location: `<latitude>0${spaces}M</latitude><longitude>1</longitude>` },
    'location',
  ],
  ['a pair of coordinates', { location: `<latitude>1.${spaces}M</latitude>` }, 'location'],
  ['digits and a sign', { built: `${'0'.repeat(60_000)}+` }, 'built'],
  ['bathrooms', { baths: `0${spaces}+` }, 'baths'],
  ['commas as a URL', { video_url: `${','.repeat(9_000)} ${','.repeat(9_000)}` }, 'video_url'],
])('%s of 60,000 characters: read in seconds', { timeout }, async (_, nodes, node) => {
  const { properties, interpreted } = await readSource(kyeroFeed([kyeroRecord('a', nodes)]));
  expect([properties.length, interpreted]).toMatchObject([1, [{ node, kind: 'unreadable' }]]);
});

test('pictures of 60,000 commas, or with 60,000 spaces: read in seconds', { timeout }, async () => {
  const images = `<image><url>${','.repeat(60_000)}x</url></image><image><url>x${spaces}y\n</url></image>`;
  const { properties } = await readSource(kyeroFeed([kyeroRecord('a', { images })]));
  expect(properties[0]?.pictures).toEqual([]);
});

test('60,000 replacement characters in a description that is cut: read in seconds', {
  timeout,
}, async () => {
  const desc = `<en>${'\ufffd'.repeat(60_000)}</en>`;
  const { properties } = await readSource(kyeroFeed([kyeroRecord('a', { desc })]));
  expect(properties[0]?.texts.uk?.description).toHaveLength(21_845);
});

test('XML after 40 comments: read in seconds', { timeout }, async () => {
  const feed = kyeroFeed([kyeroRecord('a')]).replace(
    '<root>',
    `${'<!-- a feed -->\n'.repeat(40)}<root>`,
  );
  expect((await readSource(feed)).properties).toHaveLength(1);
});

test('a rejected record with an id of a million characters: the beginning of it is reported', async () => {
  const { bad } = await readSource(kyeroFeed([kyeroRecord('a', { id: 'x'.repeat(1_000_000) })]));
  expect(bad.map(({ id }) => id)).toEqual(['x'.repeat(200)]);
});
