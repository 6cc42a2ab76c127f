import { exports } from 'cloudflare:workers';
import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Agency, DEVELOPMENT, ORIGIN, openAgency } from '../../support/accounts/units.ts';

/** Sends the library's requests to the Worker. */
const network = {
  [oauth.customFetch]: (address: string, init: RequestInit) =>
    exports.default.fetch(new Request(address, init)),
} as object;

let agency: Agency;
beforeAll(async () => {
  agency = await openAgency('LIBRARY', ['A-101']);
});

describe('a client library that knows only the origin', () => {
  test.each([
    ['client_secret_basic', oauth.ClientSecretBasic],
    ['client_secret_post', oauth.ClientSecretPost],
  ])('gets a token by %s and updates a unit', async (_, authentication) => {
    const address = new URL(ORIGIN);
    const server = await oauth.processDiscoveryResponse(
      address,
      await oauth.discoveryRequest(address, { algorithm: 'oauth2', ...network }),
    );
    const client = { client_id: agency.clientId };
    const token = await oauth.processClientCredentialsResponse(
      server,
      client,
      await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authentication(agency.secret),
        { scope: 'units:write' },
        network,
      ),
    );
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'units:write' });

    const update = await oauth.protectedResourceRequest(
      token.access_token,
      'POST',
      new URL(`/v1/developments/${DEVELOPMENT}/units/update-by-name`, address),
      new Headers({ 'Content-Type': 'application/json' }),
      JSON.stringify({ UntName: 'A-101', UntStatus: 8, UntPrice: 300_000, UntDirections: ['S'] }),
      network,
    );
    expect([update.status, await update.json()]).toMatchObject([
      200,
      { UntName: 'A-101', UntStatus: 8 },
    ]);
  });
});
