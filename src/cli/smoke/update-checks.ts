import { setTimeout } from 'node:timers/promises';
import type * as z from 'zod';
import { escapeXml } from '../../lib/bytes/xml.ts';
import type { unit as unitSchema } from '../../units/schemas.ts';
import { type Check, type Exchange, ensure, type Service, Skipped } from './service.ts';

function clientOf({ target: { client } }: Service) {
  if (client !== undefined) return client;
  throw new Skipped('no client was given: set LINDERO_CLIENT_ID and LINDERO_CLIENT_SECRET');
}

export const token: Check = async (service) => {
  const { id, secret } = clientOf(service);
  const request = (secret: string) =>
    service.send('/oauth/token', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
      },
      body: 'grant_type=client_credentials',
    });
  const denied = await request(`${secret}-wrong`);
  if (denied.status === 404) throw new Skipped('the service accepts the tokens of another issuer');
  ensure([401, 429].includes(denied.status), `a wrong secret gets ${denied.status}, not 401`);
  const { status, headers, body } = await request(secret);
  ensure(status !== 401, 'the client or its secret is wrong');
  ensure(status === 200, `${status}, not 200`);
  const { access_token, token_type, expires_in } = JSON.parse(body.toString());
  ensure(
    typeof access_token === 'string' && /^bearer$/i.test(token_type),
    'no bearer token in the response',
  );
  service.token = access_token;
  ensure(/\bno-store\b/.test(headers['cache-control'] ?? ''), 'Cache-Control lacks no-store');
  return `valid for ${expires_in} s; a wrong secret gets ${denied.status}`;
};

type Unit = z.output<typeof unitSchema> & { readonly path: string };

const SOLD = 4;
const MAX_DEVELOPMENTS = 5;

/** An update is applied, the feed shows it a second later, and it is undone. */
export const update: Check = async (service) => {
  clientOf(service);
  if (service.token === undefined) throw new Skipped('there is no token');
  const unit = await findUnit(service);
  if (unit === undefined) throw new Skipped('no price of a unit of this account is in its feed');
  const price = unit.UntPrice + 1;
  let status: number | undefined;
  try {
    const updated = await post(service, { ...unit, UntPrice: price });
    status = updated.status;
    ensure(status === 200, `update-by-name gets ${status}, not 200`);
    const { UntPrice }: Unit = JSON.parse(updated.body.toString());
    ensure(UntPrice === price, `update-by-name responds with the price ${UntPrice}, not ${price}`);
    await setTimeout(1_000);
    const isVisible = isShown(await readFeed(service), unit, price);
    ensure(isVisible, 'a feed requested a second after the update does not show it');
  } finally {
    // After a 5xx, or without a response, the update may have been applied.
    if (status === undefined || status < 400 || status >= 500) await restore(service, unit);
  }
  return `${unit.UntName}: in the feed a second after the update, and restored`;
};

async function findUnit(service: Service): Promise<Unit | undefined> {
  const feed = await readFeed(service);
  const developments = await list<{ development_id: string }>(service, '/v1/developments');
  for (const { development_id } of developments.slice(0, MAX_DEVELOPMENTS)) {
    const path = `/v1/developments/${encodeURIComponent(development_id)}/units`;
    const units = await list<Unit>(service, `${path}?limit=500`);
    const shown = units.find(
      (unit) => unit.UntStatus !== SOLD && isShown(feed, unit, unit.UntPrice),
    );
    if (shown !== undefined) return { ...shown, path };
  }
  return undefined;
}

async function list<Item>(service: Service, path: string): Promise<Item[]> {
  const { status, body } = await service.send(path, {
    headers: { Authorization: `Bearer ${service.token}` },
  });
  ensure(status === 200, `GET ${path} gets ${status}; the client needs the scope units:read`);
  return Object.values<Item[]>(JSON.parse(body.toString())).find(Array.isArray) ?? [];
}

/**
 * Restores an updated unit, even if the program has been interrupted, but not if someone else has
 * changed it since.
 */
async function restore(service: Service, unit: Unit): Promise<void> {
  const uninterrupted = new AbortController().signal;
  const updated = { ...unit, version: unit.version + 1 };
  const { status } = await post(service, updated, uninterrupted).catch(() => ({ status: 0 }));
  const reason =
    status === 412 ? 'it has been changed in the meantime' : `the service responds ${status}`;
  ensure(
    status === 200,
    `unit not restored: ${reason}. Before the update: ${valuesOf(unit)}, at ${unit.path}`,
  );
}

function post(service: Service, unit: Unit, signal?: AbortSignal): Promise<Exchange> {
  const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
  const message = {
    headers: { ...headers, 'If-Match': `"${unit.version}"` },
    body: valuesOf(unit),
  };
  return service.send(`${unit.path}/update-by-name`, { method: 'POST', ...message }, signal);
}

function valuesOf({ UntName, UntStatus, UntPrice, UntDirections }: Unit): string {
  return JSON.stringify({ UntName, UntStatus, UntPrice, UntDirections });
}

async function readFeed(service: Service): Promise<string> {
  return (await service.send(service.feedPath({ FV: 3, IC: 1, Language: 1 }))).body.toString();
}

function isShown(feed: string, { UntName }: Unit, price: number): boolean {
  const name = `<unit_name>${escapeXml(UntName)}</unit_name>`;
  return feed
    .split('<property>')
    .some((record) => record.includes(name) && record.includes(`<price>${price}</price>`));
}
