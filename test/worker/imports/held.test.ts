import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { continueImport } from '../../../src/api/imports/run.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { property, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { type Agency, obtainToken, openAgency } from '../../support/accounts/units.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { call } from '../../support/worker/api.ts';

let agency: Agency;
let token: string;

beforeEach(async () => {
  agency = await openAgency('HELD', [], ['properties:read', 'properties:write']);
  await writePortfolio(env.DB, agency.accountId, [...VOCABULARY, property('P1'), property('P2')]);
  token = await obtainToken(agency);
});

function send(method: string, path: string, body?: BodyInit) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/xml' };
  return call(method, path, body, headers, withTasks().env);
}

test('GET an import that is held: the listed properties that are not in its file, until it is decided', async () => {
  const { body } = await send('POST', '/v1/imports?replace=true&max_withdrawn=20', kyeroFeed([kyeroRecord('P1')]));
  await continueImport(withTasks().env, agency.accountId);
  const { ref, town } = property('P2');
  const held = { total: 1, properties: [{ id: 'P2', ref, town }] };
  expect((await send('GET', `/v1/imports/${body.id}`)).body).toMatchObject({ state: 'held', would_withdraw: held });
  await send('POST', `/v1/imports/${body.id}/approve`);
  expect((await send('GET', `/v1/imports/${body.id}`)).body).toMatchObject({ would_withdraw: null, report: null });
});
