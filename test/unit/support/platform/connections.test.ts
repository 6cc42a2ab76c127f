import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Connections } from '../../../support/platform/connections.ts';
import { namespace, platform } from './fakes.ts';

test('a seventh connection waits until one of six is closed', async () => {
  const connections = new Connections();
  const close = await Promise.all(Array.from({ length: 6 }, () => connections.open()));
  let isOpen = false;
  const seventh = connections.open().then((closeIt) => {
    isOpen = true;
    return closeIt;
  });
  await turn();
  expect(isOpen).toBe(false);
  close[3]!();
  close[3]!();
  await seventh;
  expect(connections.most).toBe(6);
});

test('reads of KV and D1 beyond six wait; each invocation has six of its own', async () => {
  let started = 0;
  const SNAPSHOTS = {
    ...namespace(),
    getWithMetadata: () => {
      started++;
      return new Promise(() => {});
    },
  } as unknown as KVNamespace;
  const { invoke } = platform({ SNAPSHOTS });
  const first = invoke();
  for (let key = 0; key < 8; key++) void first.SNAPSHOTS.get(`key ${key}`);
  await turn();
  expect(started).toBe(6);
  void invoke().SNAPSHOTS.get('key');
  await turn();
  expect(started).toBe(7);
});

test('a KV stream occupies a connection until it is read to its end or cancelled', async () => {
  const { SNAPSHOTS } = platform().invoke();
  await SNAPSHOTS.put('key', 'value');
  const open = () => SNAPSHOTS.get('key', 'stream') as Promise<ReadableStream>;
  const streams = [];
  for (let stream = 0; stream < 6; stream++) streams.push(await open());
  const next = [open(), open()];
  expect(await new Response(streams[0]).text()).toBe('value');
  await next[0];
  await streams[1]!.cancel();
  await next[1];
});

test('a failed operation releases its connection', async () => {
  const { SNAPSHOTS } = platform({
    SNAPSHOTS: { getWithMetadata: () => Promise.reject(new Error('KV is down')) } as unknown as KVNamespace,
  }).invoke();
  for (let read = 0; read < 20; read++) await expect(SNAPSHOTS.get('key')).rejects.toThrow('KV is down');
});
