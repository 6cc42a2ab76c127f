import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
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
import { ask as askWith, type Use, watched } from '../../support/worker/ask.ts';

const PATH = `/v1/developments/${DEVELOPMENT}/units`;

let agency: Agency;
let token: string;
let named = 0;

beforeAll(async () => {
  agency = await openAgency('UPDATES', ['A-101', 'Ático ñ & 2º/3?%#', '']);
  token = await obtainToken(agency);
  const { accountId } = await openAgency('UPDATES-B', []);
  await store(env.DB, accountId, [
    parseDocument({ kind: 'development', id: 'THEIRS', name: 'Theirs' }),
    parseDocument({ kind: 'unit', development: 'THEIRS', name: 'A-101', status: 1, price: 1 }),
  ]);
});

/** Creates a unit for one test: available, at 100,000, without directions. */
async function newUnit(): Promise<string> {
  const name = `U-${++named}`;
  await store(env.DB, agency.accountId, [
    parseDocument({ kind: 'unit', development: DEVELOPMENT, name, status: 1, price: 100_000 }),
  ]);
  return name;
}

function update(
  body: unknown,
  headers: Record<string, string> = {},
  path = `${PATH}/update-by-name`,
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(path, { method: 'POST', headers: withToken(token, headers), body: text });
}

interface UnitResponse {
  UntName: string;
  UntStatus: number;
  UntPrice: number;
  UntDirections: unknown;
  version: number;
  changed_at: string;
  changes: { client_id: string; from: object; to: object }[];
}

async function readBack(name: string): Promise<UnitResponse> {
  const response = await ask(`${PATH}/${encodeURIComponent(name)}`, { headers: withToken(token) });
  expect(response.status).toBe(200);
  return response.json();
}

interface Problem {
  status: number;
  code: string;
  detail: string;
  errors?: { pointer: string; code: string; detail: string }[];
}

async function problem(response: Response): Promise<Problem> {
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  const document = await response.json<Problem & { type: string; title: string }>();
  expect(document).toMatchObject({
    type: expect.stringMatching(/^.problems.[a-z_]+$/),
    title: expect.any(String),
    status: response.status,
  });
  return document;
}

/** Everything that an update can change: units, history, revisions. */
async function everything(): Promise<unknown> {
  const tables = ['units', 'unit_history', 'accounts', 'properties'];
  const results = await env.DB.batch(
    tables.map((table) => env.DB.prepare(`SELECT * FROM ${table}`)),
  );
  return results.map(({ results }) => results);
}

describe('POST update-by-name: 200', () => {
  test('returns the current state of the unit', async () => {
    const name = await newUnit();
    const response = await update({
      UntName: name,
      UntStatus: 8,
      UntPrice: 250_000.5,
      UntDirections: [['N', 'SE'], 'W'],
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('ETag')).toBe('"2"');
    expect(await response.json()).toEqual({
      development_id: DEVELOPMENT,
      UntName: name,
      UntStatus: 8,
      UntPrice: 250_000.5,
      UntDirections: [['N', 'SE'], 'W'],
      version: 2,
      changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
  });

  test('from any status to any other', async () => {
    const values = { UntName: await newUnit(), UntPrice: 1, UntDirections: [] };
    for (const UntStatus of [1, 2, 1, 4, 1, 8, 2, 4, 2, 8, 4, 8, 1]) {
      expect(await (await update({ ...values, UntStatus })).json()).toMatchObject({ UntStatus });
    }
  });

  test.each([
    ['0', 0],
    ['-0', 0],
    ['-0.0', 0],
    ['0.1', 0.1],
    ['0.30000000000000004', 0.1 + 0.2],
    ['-12.5', -12.5],
    ['1e300', 1e300],
    ['9007199254740992', 2 ** 53],
    ['123456789.12345679', 123456789.12345679],
    ['5e-324', 5e-324],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['2.2250738585072014e-308', 2.2250738585072014e-308],
    ['4611686018427387904', 2 ** 62],
    ['1E2', 100],
  ])('stores the price %s exactly; again: no change', async (literal, price) => {
    const name = await newUnit();
    const given = `{"UntName":"${name}","UntStatus":1,"UntPrice":${literal},"UntDirections":[]}`;
    expect((await (await update(given)).json<UnitResponse>()).UntPrice).toBe(price);
    await update(given);
    const unit = await readBack(name);
    const values = { UntStatus: 1, UntPrice: price, UntDirections: [] };
    expect([unit.UntPrice, unit.changes.map(({ to }) => to)]).toEqual([price, [values]]);
  });

  test.each([
    [[]],
    [['N']],
    [[['N', 'S'], ['E']]],
    [['N', ['S', 'N'], [], 'W', 'N']],
    [['', ' ', 'ñ\u0301', '"\\/', '🏖️🏖️🏖️🏖️', 'x'.repeat(16), '𝒩'.repeat(16)]],
    [[Array(64).fill('N')]],
    [Array(64).fill(['N'])],
  ])('stores the directions unchanged: %j', async (UntDirections) => {
    const name = await newUnit();
    const response = await update({ UntName: name, UntStatus: 2, UntPrice: 1, UntDirections });
    expect(await response.json()).toMatchObject({ UntDirections });
    expect((await readBack(name)).UntDirections).toEqual(UntDirections);
  });

  test.each(['Ático ñ & 2º/3?%#', 'A\u0301tico n\u0303 & 2º/3?%#', ''])(
    'finds the unit by its exact name, whether in NFC or not: %j',
    async (UntName) => {
      const response = await update({
        UntName,
        UntStatus: 1,
        UntPrice: Math.random(),
        UntDirections: [],
      });
      expect(await response.json()).toMatchObject({ UntName: UntName.normalize('NFC') });
    },
  );

  test('updates the unit of the given development if another has one of the same name', async () => {
    await store(env.DB, agency.accountId, [
      parseDocument({ kind: 'development', id: 'B/2 ñ', name: 'Other' }),
      parseDocument({ kind: 'unit', development: 'B/2 ñ', name: 'A-101', status: 1, price: 1 }),
    ]);
    const body = { UntName: 'A-101', UntStatus: 4, UntPrice: 7, UntDirections: [] };
    const path = `/v1/developments/${encodeURIComponent('B/2 ñ')}/units/update-by-name`;
    expect(await (await update(body, {}, path)).json()).toMatchObject({
      development_id: 'B/2 ñ',
      UntPrice: 7,
    });
    expect((await readBack('A-101')).version).toBe(1);
  });

  test('ignores unknown members', async () => {
    const name = await newUnit();
    const body = `{"UntName":"${name}","UntStatus":1,"UntPrice":5,"UntDirections":[],"UntId":9007199254740993,"x":{}}`;
    expect((await update(body)).status).toBe(200);
  });

  test('adds one history entry: when, by which client, from what, to what', async () => {
    const name = await newUnit();
    await update({ UntName: name, UntStatus: 2, UntPrice: 0.1, UntDirections: ['N'] });
    await env.DB.prepare('UPDATE units SET changed_at = 1 WHERE name = ?').bind(name).run();
    const last = await update({
      UntName: name,
      UntStatus: 4,
      UntPrice: 1e300,
      UntDirections: [['S']],
    });
    const { version, changes, changed_at } = await readBack(name);
    expect(version).toBe(3);
    expect(await last.json()).toMatchObject({ version, changed_at });
    const [start, middle, end] = [
      { UntStatus: 1, UntPrice: 100_000, UntDirections: [] },
      { UntStatus: 2, UntPrice: 0.1, UntDirections: ['N'] },
      { UntStatus: 4, UntPrice: 1e300, UntDirections: [['S']] },
    ];
    const entry = { changed_at: expect.any(String), client_id: agency.clientId };
    expect(changes).toEqual([
      { ...entry, from: middle, to: end },
      { ...entry, from: start, to: middle },
    ]);
  });

  test('for an update that changes nothing, and nothing is written', async () => {
    const name = await newUnit();
    const body = { UntName: name, UntStatus: 2, UntPrice: 0.1, UntDirections: [['N']] };
    const first = await (await update(body)).json();
    const before = await everything();
    const again = await update(body);
    expect([again.status, await again.json()]).toEqual([200, first]);
    expect(await everything()).toEqual(before);
  });
});

describe('POST update-by-name with invalid fields: 422 with a pointer to each', () => {
  const valid = { UntName: 'A-101', UntStatus: 1, UntPrice: 1, UntDirections: [] };
  const ALL = ['/UntName', '/UntStatus', '/UntPrice', '/UntDirections'];

  test.each<[string, unknown, pointers: string[]]>([
    ['no fields', {}, ALL],
    ['fields of wrong types', { UntName: 1, UntStatus: 3, UntPrice: '1', UntDirections: {} }, ALL],
    ['null fields', { UntName: null, UntStatus: null, UntPrice: null, UntDirections: null }, ALL],
    ['an array', [], ['']],
    ['null', null, ['']],
    ['a string', '"A-101"', ['']],
    ['a name of 201 characters', { ...valid, UntName: 'ñ'.repeat(201) }, ['/UntName']],
    [
      'a lone surrogate in the name',
      '{"UntName":"\\ud800","UntStatus":1,"UntPrice":1,"UntDirections":[]}',
      ['/UntName'],
    ],
    ['status 3', { ...valid, UntStatus: 3 }, ['/UntStatus']],
    ['status 1.5', { ...valid, UntStatus: 1.5 }, ['/UntStatus']],
    ['a status that is a string', { ...valid, UntStatus: '1' }, ['/UntStatus']],
    ['a direction that is a number', { ...valid, UntDirections: ['N', 1] }, ['/UntDirections/1']],
    [
      'an array nested in a list of directions',
      { ...valid, UntDirections: [['N', ['S']]] },
      ['/UntDirections/0'],
    ],
    [
      'a code of 17 characters',
      { ...valid, UntDirections: ['N', 'x'.repeat(17)] },
      ['/UntDirections/1'],
    ],
    [
      'a lone surrogate in a code',
      '{"UntName":"A-101","UntStatus":1,"UntPrice":1,"UntDirections":[["\\udc00"]]}',
      ['/UntDirections/0/0'],
    ],
    ['a line feed in a code', { ...valid, UntDirections: ['N', ['S\n']] }, ['/UntDirections/1/0']],
    ['NUL in a code', { ...valid, UntDirections: ['\0'] }, ['/UntDirections/0']],
    [
      'DEL and a C1 control character in codes',
      { ...valid, UntDirections: ['\x7f', '\x85'] },
      ['/UntDirections/0', '/UntDirections/1'],
    ],
    [
      '65 codes',
      { ...valid, UntDirections: [Array(33).fill('N'), Array(32).fill('S')] },
      ['/UntDirections'],
    ],
    [
      '65 codes in one list',
      { ...valid, UntDirections: [Array(65).fill('N')] },
      ['/UntDirections'],
    ],
    [
      '65 codes without a list',
      { ...valid, UntDirections: Array(65).fill('N') },
      ['/UntDirections'],
    ],
    ['20,000 numbers', { ...valid, UntDirections: Array(20_000).fill(1) }, ['/UntDirections']],
    [
      '20,000 numbers in a list',
      { ...valid, UntDirections: [Array(20_000).fill(1)] },
      ['/UntDirections'],
    ],
    ['65 empty lists', { ...valid, UntDirections: Array(65).fill([]) }, ['/UntDirections']],
  ])('%s', async (_, body, pointers) => {
    const before = await everything();
    const { status, code, errors } = await problem(await update(body));
    expect([status, code]).toEqual([422, 'invalid_fields']);
    expect(errors).toEqual(
      pointers.map((pointer) => expect.objectContaining({ pointer, code: expect.any(String) })),
    );
    expect(await everything()).toEqual(before);
  });

  test.each([
    '9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '123456789.123456789',
    '272727.27272727272727272727273',
  ])('the price %s, which no double represents', async (literal) => {
    const response = await update(
      `{"UntName":"A-101","UntStatus":1,"UntPrice":${literal},"UntDirections":[]}`,
    );
    expect((await problem(response)).errors).toEqual([
      expect.objectContaining({ pointer: '/UntPrice', code: 'inexact' }),
    ]);
  });
});

describe('POST update-by-name with an unreadable body', () => {
  const good = JSON.stringify({
    UntName: 'A-101',
    UntStatus: 1,
    UntPrice: 100_000,
    UntDirections: [],
  });

  test.each([
    ['an empty body', ''],
    ['an incomplete body', good.slice(0, -1)],
    ['two values', `${good}${good}`],
    ['a form', 'UntName=A-101'],
    ['NaN', good.replace('100000', 'NaN')],
    ['Infinity', good.replace('100000', 'Infinity')],
    ['a repeated member', good.replace('{', '{"UntPrice":1,')],
    ['20,000 nested arrays', '['.repeat(20_000) + ']'.repeat(20_000)],
  ])('%s: 400 not_json', async (_, body) => {
    const { status, code } = await problem(await update(body));
    expect([status, code]).toEqual([400, 'not_json']);
  });

  test.each([
    ...[
      'text/plain',
      'application/json5',
      'application/x-www-form-urlencoded',
      'application/problem+json',
    ],
    ...['application/merge-patch+json', ''],
  ])('the content type "%s": 415', async (type) => {
    const response = await update(good, { 'Content-Type': type });
    expect((await problem(response)).code).toBe('unsupported_media_type');
    expect(response.status).toBe(415);
  });

  test('a compressed body: 415', async () => {
    expect((await update(good, { 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect((await update(good, { 'Content-Encoding': 'identity' })).status).toBe(200);
  });

  const LIMIT = 64 * 1024;
  const padded = (length: number) => good + ' '.repeat(length - good.length);

  test('64 KiB: 200; a byte more: 413', async () => {
    expect((await update(padded(LIMIT))).status).toBe(200);
    const { status, code } = await problem(await update(padded(LIMIT + 1)));
    expect([status, code]).toEqual([413, 'body_too_large']);
  });

  test('64 KiB without Content-Length: 200; a byte more, or an endless body: 413', async () => {
    const streamed = (bytes: number) => {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const chunk = new TextEncoder()
            .encode((sent === 0 ? good : '').padEnd(10_000))
            .subarray(0, bytes - sent);
          sent += chunk.length;
          if (chunk.length === 0) controller.close();
          else controller.enqueue(chunk);
        },
      });
      const responded = ask(`${PATH}/update-by-name`, {
        method: 'POST',
        headers: withToken(token),
        body,
      });
      return responded.then((response) => ({ response, sent }));
    };
    expect((await streamed(LIMIT)).response.status).toBe(200);
    const { response, sent } = await streamed(LIMIT + 1);
    expect([response.status, sent]).toEqual([413, LIMIT + 1]);
    expect((await streamed(Number.POSITIVE_INFINITY)).response.status).toBe(413);
  });
});

describe('POST update-by-name of something that does not exist: 404', () => {
  const good = { UntName: 'A-101', UntStatus: 1, UntPrice: 1, UntDirections: [] };
  test.each([
    ['an unknown unit', { ...good, UntName: 'Z' }, DEVELOPMENT, 'unit_not_found'],
    ['a name in another case', { ...good, UntName: 'a-101' }, DEVELOPMENT, 'unit_not_found'],
    ['a name followed by a space', { ...good, UntName: 'A-101 ' }, DEVELOPMENT, 'unit_not_found'],
    ['a name that ends with NUL', { ...good, UntName: 'A-101\0' }, DEVELOPMENT, 'unit_not_found'],
    ['an unknown development', good, 'NONE', 'development_not_found'],
    ['a development of another account', good, 'THEIRS', 'development_not_found'],
    ['a development in another case', good, DEVELOPMENT.toLowerCase(), 'development_not_found'],
  ])('%s', async (_, body, development, code) => {
    const response = await update(body, {}, `/v1/developments/${development}/units/update-by-name`);
    expect([response.status, (await problem(response)).code]).toEqual([404, code]);
  });
});

describe('POST update-by-name with If-Match', () => {
  test.each([
    ['the version', '"1"', 200],
    ['a list with the version', '"7", "1"', 200],
    ['any version', '*', 200],
    ['another version', '"2"', 412],
    ['the version, weakened by a proxy', 'W/"1"', 200],
    ['another version, weak', 'W/"2"', 412],
    ['the version in another notation', '"01", "0x1", "1.0", " 1"', 412],
    ['not a tag', '1', 412],
  ])('%s: %s', async (_, tags, status) => {
    const name = await newUnit();
    const body = { UntName: name, UntStatus: 2, UntPrice: 1, UntDirections: [] };
    const response = await update(body, { 'If-Match': tags });
    expect(response.status).toBe(status);
    if (status === 412) expect((await problem(response)).code).toBe('precondition_failed');
    expect((await readBack(name)).version).toBe(status === 200 ? 2 : 1);
  });

  test('repeated after it was applied: 200, and nothing is written', async () => {
    const name = await newUnit();
    const body = { UntName: name, UntStatus: 2, UntPrice: 0.5, UntDirections: [['N'], 'SW'] };
    for (let time = 0; time < 2; time++) {
      const response = await update(body, { 'If-Match': '"1"' });
      expect([response.status, response.headers.get('ETag')]).toEqual([200, '"2"']);
    }
    for (const other of [{ UntStatus: 1 }, { UntPrice: 1 }, { UntDirections: [['N']] }]) {
      expect((await update({ ...body, ...other }, { 'If-Match': '"1"' })).status).toBe(412);
    }
    expect((await readBack(name)).changes).toHaveLength(1);
  });

  test('from ten concurrent writers with the same version: one 200, nine 412', async () => {
    const name = await newUnit();
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const body = { UntName: name, UntStatus: 1, UntPrice: index, UntDirections: [] };
        return (await update(body, { 'If-Match': '"1"' })).status;
      }),
    );
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(412)]);
    expect((await readBack(name)).changes).toHaveLength(1);
  });
});

describe('POST update-by-name while D1 fails', () => {
  const fail = ({ what }: Use) => {
    if (/^(batch|insert)/i.test(what)) throw new Error('D1_ERROR: Network connection lost.');
  };
  const failing = { before: watched(fail), after: watched(() => {}, fail) };

  function updateWith(bindings: Env, body: unknown) {
    const init = { method: 'POST', headers: withToken(token), body: JSON.stringify(body) };
    return askWith(`${PATH}/update-by-name`, init, bindings);
  }

  test.each(['before', 'after'] as const)(
    '%s the commit: 503, and repeating it: 200',
    async (when) => {
      const name = await newUnit();
      const body = { UntName: name, UntStatus: 4, UntPrice: 3, UntDirections: ['S'] };
      const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
      const { status, headers, text } = await updateWith(failing[when], body);
      expect(errors.mock.calls.flat().join()).toContain('Network connection lost');
      errors.mockRestore();
      expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
      expect(JSON.parse(text)).toMatchObject({ code: 'unavailable', status: 503 });
      expect(text).not.toContain('D1');
      expect((await readBack(name)).version).toBe(when === 'before' ? 1 : 2);
      expect((await updateWith(env, body)).status).toBe(200);
      const unit = await readBack(name);
      expect([unit.version, unit.UntStatus, unit.changes.length]).toEqual([2, 4, 1]);
    },
  );

  test('within the transaction: 503, and nothing is written', async () => {
    const name = await newUnit();
    await env.DB.exec(
      `CREATE TRIGGER fault BEFORE UPDATE ON units WHEN NEW.price = 666 BEGIN SELECT RAISE(ABORT, 'fault'); END`,
    );
    const before = await everything();
    const response = await update({
      UntName: name,
      UntStatus: 4,
      UntPrice: 666,
      UntDirections: [],
    });
    await env.DB.exec('DROP TRIGGER fault');
    expect(response.status).toBe(503);
    expect(await everything()).toEqual(before);
  });
});
