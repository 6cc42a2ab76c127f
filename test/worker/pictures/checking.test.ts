import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { updateAccount } from '../../../src/accounts/accounts.ts';
import { readReportState } from '../../../src/accounts/overview.ts';
import { checkPictures, planAllChecks } from '../../../src/pictures/check.ts';
import { accountsToCheck } from '../../../src/pictures/checks.ts';
import { call } from '../../support/worker/api.ts';
import { add, jpeg, openPhotographed, type Photographed } from './pictures.ts';

const DAY = 86_400;
let own: Photographed;
let accountId: number;
let accounts = 0;
/** What is at other servers, by method and address. */
let answers: Record<string, () => Response>;
let asked: string[];

beforeEach(async () => {
  own = await openPhotographed(`CHECKS${accounts++}`);
  accountId = own.agency.accountId;
  asked = [];
  answers = {};
  await env.DB.exec('DELETE FROM host_paces');
  vi.spyOn(scheduler, 'wait').mockResolvedValue();
  vi.stubGlobal('fetch', async (url: URL, { method = 'GET' }: RequestInit = {}) => {
    const request = `${method} ${url.href}`;
    asked.push(request);
    const answer = answers[request] ?? answers[url.href];
    if (answer === undefined) throw new TypeError('The host does not exist');
    return answer();
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** An address at a host of its own, which need not wait for another one. */
function at(name: string, status?: number, headers = {}): string {
  const address = `https://${name}.${own.agency.code.toLowerCase()}.example.com/1.jpg`;
  if (status !== undefined) answers[address] = () => new Response(null, { status, headers });
  return address;
}

async function name(pictures: readonly unknown[], id = 'P1', { headers } = own): Promise<void> {
  const json = { ...headers, 'Content-Type': 'application/json' };
  const { status } = await call('PATCH', `/v1/properties/${id}`, { pictures }, json);
  expect(status).toBe(200);
}

/** What the schedule does in a day. */
async function check(bindings = env): Promise<void> {
  await planAllChecks(bindings, [accountId]);
  // Nobody waits here.
  await env.DB.exec('DELETE FROM host_paces WHERE free_at < (unixepoch() + 30) * 1000');
  await checkPictures(bindings, accountId);
}

/** Lets time pass, as far as the database knows. */
async function pass(seconds: number): Promise<void> {
  await env.DB.prepare(
    'UPDATE picture_checks SET checked_at = checked_at - ?1, failing_since = failing_since - ?1',
  )
    .bind(seconds)
    .run();
}

async function found(): Promise<[string, number][]> {
  const all = (await readReportState(env.DB, accountId)).unavailable;
  return all.map(({ address, status }) => [address, status]);
}

test('a picture is gone on three days: it is found, with its status and since when; once it is back, it is not', async () => {
  const [gone, fine] = [at('gone', 404), at('fine', 200)];
  await name([gone, fine]);
  for (let day = 0; day < 3; day++) {
    expect(await found()).toEqual([]);
    await check();
    await pass(DAY);
  }
  const [only, ...others] = (await readReportState(env.DB, accountId)).unavailable;
  expect([only?.address, only?.status, others]).toEqual([gone, 404, []]);
  expect(Math.round((Date.now() / 1_000 - only!.since) / DAY)).toBe(3);
  at('gone', 200);
  await check();
  expect(await found()).toEqual([]);
});

test('a picture that can be fetched: it is asked for once a week, and not its contents', async () => {
  const [fine, plan] = [at('fine', 200), at('plan', 200)];
  await name([fine, { url: plan, kind: 'floor_plan' }]);
  for (let day = 0; day < 8; day++) {
    await check();
    await pass(DAY);
  }
  const once = [`HEAD ${fine}`, `HEAD ${plan}`];
  expect(asked.toSorted()).toEqual([...once, ...once].toSorted());
});

test.each<[string, Record<string, number>]>([
  ['does not know HEAD', { HEAD: 405, GET: 206 }],
  ['answers HEAD as if it were missing', { HEAD: 404, GET: 200 }],
  ['has an empty file', { HEAD: 500, GET: 416 }],
  ['is asked too much', { HEAD: 429, GET: 429 }],
])('a server that %s: its picture is not found', async (_, statuses) => {
  const address = at('picky');
  for (const [method, status] of Object.entries(statuses))
    answers[`${method} ${address}`] = () => new Response(null, { status });
  await name([address]);
  for (let day = 0; day < 4; day++) {
    await check();
    await pass(7 * DAY);
  }
  expect(asked).toContain(`GET ${address}`);
  expect(await found()).toEqual([]);
});

test('a server that fails for an hour, however often it is asked: its picture is not found', async () => {
  const address = at('down');
  await name([address]);
  for (let turn = 0; turn < 12; turn++) {
    await check();
    await pass(300);
  }
  expect(asked.length).toBe(1);
  expect(await found()).toEqual([]);
});

test.each([
  ['does not answer', undefined, 0],
  ['refuses everybody', 403, 403],
  ['fails', 503, 503],
])('a server that %s on three days: its picture is found', async (_, status, expected) => {
  const address = at('bad', status);
  await name([address]);
  for (let day = 0; day < 3; day++) {
    await check();
    await pass(DAY);
  }
  expect(await found()).toEqual([[address, expected]]);
});

test('a picture that moved: what it leads to counts, and no inner address is asked', async () => {
  const moved = at('moved', 301, { Location: at('new', 200) });
  const inner = at('inner', 302, { Location: 'https://10.0.0.1/1.jpg' });
  const round = at('round', 302, { Location: at('round') });
  await name([moved, inner, round, 'https://192.168.0.1/1.jpg', 'http://plain.example.com/1.jpg']);
  for (let day = 0; day < 3; day++) {
    await check();
    await pass(7 * DAY);
  }
  expect(await found()).toEqual([[round, 302]]);
  expect(asked.filter((request) => /10\.0|192\.168|plain/.test(request))).toEqual([]);
});

test('pictures that are served from here, of a withdrawn property, or no longer named: they are not asked for', async () => {
  const left = at('left', 404);
  const here = (await add(own, 'P1', await jpeg(90, 60))).body.pictures[0].url;
  await name([left, here]);
  for (let day = 0; day < 3; day++) {
    await check();
    await pass(DAY);
  }
  expect(await found()).toEqual([[left, 404]]);
  asked = [];
  await name([here]);
  await check();
  expect([asked, await found()]).toEqual([[], []]);
  await name([left]);
  const { headers } = own;
  await call('DELETE', '/v1/properties/P1', undefined, headers);
  await check();
  expect([asked, await found()]).toEqual([[], []]);
});

test('an account that is disabled while it has a turn: nothing is asked, and it holds up no other', async () => {
  await name([at('fine', 200)]);
  await planAllChecks(env, [accountId]);
  await updateAccount(env.DB, accountId, { disabled: true });
  await checkPictures(env, accountId);
  expect([asked, await accountsToCheck(env.DB, 1_000)]).toEqual([
    [],
    expect.not.arrayContaining([accountId]),
  ]);
  await check();
  expect(asked).toEqual([]);
});

test('addresses of our own, without files: found without a request, as are those that another account has files of', async () => {
  const other = await openPhotographed(`${own.agency.code}C`);
  const { body } = await add(other, 'P1', await jpeg(90, 60));
  const [{ url }] = body.pictures;
  const typed = url.replace(other.agency.code, own.agency.code);
  await name([typed]);
  const mine = (await add(own, 'P1', await jpeg(90, 60, 7))).body.pictures[0].url;
  for (let day = 0; day < 3; day++) {
    await check();
    await pass(DAY);
  }
  expect(await found()).toEqual([[typed, 404]]);
  // A database that was restored lacks the rows of files that are there.
  await env.DB.exec('DELETE FROM pictures');
  await name([mine]);
  for (let day = 0; day < 3; day++) {
    await check();
    await pass(7 * DAY);
  }
  expect([await found(), asked]).toEqual([[], []]);
});

test('two accounts with pictures at one host: it gets one request a second', async () => {
  vi.restoreAllMocks();
  const other = await openPhotographed(`${own.agency.code}B`);
  const times: number[] = [];
  const addresses = [1, 2].map((number) => `https://shared.example.com/${number}.jpg`);
  for (const address of addresses)
    answers[address] = () => {
      times.push(Date.now());
      return new Response(null);
    };
  await name(addresses);
  await name(addresses, 'P1', other);
  const both = [accountId, other.agency.accountId];
  await planAllChecks(env, both);
  await Promise.all(both.map((id) => checkPictures(env, id)));
  const gaps = times.toSorted((a, b) => a - b).map((time, index, all) => time - all[index - 1]!);
  expect(gaps.slice(1).length).toBe(3);
  for (const gap of gaps.slice(1)) expect(gap).toBeGreaterThan(700);
});

test('a host that others have claimed for long: its pictures wait for another turn, and the others are checked', async () => {
  const [busy, free] = [at('busy', 404), at('free', 200)];
  await name([busy, free]);
  await env.DB.prepare('INSERT INTO host_paces VALUES (?, (unixepoch() + 60) * 1000)')
    .bind(new URL(busy).hostname)
    .run();
  await check();
  expect(asked).toEqual([`HEAD ${free}`]);
  expect(await accountsToCheck(env.DB, 10)).toContain(accountId);
});

test('a message that comes twice: pictures are asked for once; an account without any has no turn', async () => {
  const address = at('fine', 200);
  await name([address]);
  await planAllChecks(env, [accountId]);
  await Promise.all([checkPictures(env, accountId), checkPictures(env, accountId)]);
  expect(asked).toEqual([`HEAD ${address}`]);
  await planAllChecks(env, [accountId]);
  expect(await accountsToCheck(env.DB, 10)).not.toContain(accountId);
});
