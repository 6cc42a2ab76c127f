import { beforeAll, describe, expect, test } from 'vitest';
import {
  createAccount,
  failureOf,
  feedStatus,
  ofItsOwn,
  operator,
  useOperator,
} from '../operator.ts';

useOperator();

interface Created {
  account: string;
  reader: string;
  key: string;
  path: string;
}

function create(name: string, ...options: string[]): Promise<Created> {
  return operator.json(['reader', 'create', name, '--account', 'readers', ...options]);
}

describe('reader', () => {
  beforeAll(async () => {
    await createAccount('READERS');
    await createAccount('OTHERS');
  });

  test('create: both feeds are 200 at the complete URLs that are shown', async () => {
    const { exit, out } = await operator.run([
      'reader',
      'create',
      'Portal',
      '--account',
      'readers',
    ]);
    expect([exit, out]).toEqual([0, expect.stringMatching(/\nkey: +lindero_\S{32}\n/)]);
    for (const [label, root] of [
      ['feed', '<resalesonline>'],
      ['kyero', '<kyero>'],
    ]) {
      const [, url] = new RegExp(`^${label}: +(\\S+)$`, 'm').exec(out) ?? [];
      const response = await fetch(url!);
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining(root!),
      ]);
    }
  });

  test('update: the feed is the new one with the same key; what is not stated stays', async () => {
    const { key, path } = await create('updated', '--preset', 'FV=3', '--fixed');
    expect((await fetch(new URL(`${path}&FV=2`, operator.server.url))).status).toBe(400);
    const update = (...options: string[]) =>
      operator.json(['reader', 'update', 'updated', '--account', 'readers', ...options]);
    const policy = {
      withhold: ['price_minimum', 'commission', 'email'],
      place: 'exact',
      kind: null,
      selection: null,
    };
    const state = { reader: 'updated', fixed: true, channel: null, ...policy };
    expect(await update('--preset', 'fv=2', '--kind', 'social_media')).toEqual({
      ...state,
      preset: 'FV=2',
      kind: 'social_media',
    });
    const user = `U=OWNPROPERTIES@READERS&P=${key}`;
    expect(await operator.feed(user)).toContain('<feed_version>2</feed_version>');
    expect(await update('--no-fixed', '--preset', '', '--kind', 'none')).toEqual({
      ...state,
      fixed: false,
      preset: '',
    });
    expect(await operator.feed(`${user}&FV=1&${ofItsOwn()}`)).toContain(
      '<feed_version>1</feed_version>',
    );
  });

  test('rotated, revoked, disabled, enabled and deleted: the feed with the old key and the new one; listed as it is', async () => {
    const { key: old } = await create('changed', '--preset', 'fv=3&t=SALE');
    const after = async (verb: string, key: string) => {
      const printed = await operator.json<Partial<Created>>([
        'reader',
        verb,
        'changed',
        '--account',
        'readers',
      ]);
      const keys = [old, printed.key ?? key];
      return {
        key: keys[1]!,
        statuses: await Promise.all(keys.map((one) => feedStatus('READERS', one))),
      };
    };
    const { key, statuses } = await after('rotate', '');
    expect(statuses).toEqual([200, 200]);
    expect((await after('revoke', key)).statuses).toEqual([401, 200]);
    expect((await after('disable', key)).statuses).toEqual([401, 401]);
    expect((await after('enable', key)).statuses).toEqual([401, 200]);
    await operator.run(['reader', 'create', 'kyero', '--account', 'others']);
    const { out } = await operator.run(['reader', 'list', '--account', 'readers']);
    expect(out).toMatch(/^changed +FV=3&T=SALE +false +none +1 .*enabled$/m);
    expect(out).not.toContain('kyero');
    expect((await after('delete', key)).statuses).toEqual([401, 401]);
  });

  test('account password --none: 401 with the password, 200 with a key', async () => {
    const password = await createAccount('KEYED');
    const { key } = await operator.json<Created>([
      'reader',
      'create',
      'portal',
      '--account',
      'keyed',
    ]);
    expect(await feedStatus('KEYED', password)).toBe(200);
    await operator.run(['account', 'password', 'keyed', '--none']);
    expect([await feedStatus('KEYED', password), await feedStatus('KEYED', key)]).toEqual([
      401, 200,
    ]);
    const input = `${key}\n`;
    expect(
      (await operator.run(['account', 'password', 'keyed', '--password-stdin'], input)).exit,
    ).toBe(2);
  });

  // What the API refuses, its own tests show.
  test.each([
    ['create with a name in use', ['create', 'portal', '--account', 'readers'], 1, 'reader_in_use'],
    [
      'update with an invalid preset',
      ['update', 'portal', '--account', 'readers', '--preset', 'FV=9'],
      2,
      'invalid_fields',
    ],
    ['update with nothing to change', ['update', 'portal', '--account', 'readers'], 2, 'usage'],
    [
      "rotate of another account's",
      ['rotate', 'portal', '--account', 'others'],
      1,
      'reader_not_found',
    ],
  ])('%s: fails', async (_, args, exit, code) => {
    expect(await failureOf(['reader', ...args])).toEqual({ exit, code });
  });
});
