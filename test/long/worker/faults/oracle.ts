import { expect } from 'vitest';
import { checkFeedResponse } from '../../../support/documents/feed.ts';
import {
  expectedRecords,
  type FeedNode,
  type FeedParameters,
  recordsRead,
} from '../../../support/documents/oracle.ts';
import { CONSTANT, type TestAgency } from './agency.ts';
import type { Received } from './isolate.ts';
import type { Moment, Writer } from './versions.ts';

/** The circumstances of a response. */
interface Circumstances {
  readonly begun: Moment;
  readonly ended: Moment;
  readonly isolate: Writer;
  readonly isD1Failing: boolean;
}

/**
 * Checks that a feed is valid and shows every property once, in order, in a state that its reader may see; and that an
 * error is a valid error document.
 *
 * @throws AssertionError
 */
export async function checkFeed(
  agency: TestAgency,
  query: FeedParameters,
  received: Received,
  circumstances: Circumstances,
): Promise<void> {
  const { status, document } = await checkFeedResponse(received);
  if (status !== 200) return;
  let records = withoutTimes(recordsRead(document));
  for (const id of orderOf(agency, query)) {
    const possible = possibleRecords(agency, id, query, circumstances);
    const count = records.findIndex(
      ([[, own]]) => own !== id && own !== `${id}-LT` && own !== `${id}-ST`,
    );
    const own = records.slice(0, count < 0 ? records.length : count);
    expect(possible, `${agency.code}?${JSON.stringify(query)}: ${id}`).toContainEqual(own);
    records = records.slice(own.length);
  }
  expect(records, 'unknown records').toEqual([]);
}

/** Checks that what a reader has received of a feed that was aborted does not look complete. */
export async function checkAborted({ status, headers, bytes }: Received): Promise<void> {
  const looksComplete = await checkFeedResponse({ status, headers, bytes }).then(
    ({ xml }) => xml !== '',
    () => false,
  );
  expect(looksComplete, 'an aborted feed is a complete document').toBe(false);
}

/** The identifiers of an agency's properties in the order of a feed. */
function orderOf({ properties }: TestAgency, { DisplayListingDate }: FeedParameters): string[] {
  const ids = [...properties.keys()];
  if (DisplayListingDate !== 'TRUE') return ids;
  const listedAt = (id: string) =>
    properties.get(id)!.all.find((version) => version !== null)!.listed_at;
  return ids.sort((a, b) => (listedAt(a) < listedAt(b) ? 1 : -1));
}

/** The records of one property in each state that a reader may see. */
function possibleRecords(
  { type, units, properties }: TestAgency,
  id: string,
  query: FeedParameters,
  { begun, ended, isolate, isD1Failing }: Circumstances,
): FeedNode[][][] {
  const versions = properties.get(id)!.visible(begun, ended, isolate, isD1Failing);
  return versions.flatMap((property) => {
    if (property === null) return [[]];
    const unitName = property.unit?.name;
    const unitVersions =
      unitName === undefined
        ? [null]
        : units.get(unitName)!.visible(begun, ended, isolate, isD1Failing);
    return type.visible(begun, ended, isolate, isD1Failing).flatMap((villa) =>
      unitVersions.map((unit) => {
        const documents = [villa, ...CONSTANT, ...(unit === null ? [] : [unit]), property];
        return withoutTimes(expectedRecords(documents, query));
      }),
    );
  });
}

/** The database sets the time of a change, by its own clock. */
function withoutTimes(records: readonly (readonly FeedNode[])[]): [FeedNode, ...FeedNode[]][] {
  return records.map(
    (record) => record.filter(([name]) => name !== 'last_updated') as [FeedNode, ...FeedNode[]],
  );
}
