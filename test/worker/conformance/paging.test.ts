import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { DEMO, seedDemo } from '../../support/demo.ts';
import { fetchFeed } from '../../support/feed.ts';
import { expectedRecords } from '../../support/oracle.ts';
import { importPages } from './paging-reader.ts';

beforeAll(async () => {
  await seedDemo(env.DB);
});

const IDS = expectedRecords(DEMO.documents, { FV: '3' }).map((record) => record[0]![1]);

/** Reads the feed of the demo agency page by page. `parameter` is the reader's own parameter for the page size. */
function readPages(size: number, parameter: 'N' | 'P_PageSize') {
  return importPages(size, (page) =>
    fetchFeed({ U: 'OWNPROPERTIES@DEMO', P: 'demo', FV: 3, [parameter]: size, P_PageNo: page }),
  );
}

test('reader with pages larger than the feed: every record once, in one request', async () => {
  expect(await readPages(IDS.length + 1, 'N')).toEqual({ ids: IDS, requests: 1 });
});

test.each([1, 50, IDS.length])(
  'reader that limits a larger feed to N=%i records: 400 unsupported_parameter',
  async (size) => {
    expect(await readPages(size, 'N')).toEqual({ error: 'unsupported_parameter', requests: 1 });
  },
);

test.each([1, 50])('reader with P_PageSize=%i: every record once, and it stops', async (size) => {
  expect(await readPages(size, 'P_PageSize')).toEqual({ ids: IDS, requests: 2 });
});
