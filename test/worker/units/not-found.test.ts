import { beforeAll, expect, test } from 'vitest';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';

const PATH = `/v1/developments/${DEVELOPMENT}/units`;
const VALUES = { UntStatus: 1, UntPrice: 1, UntDirections: [] };

let agency: Agency;
let headers: Record<string, string>;

beforeAll(async () => {
  const scopes = ['units:read', 'units:write', 'properties:write'];
  agency = await openAgency('SIMILAR', ['A-101', 'Ático'], scopes);
  headers = withToken(await obtainToken(agency));
});

const send = (method: string, path: string, body?: unknown) => call(method, path, body, headers);

test('a unit that does not exist: 404 with the names that are like it, wherever it is named', async () => {
  const expected = { status: 404, body: { code: 'unit_not_found', similar: ['A-101'] } };
  const update = { UntName: 'a 101', ...VALUES };
  expect(await send('POST', `${PATH}/update-by-name`, update)).toMatchObject(expected);
  expect(await send('GET', `${PATH}/a101`)).toMatchObject(expected);
  expect(await send('DELETE', `${PATH}/a101`)).toMatchObject(expected);
  const many = await send('POST', `${PATH}/update-many`, [update, { ...update, UntName: 'atico' }]);
  expect(many.body.results).toMatchObject([{ similar: ['A-101'] }, { similar: ['Ático'] }]);
});

test('a unit that nothing is like, or of a development that does not exist: 404 without names', async () => {
  const update = { UntName: 'Garage', ...VALUES };
  expect((await send('POST', `${PATH}/update-by-name`, update)).body.similar).toBeUndefined();
  const elsewhere = await send('POST', '/v1/developments/x/units/update-by-name', update);
  expect(elsewhere.body).not.toHaveProperty('similar');
});
