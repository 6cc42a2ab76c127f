import { expect, test } from 'vitest';
import { takeViolations } from '../../../support/platform/violation.ts';
import { expectViolations, platform } from './fakes.ts';

expectViolations();

test('a request uses its own bindings, promises and streams', async () => {
  const { invocation, DB, SNAPSHOTS } = platform().invoke();
  await invocation.run(async () => {
    await DB.prepare('SELECT 1').all();
    await SNAPSHOTS.put('key', 'value');
    const [stream] = await Promise.all([SNAPSHOTS.get('key', 'stream'), Promise.race([SNAPSHOTS.get('key')])]);
    expect(await new Response(stream).text()).toBe('value');
  });
  expect(takeViolations()).toEqual([]);
});

test('a request that uses the binding of another: a violation', async () => {
  const { invoke } = platform();
  const [one, other] = [invoke(), invoke()];
  await expect(other.invocation.run(() => one.DB.prepare('SELECT 1').all())).rejects.toThrow('of one request is used');
});

test('a request that awaits the promise of another: a violation', async () => {
  const { invoke } = platform();
  const [one, other] = [invoke(), invoke()];
  const promise = one.invocation.run(() => one.DB.prepare('SELECT 1').all());
  await expect(other.invocation.run(async () => await promise)).rejects.toThrow('of one request is used by another');
  await promise;
});

test('a request that reads the stream of another: a violation', async () => {
  const { invoke } = platform();
  const [one, other] = [invoke(), invoke()];
  await one.SNAPSHOTS.put('key', 'value');
  const stream = await one.invocation.run(async () => one.SNAPSHOTS.get('key', 'stream'));
  await expect(other.invocation.run(() => stream!.getReader().read())).rejects.toThrow('A KV stream of one request');
});
