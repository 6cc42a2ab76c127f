import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { generateSigningKey } from '../../src/oauth/own-keys.ts';
import { newReader } from '../../src/readers/api/reader.ts';
import { listDeliveries } from '../../src/readers/deliveries.ts';
import { createReader } from '../../src/readers/readers.ts';
import { type Agency, createAgency, DEVELOPMENT } from '../support/accounts/agency.ts';
import { parseXml } from '../support/documents/xml.ts';
import { findErrors, findFeedErrors } from '../support/documents/xsd.ts';
import { workerdAt } from '../support/processes/memory.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { Random } from '../support/random.ts';

/** How often workerd is killed; more often in `npm run test:kill`. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 4);

/** Fixed in a run of all tests; random in `npm run test:kill`. The test's name states it. */
const SEED = Number(process.env.KILL_SEED ?? 1);
const random = new Random(SEED);

const UNITS = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6'];
const UNITS_PATH = `/v1/developments/${DEVELOPMENT}/units`;

/** No feed shows a sold unit. */
const SOLD = 4;

interface Values {
  readonly status: number;
  readonly price: number;
  readonly directions: string;
}

/** What the reader has seen: requests begun, and the bytes of the responses that have begun. */
interface Read {
  begun: number;
  readonly bytes: Set<number>;
  /** Rounds after which the ledger has a last delivery that the reader has not seen. */
  unseen: number;
}

interface Acknowledged extends Values {
  readonly unit: string;
  readonly version: number;
}

test(`workerd killed ${ROUNDS} times during updates: every update with a 200 is stored, none is partly stored, the next feed shows them, and the ledger states no delivery that was not (seed ${SEED})`, {
  timeout: 0,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lindero-kill-'));
  const settings = {
    SIGNING_KEYS: JSON.stringify({ keys: [await generateSigningKey()] }),
    UNIT_HISTORY_ENTRIES: '1000000',
  };
  let server = await startServer(settings, folder);
  try {
    const agency = await createAgency(server.db, 'KILLED', UNITS);
    const revision = await readRevision(server, agency);
    const key = await openReader(server, agency);
    const read: Read = { begun: 0, bytes: new Set(), unseen: 0 };
    /** By price; each price is sent once. */
    const sent = new Map<number, Values>();
    const acknowledged: Acknowledged[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      await untilKilled(server, agency, key, sent, acknowledged, read);
      await server.stop();
      server = await startServer(settings, folder);
      await expectConsistent(server, agency, revision, sent, acknowledged, `after round ${round}`);
      await expectDelivered(server, agency, read, `after round ${round}`);
    }
    expect(read.bytes.size).toBeGreaterThan(0);
    expect(read.unseen).toBeLessThanOrEqual(ROUNDS / 2);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});

/** Updates and reads concurrently until workerd, killed at a random moment, no longer responds. */
async function untilKilled(
  server: Server,
  agency: Agency,
  key: string,
  sent: Map<number, Values>,
  acknowledged: Acknowledged[],
  read: Read,
): Promise<void> {
  const token = await obtainToken(server, agency);
  let began = () => {};
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const writers = UNITS.map(async (unit) => {
    for (;;) {
      const values = {
        status: random.pick([1, 2, SOLD, 8]),
        price: sent.size + 1,
        directions: random.pick(['[]', '["N"]', '[["S","E"]]']),
      };
      sent.set(values.price, values);
      const version = await update(server, token, unit, values);
      if (version === undefined) return;
      acknowledged.push({ ...values, unit, version });
      began();
    }
  });
  const reader = async () => {
    while ((await readFeed(server, agency, key, read)) !== undefined);
  };
  const reading = reader();
  await begun;
  await pause(random.next() * 150);
  process.kill(workerdAt(server.url), 'SIGKILL');
  await Promise.all([...writers, reading]);
}

/** Checks that the database and the feed are consistent. */
async function expectConsistent(
  server: Server,
  agency: Agency,
  revisionBefore: number,
  sent: ReadonlyMap<number, Values>,
  acknowledged: readonly Acknowledged[],
  when: string,
): Promise<void> {
  const units = await readUnits(server, agency);
  const histories = new Map(
    await Promise.all(
      UNITS.map(async (unit) => [unit, await readHistory(server, agency, unit)] as const),
    ),
  );
  for (const { unit, version, ...values } of acknowledged) {
    expect(histories.get(unit)![version - 2]?.to, `${unit} ${when}`).toEqual(values);
  }
  for (const [unit, history] of histories) {
    const start = { status: 1, price: 100_000, directions: '[]' };
    const states = [start, ...history.map(({ to }) => to)];
    expect(
      history.map(({ from }) => from),
      `${unit} ${when}`,
    ).toEqual(states.slice(0, -1));
    expect(
      history.map(({ to }) => to),
      `${unit} ${when}`,
    ).toEqual(history.map(({ to }) => sent.get(to.price)));
    expect(units.get(unit), `${unit} ${when}`).toEqual({
      ...states.at(-1),
      version: states.length,
    });
  }
  const changes = [...histories.values()].flat();
  expect(await readRevision(server, agency), when).toBe(revisionBefore + changes.length);

  const xml = (await readFeed(server, agency))!;
  expect(findErrors(xml, 'feed-v3.xsd'), when).toEqual([]);
  const records = parseXml(xml).all('property');
  const shown = new Map(
    records.map((record) => [record.textOf('unit_name')!, Number(record.textOf('price'))]),
  );
  const listed = [...units].filter(([, { status }]) => status !== SOLD);
  expect([...shown].sort(), when).toEqual(listed.map(([unit, { price }]) => [unit, price]).sort());
}

async function obtainToken(server: Server, { clientId, secret }: Agency): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  });
  const response = await fetch(new URL('/oauth/token', server.url), { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** The version in a 200; `undefined` if workerd has been killed. */
async function update(
  server: Server,
  token: string,
  unit: string,
  values: Values,
): Promise<number | undefined> {
  const { status: UntStatus, price: UntPrice, directions } = values;
  try {
    const response = await fetch(new URL(`${UNITS_PATH}/update-by-name`, server.url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        UntName: unit,
        UntStatus,
        UntPrice,
        UntDirections: JSON.parse(directions),
      }),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { version: number }).version;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The feed; `undefined` if workerd has been killed. */
async function readFeed(
  server: Server,
  { code }: Agency,
  password = 'demo',
  read: Read = { begun: 0, bytes: new Set(), unseen: 0 },
): Promise<string | undefined> {
  try {
    const query = new URLSearchParams({ U: `OWNPROPERTIES@${code}`, P: password, FV: '3' });
    read.begun++;
    const headers = { 'Accept-Encoding': 'identity' };
    const response = await fetch(new URL(`/CreateXMLFeedV3.asp?${query}`, server.url), { headers });
    expect(response.status).toBe(200);
    read.bytes.add(Number(response.headers.get('Content-Length')));
    const feed = await response.text();
    expect(findFeedErrors(feed)).toEqual([]);
    return feed;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Creates a reader, and returns its key. */
async function openReader({ db }: Server, { accountId }: Agency): Promise<string> {
  const created = newReader({
    accountId,
    name: 'portal',
    preset: '',
    fixed: false,
    channelId: null,
  });
  if ('errors' in created) throw new Error(JSON.stringify(created.errors));
  await createReader(db, created.reader);
  return created.key;
}

/** Checks that the ledger states only what the reader can have received, and no later state than the database has. */
async function expectDelivered(
  server: Server,
  agency: Agency,
  read: Read,
  when: string,
): Promise<void> {
  const revision = await readRevision(server, agency);
  for (const { delivery, days } of await listDeliveries(server.db, agency.accountId)) {
    if (delivery === null) continue;
    // What the runtime had taken when it was killed may not have reached the reader.
    if (!read.bytes.has(delivery.bytes)) read.unseen++;
    expect(delivery.revision, when).toBeLessThanOrEqual(revision);
    const complete = Object.values(days).reduce((sum, [full]) => sum + full, 0);
    expect(complete, when).toBeLessThanOrEqual(read.begun);
  }
}

async function readUnits(
  { db }: Server,
  { accountId }: Agency,
): Promise<Map<string, Values & { version: number }>> {
  const { results } = await db
    .prepare('SELECT name, status, price, directions, version FROM units WHERE account_id = ?')
    .bind(accountId)
    .all<Values & { name: string; version: number }>();
  return new Map(results.map(({ name, ...unit }) => [name, unit]));
}

async function readHistory(
  { db }: Server,
  { accountId }: Agency,
  unit: string,
): Promise<{ from: Values; to: Values }[]> {
  const { results } = await db
    .prepare(
      `SELECT h.* FROM unit_history h JOIN units u ON u.id = h.unit_id
        WHERE h.account_id = ? AND u.name = ? ORDER BY h.version`,
    )
    .bind(accountId, unit)
    .all<Record<string, never>>();
  return results.map((row) => ({
    from: { status: row.from_status!, price: row.from_price!, directions: row.from_directions! },
    to: { status: row.to_status!, price: row.to_price!, directions: row.to_directions! },
  }));
}

async function readRevision({ db }: Server, { accountId }: Agency): Promise<number> {
  const revision = await db
    .prepare('SELECT changes FROM accounts WHERE id = ?')
    .bind(accountId)
    .first<number>('changes');
  return revision!;
}
