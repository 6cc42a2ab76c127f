import { describe, expect, test } from 'vitest';
import { property, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { operator, useOperator } from '../operator.ts';
import {
  type Agency,
  everything,
  importError,
  lines,
  load,
  openAgency,
  properties,
} from './agency.ts';

useOperator();

describe('--replace', () => {
  const feedOf = (...ids: string[]) => kyeroFeed(ids.map((id) => kyeroRecord(id)));
  const ten = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const statuses = async (agency: Agency) =>
    Object.fromEntries((await properties(agency)).map(({ id, status }) => [id, status]));

  test('a unit of a property that is not in the file, assigned to another one in the file: moved', async () => {
    const agency = await openAgency();
    const vocabulary = [
      ...VOCABULARY,
      { kind: 'development', id: 'd', name: 'D' },
      { kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 },
    ];
    const inUnit = (id: string) => property(id, { unit: { development: 'd', name: 'A' } });
    await load(agency, lines(...vocabulary, inUnit('old')));
    const file = lines(...vocabulary, inUnit('new'));
    const options = ['--replace', '--max-withdrawn', '100'];
    expect(await load(agency, file, [...options, '--dry-run'])).toMatchObject({
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

  test('properties that are not in the file: withdrawn, and absent from the feed', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    const query = `U=OWNPROPERTIES@${agency.code}&P=${agency.password}`;
    expect((await operator.feed(query)).match(/<property>/g)).toHaveLength(10);
    expect(await load(agency, feedOf(...ten.slice(2)), ['--replace'])).toMatchObject({
      withdrawn: 2,
      unchanged: 8,
    });
    expect(await statuses(agency)).toMatchObject({
      p0: 'Withdrawn',
      p1: 'Withdrawn',
      p2: 'Available',
    });
    await new Promise((done) => setTimeout(done, 1_100));
    expect((await operator.feed(query)).match(/<property>/g)).toHaveLength(8);
    expect(await load(agency, feedOf(...ten.slice(2)), ['--replace'])).toMatchObject({
      withdrawn: 0,
      unchanged: 8,
    });
  });

  test('more than 20% would be withdrawn: too_many_withdrawn unless --max-withdrawn allows it', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    expect(await importError(agency, feedOf('new', ...ten.slice(4)), ['--replace'])).toEqual(
      expect.stringMatching(
        /^too_many_withdrawn: 4 of 10 listed .*, more than 20%.* They are R-p0 \(Marbella\), .*Approve or cancel import \d+/,
      ),
    );
    expect(await importError(agency, feedOf(), ['--replace'])).toMatch(
      /^too_many_withdrawn: 10 of 10 listed properties.* The first are R-p0 \(Marbella\), (\S+ \S+, ){3}R-p4 \(Marbella\)\./,
    );
    const options = ['--replace', '--max-withdrawn', '40'];
    expect(await load(agency, feedOf('new', ...ten.slice(4)), options)).toMatchObject({
      withdrawn: 4,
    });
    expect(await load(agency, feedOf(), ['--replace', '--max-withdrawn', '100'], 3)).toMatchObject({
      withdrawn: 7,
    });
  });

  test('a property whose record is rejected: stays listed', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    const feed = kyeroFeed([
      ...ten.map((id) => kyeroRecord(id)),
      kyeroRecord('p1', { price: '1' }),
    ]);
    expect(await load(agency, feed, ['--replace'], 3)).toMatchObject({ withdrawn: 0, rejected: 1 });
  });

  test('a record without id: fails', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    const feed = kyeroFeed(
      ten.map((id) => kyeroRecord(id, id === 'p1' ? { id: null, ref: null } : {})),
    );
    expect(await importError(agency, feed, ['--replace'])).toMatch(
      /^nameless_records: The record at line 15/,
    );
  });

  test('withdrawn properties and other accounts: unchanged', async () => {
    const [one, other] = [await openAgency(), await openAgency()];
    for (const agency of [one, other]) await load(agency, feedOf('a', 'b', 'c', 'd'));
    await operator.server.db
      .prepare(
        "UPDATE properties SET document = json_set(document, '$.status', 'Sold') WHERE account_id = ? AND identifier = 'a'",
      )
      .bind(one.id)
      .run();
    expect(await load(one, feedOf('b', 'c', 'd'), ['--replace'])).toMatchObject({ withdrawn: 0 });
    expect(await statuses(one)).toMatchObject({ a: 'Sold' });
    expect(Object.values(await statuses(other))).toEqual(Array(4).fill('Available'));
  });

  test('with --dry-run: reports what would be done, and changes nothing', async () => {
    const agency = await openAgency();
    await load(agency, feedOf(...ten));
    const before = await everything(agency);
    const feed = kyeroFeed([
      ...ten.slice(2).map((id) => kyeroRecord(id, id === 'p5' ? { price: '1' } : {})),
      kyeroRecord('new', { type: 'Castle' }),
    ]);
    expect(await load(agency, feed, ['--replace', '--dry-run'])).toMatchObject({
      dry_run: true,
      written: 3,
      unchanged: 7,
      withdrawn: 2,
    });
    expect(await everything(agency)).toEqual(before);
  });
});
