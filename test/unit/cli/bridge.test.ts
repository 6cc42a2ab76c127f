import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { connectBridge } from '../../../src/cli/bridge.ts';

test('an idle connection is closed here, since a call that met the end of it at the other side would fail', async () => {
  let open = 0;
  const server = createServer((_, response) => response.end('null'));
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    open++;
    socket.on('close', () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    await connectBridge(new URL(`http://127.0.0.1:${port}`), 'token').list();
    expect(open).toBe(1);
    await expect.poll(() => open).toBe(0);
  } finally {
    server.close();
  }
});
