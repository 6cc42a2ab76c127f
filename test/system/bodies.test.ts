import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Server, startServer } from '../support/processes/server.ts';

let server: Server;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Enough to detect a connection that is closed after one request in ten. */
const REQUESTS = 100;

test.each([
  ['an update without a token', 'POST', '/v1/developments/x/units/update-by-name', 401],
  ['a path that is not there', 'PUT', '/nothing', 404],
])(
  '%s with an error before its body is read: the connection remains usable',
  async (_, method, path, status) => {
    for (let request = 0; request < REQUESTS; request++) {
      const response = await fetch(new URL(path, server.url), { method, body: '{}' });
      await response.arrayBuffer();
      expect(response.status).toBe(status);
      await pause(1);
    }
  },
);

test('an update without a token, of whose body only the beginning arrives: 401 without the rest', async () => {
  const { hostname, port } = server.url;
  const socket = connect(Number(port), hostname);
  const head = `Host: ${hostname}\r\nContent-Length: 100000`;
  socket.write(`POST /v1/developments/x/units/update-by-name HTTP/1.1\r\n${head}\r\n\r\n{`);
  const [status] = await once(createInterface({ input: socket }), 'line');
  expect(status).toBe('HTTP/1.1 401 Unauthorized');
  socket.destroy();
});
