import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/properties/documents.ts';
import { store } from '../../support/accounts/portfolio.ts';
import {
  type Agency,
  ask,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';

const PATH = `/v1/developments/${DEVELOPMENT}/units`;
const NAMES = ['', 'A-1', 'A-10', 'A-2', 'B', 'a', '¿100% ñ/Ж+?#&', '🏖️'];

let agency: Agency;
let headers: Record<string, string>;

beforeAll(async () => {
  agency = await openAgency('READS', NAMES);
  headers = withToken(await obtainToken(agency));
  await store(env.DB, agency.accountId, [
    parseDocument({ kind: 'development', id: 'EMPTY', name: 'Nothing yet' }),
    parseDocument({ kind: 'development', id: 'Ñ/2 %', name: 'Ñ' }),
    parseDocument({
      kind: 'unit',
      development: 'Ñ/2 %',
      name: 'A-1',
      status: 2,
      price: 0.1,
      directions: [['N'], 'S'],
    }),
  ]);
  await openAgency('READS-2', ['A-1', 'Z']);
});

function read(path: string, more: Record<string, string> = {}): Promise<Response> {
  return ask(path, { headers: { ...headers, ...more } });
}

/** The pages of a list, followed by their Link headers. */
async function pages<Entry>(path: string, member: string): Promise<Entry[][]> {
  const found: Entry[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const response = await read(next);
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
    found.push((await response.json<Record<string, Entry[]>>())[member]!);
    const link: string | null = response.headers.get('Link');
    next = link === null ? undefined : /^<(\/[^>]+)>; rel="next"$/.exec(link)![1];
  }
  return found;
}

describe('developments', () => {
  test('are those of the account, with their numbers of units', async () => {
    expect(await (await read('/v1/developments')).json()).toEqual({
      developments: [
        { development_id: 'EMPTY', name: 'Nothing yet', units: 0 },
        { development_id: DEVELOPMENT, name: 'Las Lomas', units: NAMES.length },
        { development_id: 'Ñ/2 %', name: 'Ñ', units: 1 },
      ],
    });
  });

  test.each([1, 2, 3])('come in pages of %i', async (limit) => {
    const found = await pages<{ development_id: string }>(
      `/v1/developments?limit=${limit}`,
      'developments',
    );
    expect(found.flat().map(({ development_id }) => development_id)).toEqual([
      'EMPTY',
      DEVELOPMENT,
      'Ñ/2 %',
    ]);
    expect(found.map(({ length }) => length)).toEqual(
      limit === 1 ? [1, 1, 1] : limit === 2 ? [2, 1] : [3],
    );
  });
});

describe('units of a development', () => {
  test('look as in the response to an update', async () => {
    const response = await read(`/v1/developments/${encodeURIComponent('Ñ/2 %')}/units`);
    expect(await response.json()).toEqual({
      units: [
        {
          development_id: 'Ñ/2 %',
          UntName: 'A-1',
          UntStatus: 2,
          UntPrice: 0.1,
          UntDirections: [['N'], 'S'],
          version: 1,
          changed_at: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  test.each([1, 2, 3, 7, 8, 9, 500])(
    'come in pages of %i, each once, ordered by name',
    async (limit) => {
      const found = await pages<{ UntName: string }>(`${PATH}?limit=${limit}`, 'units');
      expect(found.flat().map(({ UntName }) => UntName)).toEqual(NAMES);
      expect(found.map(({ length }) => length).slice(0, -1)).toEqual(
        Array(found.length - 1).fill(limit),
      );
      expect(found).toHaveLength(Math.ceil(NAMES.length / limit));
    },
  );

  test('of an empty development: an empty list; of an unknown one: 404', async () => {
    expect(await (await read('/v1/developments/EMPTY/units')).json()).toEqual({ units: [] });
    const response = await read('/v1/developments/NONE/units');
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { code: 'development_not_found' },
    ]);
  });

  test.each([
    'limit=0',
    'limit=501',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=',
    'cursor=*',
    'cursor=_w',
    'cursor=QQ==',
  ])('with %s: 400', async (query) => {
    for (const path of [PATH, '/v1/developments']) {
      const response = await read(`${path}?${query}`);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { code: 'bad_parameter' },
      ]);
    }
  });
});

describe('a unit', () => {
  test.each(NAMES.slice(1))('is found by its name: %s', async (name) => {
    const response = await read(`${PATH}/${encodeURIComponent(name)}`);
    expect([response.status, response.headers.get('ETag')]).toEqual([200, '"1"']);
    expect(await response.json()).toMatchObject({ UntName: name, UntPrice: 100_000, changes: [] });
  });

  test.each([
    [`${PATH}/NONE`, 'unit_not_found'],
    [`${PATH}/Z`, 'unit_not_found'],
    ['/v1/developments/NONE/units/A-1', 'development_not_found'],
  ])('that does not exist: 404: %s', async (path, code) => {
    const response = await read(path);
    expect([response.status, await response.json()]).toMatchObject([404, { code }]);
  });

  test('has its last 20 changes, newest first', async () => {
    for (let price = 1; price <= 21; price++) {
      const body = JSON.stringify({
        UntName: 'B',
        UntStatus: 1,
        UntPrice: price,
        UntDirections: [],
      });
      await ask(`${PATH}/update-by-name`, { method: 'POST', headers, body });
    }
    const response = await read(`${PATH}/B`);
    const { changes } = await response.json<{ changes: { to: { UntPrice: number } }[] }>();
    expect(changes.map(({ to }) => to.UntPrice)).toEqual(
      Array.from({ length: 20 }, (_, index) => 21 - index),
    );
  });

  test('with its ETag: 304 until it changes', async () => {
    const etag = (await read(`${PATH}/a`)).headers.get('ETag')!;
    const unchanged = await read(`${PATH}/a`, { 'If-None-Match': etag });
    expect([unchanged.status, unchanged.headers.get('ETag'), await unchanged.text()]).toEqual([
      304,
      etag,
      '',
    ]);
    const body = JSON.stringify({ UntName: 'a', UntStatus: 4, UntPrice: 1, UntDirections: [] });
    const update = await ask(`${PATH}/update-by-name`, { method: 'POST', headers, body });
    const changed = await read(`${PATH}/a`, { 'If-None-Match': etag });
    expect([changed.status, changed.headers.get('ETag')]).toEqual([
      200,
      update.headers.get('ETag'),
    ]);
  });
});
