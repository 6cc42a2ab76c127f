import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount, failureOf, feedStatus, manifestExpiry, operator, useOperator } from './operator.ts';

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
    const { exit, out } = await operator.run(['reader', 'create', 'Portal', '--account', 'readers']);
    expect([exit, out]).toEqual([0, expect.stringMatching(/\nkey: +lindero_\S{32}\n/)]);
    for (const [label, root] of [
      ['feed', '<resalesonline>'],
      ['kyero', '<kyero>'],
    ]) {
      const [, url] = new RegExp(`^${label}: +(\\S+)$`, 'm').exec(out) ?? [];
      const response = await fetch(url!);
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(root!)]);
    }
  });

  test('create and rotate with --origin: the URLs begin with it', async () => {
    const origin = ['--origin', 'https://feeds.example.com/'];
    expect(await create('elsewhere', ...origin)).toMatchObject({
      feed: expect.stringMatching(/^https:\/\/feeds\.example\.com\/CreateXMLFeedV3\.asp\?U=OWNPROPERTIES@READERS&P=/),
      kyero: expect.stringMatching(/^https:\/\/feeds\.example\.com\/kyero\.xml\?U=OWNPROPERTIES@READERS&P=/),
    });
    const rotated = await operator.json(['reader', 'rotate', 'elsewhere', '--account', 'readers', ...origin]);
    expect(rotated).toMatchObject({ kyero: expect.stringContaining('https://feeds.example.com/kyero.xml?') });
  });

  test('create --preset --fixed: the feed with U and P is the preset, a contradiction is 400', async () => {
    const { path } = await create('preset', '--preset', 'fv=3&t=SALE', '--fixed');
    expect(await operator.feed(path.split('?')[1]!)).toContain('<feed_version>3</feed_version>');
    expect((await fetch(new URL(`${path}&T=RENT`, operator.server.url))).status).toBe(400);
  });

  test('update: the feed is the new one with the same key; what is not stated stays', async () => {
    const { key } = await create('updated', '--preset', 'FV=3', '--fixed');
    const update = (...options: string[]) =>
      operator.json(['reader', 'update', 'updated', '--account', 'readers', ...options]);
    const policy = { withhold: ['price_minimum', 'commission', 'email'], place: 'exact', kind: null };
    const state = { reader: 'updated', fixed: true, channel: null, ...policy };
    expect(await update('--preset', 'fv=2', '--kind', 'social_media')).toEqual({
      ...state,
      preset: 'FV=2',
      kind: 'social_media',
    });
    await manifestExpiry();
    const user = `U=OWNPROPERTIES@READERS&P=${key}`;
    expect(await operator.feed(user)).toContain('<feed_version>2</feed_version>');
    expect(await update('--no-fixed', '--preset', '', '--kind', 'none')).toEqual({
      ...state,
      fixed: false,
      preset: '',
    });
    await manifestExpiry();
    expect(await operator.feed(`${user}&FV=1`)).toContain('<feed_version>1</feed_version>');
  });

  test('rotate, then revoke: both keys are valid, then only the new one', async () => {
    const { key: old } = await create('rotated');
    const { key } = await operator.json<Created>(['reader', 'rotate', 'rotated', '--account', 'readers']);
    expect([await feedStatus('READERS', old), await feedStatus('READERS', key)]).toEqual([200, 200]);
    const { revoked } = await operator.json<{ revoked: number }>([
      ...['reader', 'revoke', 'rotated', '--account', 'readers'],
    ]);
    await manifestExpiry();
    expect(revoked).toBe(1);
    expect([await feedStatus('READERS', old), await feedStatus('READERS', key)]).toEqual([401, 200]);
  });

  test('rotate --old-key-days 0: the old key is 401', async () => {
    const { key } = await create('replaced');
    await operator.run(['reader', 'rotate', 'replaced', '--account', 'readers', '--old-key-days', '0']);
    expect(await feedStatus('READERS', key)).toBe(401);
  });

  test('disable and enable, then delete: 401, 200, 401', async () => {
    const { key } = await create('toggled');
    const statusAfter = async (verb: string) => {
      expect((await operator.run(['reader', verb, 'toggled', '--account', 'readers'])).exit).toBe(0);
      await manifestExpiry();
      return feedStatus('READERS', key);
    };
    expect([await statusAfter('disable'), await statusAfter('enable'), await statusAfter('delete')]).toEqual([
      401, 200, 401,
    ]);
  });

  test('list: the readers of that account only', async () => {
    await operator.run(['reader', 'create', 'kyero', '--account', 'others', '--preset', 'FV=3', '--fixed']);
    const { readers } = await operator.json<{ readers: object[] }>(['reader', 'list', '--account', 'others']);
    expect(readers).toEqual([
      expect.objectContaining({ name: 'kyero', preset: 'FV=3', fixed: true, disabled: false, keys: 1 }),
    ]);
    const { out } = await operator.run(['reader', 'list', '--account', 'others']);
    expect(out).toMatch(/^kyero +FV=3 +true +none +1 .*enabled$/m);
  });

  test('account password --none: 401 with the password, 200 with a key', async () => {
    const password = await createAccount('KEYED');
    const { key } = await operator.json<Created>(['reader', 'create', 'portal', '--account', 'keyed']);
    expect(await feedStatus('KEYED', password)).toBe(200);
    await operator.run(['account', 'password', 'keyed', '--none']);
    await manifestExpiry();
    expect([await feedStatus('KEYED', password), await feedStatus('KEYED', key)]).toEqual([401, 200]);
    const input = `${key}\n`;
    expect((await operator.run(['account', 'password', 'keyed', '--password-stdin'], input)).exit).toBe(2);
  });

  test.each([
    ['create with a name in use', ['create', 'portal', '--account', 'readers'], 1, 'reader_in_use'],
    ['create with an invalid name', ['create', 'a b', '--account', 'readers'], 2, 'usage'],
    ['create with an invalid preset', ['create', 'x', '--account', 'readers', '--preset', 'FV=9'], 2, 'usage'],
    ['create --fixed without a preset', ['create', 'x', '--account', 'readers', '--fixed'], 2, 'usage'],
    ['create for an unknown account', ['create', 'x', '--account', 'nobody'], 1, 'no_account'],
    ['update with nothing to change', ['update', 'portal', '--account', 'readers'], 2, 'usage'],
    ['update --fixed without a preset', ['update', 'portal', '--account', 'readers', '--fixed'], 2, 'usage'],
    ['update with an invalid preset', ['update', 'portal', '--account', 'readers', '--preset', 'FV=9'], 2, 'usage'],
    ['update with an unknown channel', ['update', 'portal', '--account', 'readers', '--channel', 'x'], 1, 'no_channel'],
    ["update of another account's", ['update', 'portal', '--account', 'others', '--fixed'], 1, 'no_reader'],
    ["rotate of another account's", ['rotate', 'portal', '--account', 'others'], 1, 'no_reader'],
    ["revoke of another account's", ['revoke', 'portal', '--account', 'others'], 1, 'no_reader'],
    ["disable of another account's", ['disable', 'portal', '--account', 'others'], 1, 'no_reader'],
    ["delete of another account's", ['delete', 'portal', '--account', 'others'], 1, 'no_reader'],
    ['rotate with invalid days', ['rotate', 'portal', '--account', 'readers', '--old-key-days', '1.5'], 2, 'usage'],
  ])('%s: fails', async (_, args, exit, code) => {
    expect(await failureOf(['reader', ...args])).toEqual({ exit, code });
  });
});
