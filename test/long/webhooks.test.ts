import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateSigningKey } from '../../src/oauth/own-keys.ts';
import { type Agency, createAgency, DEVELOPMENT } from '../support/accounts/agency.ts';
import { type Listening, listen } from '../support/network/listen.ts';
import { freePort } from '../support/processes/inspector.ts';
import { type Operator, startOperator } from '../support/processes/operator.ts';
import { isInstalled } from '../support/processes/programs.ts';

const SRC = join(import.meta.dirname, '../../src');
const MODULES = join(import.meta.dirname, '../../node_modules');

/** The status of a unit that no feed shows. */
const SOLD = 4;

let operator: Operator;
let receiver: Receiver;
let agencies = 0;
let agency: Agency;

beforeAll(async () => {
  const SIGNING_KEYS = JSON.stringify({ keys: [await generateSigningKey()] });
  operator = await startOperator({ SIGNING_KEYS, LOCAL_ADDRESSES: 'allowed' });
  receiver = await startReceiver();
});

afterAll(async () => {
  await operator.stop();
  await receiver.stop();
});

async function openAgency(): Promise<Agency> {
  agency = await createAgency(operator.server.db, `COSTA${++agencies}`, ['A-1', 'A-2']);
  return agency;
}

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Receiver extends Listening {
  readonly received: Received[];
}

/** What a receiver does with the first call of a path; it confirms all later ones. */
const FIRST_CALL: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/confirms': confirm,
  '/fails': (response) => response.writeHead(500).end('no'),
  '/hangs-up': (response) => response.destroy(),
  '/never-answers': () => {},
  '/answers-nonsense': (response) => response.socket!.end('HELO\r\n\r\n'),
  '/redirects': (response) => response.writeHead(307, { Location: '/confirms' }).end(),
  // The status has arrived, and with it the confirmation.
  '/lies-about-length': (response) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write('ok', () => response.destroy());
  },
  '/never-ends': (response) => {
    response.writeHead(202);
    response.write('x'.repeat(1_100));
  },
};

function confirm(response: ServerResponse): void {
  response.writeHead(204).end();
}

async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = await listen(async (request, response) => {
    const { url: path = '', headers } = request;
    const isFirst = !received.some((one) => one.path === path);
    received.push({ path, headers, body: await text(request) });
    (isFirst ? FIRST_CALL[path]! : confirm)(response);
  });
  return { ...server, received };
}

async function updateUnit(price: number, UntName = 'A-1', UntStatus = 1): Promise<void> {
  const token = await fetch(new URL('/oauth/token', operator.server.url), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: agency.clientId,
      client_secret: agency.secret,
    }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const path = `/v1/developments/${DEVELOPMENT}/units/update-by-name`;
  const response = await fetch(new URL(path, operator.server.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ UntName, UntStatus, UntPrice: price, UntDirections: ['N'] }),
  });
  expect(response.status).toBe(200);
}

interface Shown {
  secret: string;
  enabled: boolean;
  confirmed_number: number;
  number: number;
  attempts: { status: number | null; error: string | null }[];
}

function webhook(...args: string[]): Promise<Shown> {
  return operator.json<Shown>(['webhook', ...args, '--account', agency.code]);
}

describe('lindero webhook', () => {
  test('put, list, test, rotate, replay, delete: what each does', async () => {
    await openAgency();
    const url = `${receiver.origin}/confirms`;
    const { secret } = await webhook('put', 'crm', '--address', url, '--event', 'unit.changed');
    expect(await webhook('list')).toMatchObject({
      webhooks: [{ name: 'crm', url, events: ['unit.changed'] }],
    });
    expect(await webhook('test', 'crm')).toMatchObject({ status: 204, error: null });
    const { headers, body } = receiver.received.at(-1)!;
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'ping',
    });
    expect((await webhook('rotate', 'crm')).secret).not.toBe(secret);
    expect(await webhook('replay', 'crm', '--from', '1')).toMatchObject({ confirmed_number: 0 });
    expect(await webhook('show', 'crm')).toMatchObject({
      name: 'crm',
      attempts: expect.any(Array),
    });
    expect(await webhook('delete', 'crm')).toEqual({ webhook: 'crm', deleted: true });
    expect(
      (await operator.run(['webhook', 'show', 'crm', '--account', agency.code])).err,
    ).toContain('no webhook "crm"');
  });

  test.each([[['--address', 'ftp://x'], 'invalid_fields']])('put %j: %s', async (options, code) => {
    await openAgency();
    const args = ['webhook', 'put', 'crm', '--account', agency.code, ...options];
    expect(await operator.json(args, '', 2)).toMatchObject({ error: { code } });
  });
});

test('receivers that fail, hang up, are slow, redirect, answer nonsense or lie about the length: each has every change, in order', async () => {
  await openAgency();
  const paths = Object.keys(FIRST_CALL);
  receiver.received.length = 0;
  const secrets = new Map<string, string>();
  for (const path of paths) {
    secrets.set(
      path,
      (await webhook('put', path.slice(1), '--address', receiver.origin + path)).secret,
    );
  }
  await updateUnit(2);
  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(paths.length);
  await updateUnit(3);
  await updateUnit(4, 'A-2');
  const states = async () => (await webhook('list')) as unknown as { webhooks: Shown[] };
  const isDone = async () =>
    (await states()).webhooks.every(({ number, confirmed_number }) => number === confirmed_number);
  await expect.poll(isDone, { interval: 1_000 }).toBe(true);
  for (const path of paths) {
    const calls = receiver.received.filter((call) => call.path === path);
    const last = new Map<string, number>();
    let confirmed = 0;
    for (const { headers, body } of calls) {
      const message = new Webhook(secrets.get(path)!).verify(
        body,
        headers as Record<string, string>,
      );
      const { events } = (
        message as { data: { events: { type: string; id: string; number: number }[] } }
      ).data;
      const numbers = events.map(({ number }) => number);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(numbers.at(-1)).toBeGreaterThanOrEqual(confirmed);
      confirmed = numbers.at(-1)!;
      for (const { type, id, number } of events) last.set(`${type} ${id}`, number);
    }
    expect([path, [...last.keys()].toSorted()]).toEqual([
      path,
      ['property.changed P1', 'property.changed P2', 'unit.changed A-1', 'unit.changed A-2'],
    ]);
  }
  const attempts = async (name: string) => (await webhook('show', name)).attempts.at(-1);
  expect(await attempts('never-answers')).toMatchObject({
    status: null,
    error: expect.stringContaining('10 seconds'),
  });
  expect(await attempts('hangs-up')).toMatchObject({
    status: null,
    error: 'The connection failed.',
  });
  expect(await attempts('redirects')).toMatchObject({ status: 307 });
  expect(await attempts('lies-about-length')).toMatchObject({ status: 200, response: 'ok' });
  expect(await attempts('never-ends')).toMatchObject({ status: 202 });
});

/** The code of a README in a language. */
async function documented(folder: string, language: string): Promise<string> {
  const readme = await readFile(join(SRC, folder, 'README.md'), 'utf8');
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(readme)![1]!;
}

describe('the programs of the documentation, as written', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill();
  });

  /** Runs a program, and collects the lines that it prints. */
  async function start(name: string, code: string, env: Record<string, string>): Promise<string[]> {
    const child = spawn(process.execPath, [await operator.file(name, code)], {
      env: { ...process.env, ...env },
    });
    children.push(child);
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => void lines.push(line));
    return lines;
  }

  async function following(): Promise<Record<string, string>> {
    await openAgency();
    const { key } = await operator.json<{ key: string }>([
      'reader',
      'create',
      'follower',
      '--account',
      agency.code,
    ]);
    return { ORIGIN: operator.server.url.origin, ACCOUNT: agency.code, KEY: key };
  }

  test('following in Node: prints the first load, then each change', async () => {
    const lines = await start('follow.mjs', await documented('changes', 'js'), await following());
    await expect.poll(() => lines).toEqual(['changed P1', 'changed P2']);
    await updateUnit(5);
    await expect.poll(() => lines.slice(2)).toEqual(['changed P1']);
    await updateUnit(5, 'A-2', SOLD);
    await expect.poll(() => lines.slice(3)).toEqual(['removed P2']);
    await operator.server.db.prepare('UPDATE time_line SET incarnation = incarnation + 1').run();
    await updateUnit(6);
    await expect.poll(() => lines.slice(4)).toContain('changed P1');
  });

  test.skipIf(!isInstalled('php'))(
    'following in PHP: the file has what is listed, after each run',
    async () => {
      const FILE = join(operator.directory, 'properties.json');
      const env = { ...process.env, ...(await following()), FILE };
      const program = await operator.file('follow.php', await documented('changes', 'php'));
      const run = async () => {
        execFileSync('php', [program], { env });
        return JSON.parse(await readFile(FILE, 'utf8')).properties;
      };
      expect(Object.keys(await run())).toEqual(['P1', 'P2']);
      await updateUnit(7);
      const { offers, texts } = (await run()).P1;
      // An object without members stays one.
      expect([offers.sale.price, Array.isArray(texts)]).toEqual([7, false]);
      await updateUnit(7, 'A-2', SOLD);
      expect(Object.keys(await run())).toEqual(['P1']);
      await operator.server.db.prepare('UPDATE time_line SET incarnation = incarnation + 1').run();
      expect(Object.keys(await run())).toEqual(['P1']);
      await writeFile(FILE, JSON.stringify({ after: 'invalid', properties: {} }));
      const failed = spawnSync('php', [program], { env });
      expect(failed.status).toBe(1);
      expect(failed.stderr.toString()).toContain('No changes: after must be');
    },
  );

  test('receiving calls in Node: what a unit update sends', async () => {
    await openAgency();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { secret } = await webhook('put', 'crm', '--address', url);
    const code = (await documented('changes/webhooks', 'js')).replace(
      "'standardwebhooks'",
      `'${MODULES}/standardwebhooks/dist/index.js'`,
    );
    const lines = await start('receive.mjs', code, { SECRET: secret, PORT: String(port) });
    await expect
      .poll(() =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(401);
    await updateUnit(8);
    await expect
      .poll(() => lines.find((line) => line.startsWith('events')))
      .toContain('"id":"A-1"');
  });
});
