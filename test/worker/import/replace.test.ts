import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { lines } from '../../support/accounts/imported.ts';
import { property, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import {
  everything,
  importError,
  load,
  openImporter,
  properties,
  REPLACE_ALL,
} from './importing.ts';

describe('--replace', () => {
  const feedOf = (...ids: string[]) => kyeroFeed(ids.map((id) => kyeroRecord(id)));
  const ten = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const statuses = async (agency: number) =>
    Object.fromEntries((await properties(agency)).map(({ id, status }) => [id, status]));

  test('a unit of a property that is not in the file, assigned to another one in the file: moved', async () => {
    const agency = await openImporter();
    const vocabulary = [
      ...VOCABULARY,
      { kind: 'development', id: 'd', name: 'D' },
      { kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 },
    ];
    const inUnit = (id: string) => property(id, { unit: { development: 'd', name: 'A' } });
    await load(agency, lines(...vocabulary, inUnit('old')));
    const file = lines(...vocabulary, inUnit('new'));
    const options = REPLACE_ALL;
    expect(await load(agency, file, { ...options, dryRun: true })).toMatchObject({
      withdrawn: 1,
      rejected: 0,
    });
    expect(await load(agency, file, options)).toMatchObject({ withdrawn: 1, rejected: 0 });
    expect(
      (await properties(agency)).map(({ id, status, unit }) => [id, status, unit?.name]),
    ).toEqual([
      ['old', 'Withdrawn', undefined],
      ['new', 'Available', 'A'],
    ]);
    expect(await load(agency, file, options)).toMatchObject({
      written: 0,
      withdrawn: 0,
      rejected: 0,
    });
  });

  test('properties that are not in the file: withdrawn, once', async () => {
    const agency = await openImporter();
    await load(agency, feedOf(...ten));
    const rest = feedOf(...ten.slice(2));
    expect(await load(agency, rest, { replace: true })).toMatchObject({
      withdrawn: 2,
      unchanged: 8,
    });
    expect(await statuses(agency)).toMatchObject({
      p0: 'Withdrawn',
      p1: 'Withdrawn',
      p2: 'Available',
    });
    expect(await load(agency, rest, { replace: true })).toMatchObject({
      withdrawn: 0,
      unchanged: 8,
    });
  });

  test('more than 20% would be withdrawn: too_many_withdrawn unless that is allowed', async () => {
    const agency = await openImporter();
    await load(agency, feedOf(...ten));
    const fewer = feedOf('new', ...ten.slice(4));
    expect(await importError(agency, fewer, { replace: true })).toEqual({
      code: 'too_many_withdrawn',
      parameters: { count: 4, listed: 10, most: 20 },
      missing: ten.slice(0, 4),
    });
    expect((await importError(agency, feedOf(), { replace: true })).missing).toEqual(ten);
    expect(await load(agency, fewer, { replace: true, maxWithdrawn: 40 })).toMatchObject({
      withdrawn: 4,
    });
    expect(await load(agency, feedOf(), REPLACE_ALL)).toMatchObject({ withdrawn: 7 });
  });

  test('a property whose record is rejected: stays listed', async () => {
    const agency = await openImporter();
    await load(agency, feedOf(...ten));
    const feed = kyeroFeed([
      ...ten.map((id) => kyeroRecord(id)),
      kyeroRecord('p1', { price: '1' }),
    ]);
    expect(await load(agency, feed, { replace: true })).toMatchObject({
      withdrawn: 0,
      rejected: 1,
    });
  });

  test('a record without id: fails', async () => {
    const agency = await openImporter();
    await load(agency, feedOf(...ten));
    const feed = kyeroFeed(
      ten.map((id) => kyeroRecord(id, id === 'p1' ? { id: null, ref: null } : {})),
    );
    expect(await importError(agency, feed, { replace: true })).toMatchObject({
      code: 'nameless_records',
      parameters: { line: 15 },
    });
  });

  test('withdrawn properties and other accounts: unchanged', async () => {
    const [one, other] = [await openImporter(), await openImporter()];
    for (const agency of [one, other]) await load(agency, feedOf('a', 'b', 'c', 'd'));
    await env.DB.prepare(
      "UPDATE properties SET document = json_set(document, '$.status', 'Sold') WHERE account_id = ? AND identifier = 'a'",
    )
      .bind(one)
      .run();
    expect(await load(one, feedOf('b', 'c', 'd'), { replace: true })).toMatchObject({
      withdrawn: 0,
    });
    expect(await statuses(one)).toMatchObject({ a: 'Sold' });
    expect(Object.values(await statuses(other))).toEqual(Array(4).fill('Available'));
  });

  test('with --dry-run: reports what would be done, and changes nothing', async () => {
    const agency = await openImporter();
    await load(agency, feedOf(...ten));
    const before = await everything(agency);
    const feed = kyeroFeed([
      ...ten.slice(2).map((id) => kyeroRecord(id, id === 'p5' ? { price: '1' } : {})),
      kyeroRecord('new', { type: 'Castle' }),
    ]);
    expect(await load(agency, feed, { replace: true, dryRun: true })).toMatchObject({
      dry_run: true,
      written: 3,
      unchanged: 7,
      withdrawn: 2,
    });
    expect(await everything(agency)).toEqual(before);
  });
});
