import { describe, expect, test } from 'vitest';
import { takeViolations } from '../../../support/platform/violation.ts';
import { expectViolations, platform } from './fakes.ts';

expectViolations();

describe('limits of KV', () => {
  test.each<[string, string, string, KVNamespacePutOptions]>([
    ['a key of 513 bytes', 'ñ'.repeat(256).concat('x'), 'x', {}],
    ['an empty key', '', 'x', {}],
    ['a value of more than 25 MiB', 'key', 'x'.repeat(25 * 1024 * 1024 + 1), {}],
    ['metadata of more than 1,024 bytes', 'key', 'x', { metadata: 'x'.repeat(1_023) }],
    ['an expiry in less than 60 s', 'key', 'x', { expirationTtl: 59 }],
    ['a time of expiry in less than 60 s', 'key', 'x', { expiration: 1_059 }],
  ])('%s: a violation', async (_, key, value, options) => {
    await expect(platform().invoke().SNAPSHOTS.put(key, value, options)).rejects.toThrow();
    expect(takeViolations()).toHaveLength(1);
  });

  test('what is just within them is written', async () => {
    const { SNAPSHOTS } = platform().invoke();
    await SNAPSHOTS.put('ñ'.repeat(256), 'x'.repeat(25 * 1024 * 1024), { metadata: 'x'.repeat(1_022) });
    await SNAPSHOTS.put('key', 'x', { expirationTtl: 60 });
  });

  test('a cacheTtl of 29 s: a violation; of 30 s: none', async () => {
    const { SNAPSHOTS } = platform().invoke();
    expect(await SNAPSHOTS.get('key', { cacheTtl: 30 })).toBeNull();
    await expect(SNAPSHOTS.get('key', { cacheTtl: 29 })).rejects.toThrow('cacheTtl of 29 s');
  });
});

describe('writes to one key', () => {
  test('a second one within a second: 429, which is no violation, since any Worker may meet it', async () => {
    const { invoke, pass, network } = platform();
    await invoke().SNAPSHOTS.put('key', 'x');
    pass(999);
    await expect(invoke().SNAPSHOTS.put('key', 'x')).rejects.toThrow('429');
    await expect(invoke(network.location()).SNAPSHOTS.put('key', 'x')).rejects.toThrow('429');
    await invoke().SNAPSHOTS.put('another key', 'x');
    pass(1);
    await invoke().SNAPSHOTS.put('key', 'x');
    expect(takeViolations()).toEqual([]);
  });
});

describe('what a location sees', () => {
  test('its own writes at once, also after a miss', async () => {
    const { SNAPSHOTS } = platform().invoke();
    expect(await SNAPSHOTS.get('key', 'arrayBuffer')).toBeNull();
    await SNAPSHOTS.put('key', 'x');
    expect(await SNAPSHOTS.get('key', 'arrayBuffer')).not.toBeNull();
  });

  test('writes and deletions made elsewhere a minute later', async () => {
    const { invoke, network, pass } = platform();
    const there = network.location();
    await invoke(there).SNAPSHOTS.put('key', 'first');
    expect(await invoke().SNAPSHOTS.get('key')).toBeNull();
    pass(60_000);
    expect(await invoke().SNAPSHOTS.get('key', 'arrayBuffer')).not.toBeNull();
    await invoke(there).SNAPSHOTS.put('key', 'second');
    expect(await invoke().SNAPSHOTS.get('key')).toBe('first');
    pass(60_000);
    await invoke(there).SNAPSHOTS.delete('key');
    expect(await invoke(there).SNAPSHOTS.get('key')).toBeNull();
    expect(await invoke().SNAPSHOTS.get('key', 'arrayBuffer')).not.toBeNull();
    pass(60_000);
    expect(await invoke().SNAPSHOTS.get('key')).toBeNull();
  });

  test('a miss for a minute, whatever is written elsewhere meanwhile', async () => {
    const { invoke, network, pass } = platform();
    await invoke(network.location()).SNAPSHOTS.put('key', 'x');
    pass(59_999);
    expect(await invoke().SNAPSHOTS.get('key')).toBeNull();
    pass(59_999);
    expect(await invoke().SNAPSHOTS.get('key')).toBeNull();
    pass(60_000);
    expect(await invoke().SNAPSHOTS.get('key', 'arrayBuffer')).not.toBeNull();
  });
});
