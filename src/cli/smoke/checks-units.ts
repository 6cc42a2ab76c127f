import { setTimeout } from 'node:timers/promises';
import { type Check, fail, pass, type Subject, skip, type Visibility } from './check.ts';
import { feedPath, GZIP } from './feed.ts';
import { ms } from './format.ts';
import type { Exchange } from './http.ts';

const NO_CLIENT = 'no client was given: set LINDERO_CLIENT_ID and LINDERO_CLIENT_SECRET';

/** The token endpoint issues a token to the client, and to no one else. */
export const token: Check = {
  name: 'token',
  run: async (subject) => {
    const { api } = subject;
    if (api === undefined) return skip(NO_CLIENT);
    const denied = await requestToken(subject, api.id, `${api.secret}-wrong`);
    if (denied.status !== 401 && denied.status !== 429) return fail(`a wrong secret gets ${denied.status}, not 401`);
    const { status, headers, body } = await requestToken(subject, api.id, api.secret);
    if (status === 404) return skip('the service accepts the tokens of another issuer');
    if (status === 401) return fail('the client or its secret is wrong');
    if (status !== 200) return fail(`gets ${status}, not 200`);
    const { access_token, token_type, expires_in } = JSON.parse(body.toString());
    if (typeof access_token !== 'string' || !/^bearer$/i.test(token_type))
      return fail('the response has no bearer token');
    subject.seen.token = access_token;
    if (!/\bno-store\b/.test(headers['cache-control'] ?? '')) return fail('Cache-Control lacks no-store');
    return pass(`valid for ${expires_in} s; a wrong secret gets ${denied.status}`);
  },
};

function requestToken({ client }: Subject, id: string, secret: string): Promise<Exchange> {
  return client.send('/oauth/token', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
    },
    body: 'grant_type=client_credentials',
  });
}

interface Unit {
  readonly UntName: string;
  readonly UntStatus: number;
  readonly UntPrice: number;
  readonly UntDirections: unknown;
  /** From which its ETag is derived. */
  readonly version: number;
}

/** A unit whose price is in the feed, and how to address it. */
interface Candidate extends Unit {
  readonly path: string;
}

const SOLD = 4;
const MAX_CANDIDATES = 3;
const MAX_DEVELOPMENTS = 5;

/** Milliseconds after an update by which every feed shows it. */
const VISIBLE_AFTER = 1_000;

/** An update is applied, and undone again. In between, the feed is watched for the next check. */
export const update: Check = {
  name: 'update',
  run: async (subject) => {
    if (subject.api === undefined) return skip(NO_CLIENT);
    if (subject.seen.token === undefined) return skip('because of token');
    if (subject.seen.gzip === undefined) return skip('because of gzip');
    const candidates = await findCandidates(subject);
    if (typeof candidates === 'string') return candidates === '' ? skip(NO_UNIT) : fail(candidates);
    for (const candidate of candidates) {
      const result = await updateAndRestore(subject, candidate);
      if (typeof result === 'string') return fail(result);
      subject.seen.visibility = result;
      // Otherwise, it may have been another property that had the price of this unit in the feed.
      if (result.shown !== 'never') return pass(`${candidate.UntName} updated, and restored`);
    }
    return pass(`${candidates.map(({ UntName }) => UntName).join(', ')} updated, and restored`);
  },
};

const NO_UNIT = 'no price of a unit of this account is in its feed';

/** The feed shows the update a second after the response. */
export const updateInFeed: Check = {
  name: 'update in feed',
  run: async ({ seen: { visibility } }) => {
    if (visibility === undefined) return skip('no unit was updated');
    const { shown, detail } = visibility;
    return shown === 'in time' ? pass(detail) : fail(detail);
  },
};

/** Milliseconds after which the feed is no longer watched. */
const GIVE_UP_AFTER = 5_000;

/** Units that are not sold and whose price is in the feed; empty text if there are none, otherwise the error. */
async function findCandidates(subject: Subject): Promise<Candidate[] | string> {
  const feed = await readFeed(subject);
  const listed = await subject.client.send('/v1/developments', { headers: bearer(subject) });
  if (listed.status !== 200)
    return `the list of developments gets ${listed.status}; the client needs the scope units:read`;
  const found: Candidate[] = [];
  for (const { development_id } of itemsOf<{ development_id: string }>(listed).slice(0, MAX_DEVELOPMENTS)) {
    const path = `/v1/developments/${encodeURIComponent(development_id)}/units`;
    const units = await subject.client.send(`${path}?limit=500`, { headers: bearer(subject) });
    if (units.status !== 200) return `the list of units gets ${units.status}`;
    const shown = itemsOf<Unit>(units).filter(
      ({ UntStatus, UntPrice }) =>
        UntStatus !== SOLD && Number.isInteger(UntPrice) && feed.includes(priceNode(UntPrice)),
    );
    found.push(...shown.map((unit) => ({ ...unit, path })));
  }
  return found.length === 0 ? '' : found.slice(0, MAX_CANDIDATES);
}

/** The entries of a list, which is the only array in the response. */
function itemsOf<Item>({ body }: Exchange): Item[] {
  const parsed = JSON.parse(body.toString());
  return Array.isArray(parsed) ? parsed : ((Object.values(parsed).find(Array.isArray) as Item[] | undefined) ?? []);
}

/** Updates a unit, looks for the update in the feed, and restores the unit. Returns the error as text. */
async function updateAndRestore(subject: Subject, unit: Candidate): Promise<Visibility | string> {
  const before = await readFeed(subject);
  let price = unit.UntPrice + 1;
  while (before.includes(priceNode(price))) price += 1;
  let status: number | undefined;
  try {
    const updated = await post(subject, { ...unit, UntPrice: price });
    const updatedAt = performance.now();
    status = updated.status;
    if (status !== 200) return `update-by-name gets ${status}, not 200`;
    const { UntPrice }: Unit = JSON.parse(updated.body.toString());
    if (UntPrice !== price) return `update-by-name responds with the price ${UntPrice}, not ${price}`;
    const read = await subject.client.send(`${unit.path}?limit=500`, { headers: bearer(subject) });
    const stored = itemsOf<Unit>(read).find(({ UntName }) => UntName === unit.UntName);
    if (stored?.UntPrice !== price) return `the unit has the price ${stored?.UntPrice} after its update, not ${price}`;
    return await watchFeed(subject, priceNode(price), updatedAt);
  } finally {
    // After a 5xx, or without a response, the update may have been applied.
    const isRejected = status !== undefined && status >= 400 && status < 500;
    if (!isRejected) await restore(subject, { ...unit, version: unit.version + 1 });
  }
}

/** Requests the feed a second after an update, and again until it shows the update. */
async function watchFeed(subject: Subject, node: string, updatedAt: number): Promise<Visibility> {
  await setTimeout(updatedAt + VISIBLE_AFTER - performance.now());
  for (let isFirst = true; ; isFirst = false) {
    const after = performance.now() - updatedAt;
    if ((await readFeed(subject)).includes(node)) {
      return isFirst
        ? { shown: 'in time', detail: `requested ${ms(after)} after the update, the feed shows it` }
        : { shown: 'late', detail: `shown only by a feed requested ${ms(after)} after the update` };
    }
    if (after > GIVE_UP_AFTER) return { shown: 'never', detail: `not shown within ${ms(GIVE_UP_AFTER)}` };
    await setTimeout(250);
  }
}

/** Restores a unit, even if the program has been interrupted, but not if someone else has changed it since. */
async function restore(subject: Subject, unit: Candidate): Promise<void> {
  const uninterrupted = new AbortController().signal;
  const { status } = await post(subject, unit, uninterrupted).catch(() => ({ status: 0 }));
  if (status === 200) return;
  const reason = status === 412 ? 'it has been changed in the meantime' : `the service responds ${status}`;
  throw new Error(`unit not restored: ${reason}. Before the update: ${valuesOf(unit)}, at ${unit.path}`);
}

function post(subject: Subject, unit: Candidate, signal?: AbortSignal): Promise<Exchange> {
  const headers = { ...bearer(subject), 'Content-Type': 'application/json', 'If-Match': `"${unit.version}"` };
  return subject.client.send(`${unit.path}/update-by-name`, { method: 'POST', headers, body: valuesOf(unit) }, signal);
}

function valuesOf({ UntName, UntStatus, UntPrice, UntDirections }: Unit): string {
  return JSON.stringify({ UntName, UntStatus, UntPrice, UntDirections });
}

function bearer({ seen }: Subject): { Authorization: string } {
  return { Authorization: `Bearer ${seen.token}` };
}

async function readFeed(subject: Subject): Promise<Buffer> {
  return (await subject.client.send(feedPath(subject, { FV: 3, IC: 1, Language: 1 }), GZIP)).body;
}

function priceNode(price: number): string {
  return `<price>${price}</price>`;
}
