import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createAgency, DEVELOPMENT } from '../support/agency.ts';
import type { Order } from '../support/other-issuer.ts';
import { type Server, startServer } from '../support/server.ts';

const ISSUER = 'http://127.0.0.1/';
const AUDIENCE = 'units';

/** The other issuer, in a process of its own. */
class OtherIssuer {
  readonly #process: ChildProcess;

  constructor() {
    const script = join(import.meta.dirname, '../support/other-issuer.ts');
    this.#process = fork(script);
  }

  async ask(message: Order): Promise<string> {
    const reply = once(this.#process, 'message');
    this.#process.send(message);
    return (await reply)[0];
  }

  token(account: string): Promise<string> {
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'crm', agency: account, scope: 'units:write units:read' };
    return this.ask({ order: 'token', claims });
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exit;
  }
}

const running: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()));
});

/** An issuer with a key, which is not listening yet. */
async function newIssuer(): Promise<OtherIssuer> {
  const issuer = new OtherIssuer();
  running.push(() => issuer.kill());
  await issuer.ask({ order: 'rotate', keep: false });
  return issuer;
}

async function startWorker(address: string): Promise<Server> {
  const server = await startServer({
    TOKEN_ISSUER: ISSUER,
    TOKEN_AUDIENCE: AUDIENCE,
    TOKEN_JWKS_URL: address,
    TOKEN_ACCOUNT_CLAIM: 'agency',
  });
  running.push(() => server.stop());
  return server;
}

async function update(server: Server, token: string, price: number): Promise<number> {
  const response = await fetch(new URL(`/v1/developments/${DEVELOPMENT}/units/update-by-name`, server.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ UntName: 'A-1', UntStatus: 1, UntPrice: price, UntDirections: [] }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Repeats a request until its status differs: after a fetch, the Worker does not contact the issuer for some seconds. */
async function statusAfter(ask: () => Promise<number>, unwanted: number): Promise<number> {
  for (;;) {
    const status = await ask();
    if (status !== unwanted) return status;
    await pause(250);
  }
}

test('POST with tokens of another issuer, across key rotation and a restart of the issuer', async () => {
  const issuer = await newIssuer();
  const address = await issuer.ask({ order: 'listen', port: 0 });
  const server = await startWorker(address);
  const { code } = await createAgency(server.db, 'EXTERNAL', ['A-1']);

  expect((await fetch(new URL('/oauth/token', server.url), { method: 'POST' })).status).toBe(404);
  const first = await issuer.token(code);
  expect(await update(server, first, 1)).toBe(200);
  expect(await update(server, await issuer.token('NOBODY'), 2)).toBe(401);

  await issuer.ask({ order: 'rotate', keep: true });
  const second = await issuer.token(code);
  expect(await statusAfter(() => update(server, second, 3), 401)).toBe(200);
  expect(await update(server, first, 4)).toBe(200);

  await issuer.ask({ order: 'rotate', keep: true });
  const unknown = await issuer.token(code);
  await issuer.kill();
  expect(await update(server, second, 5)).toBe(200);
  expect(await statusAfter(() => update(server, unknown, 6), 401)).toBe(503);
  expect(await update(server, second, 7)).toBe(200);

  const again = await newIssuer();
  await again.ask({ order: 'listen', port: Number(new URL(address).port) });
  const fresh = await again.token(code);
  expect(await statusAfter(() => update(server, fresh, 8), 503)).toBe(200);
});

test('POST while the issuer is down from the start: 503 until it responds', async () => {
  const issuer = await newIssuer();
  const address = await issuer.ask({ order: 'listen', port: 0 });
  await issuer.kill();
  const server = await startWorker(address);
  const { code } = await createAgency(server.db, 'WAITING', ['A-1']);
  const again = await newIssuer();
  const token = await again.token(code);
  expect(await update(server, token, 1)).toBe(503);
  await again.ask({ order: 'listen', port: Number(new URL(address).port) });
  expect(await statusAfter(() => update(server, token, 2), 503)).toBe(200);
});
