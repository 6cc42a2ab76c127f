import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createAgency } from '../../support/accounts/agency.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { page, send, signIn, textOf } from './visitor.ts';

const CODE = `ilc${'a'.repeat(40)}`;
const SOURCE = {
  name: 'crm',
  url: 'https://crm.example/feed.xml',
  every: 'day',
  time: '03:30',
  maxWithdrawn: '20',
};

const { accountId } = await createAgency(env.DB, 'SHARED', ['A-1']);
const cookie = await signIn('SHARED');
await openReader(accountId, 'portal');
await send('/imports/source', SOURCE, cookie);
await send('/settings/client', { id: 'crm', scope: 'units:write' }, cookie);

const versionIn = (text: string) => /name="version" value="(\w+)"/.exec(text)?.[1] ?? '';

test.each<[path: string, fields: Record<string, string>, name: string, values: string[]]>([
  ['/portals/contents?name=portal', {}, 'FV', ['1', '2', '3']],
  ['/imports/source?name=crm', SOURCE, 'maxWithdrawn', ['30', '40', '50']],
  [
    '/settings/client?id=crm',
    { do: 'scopes' },
    'scope',
    ['units:read', 'feeds:read', 'units:write'],
  ],
  [
    '/settings/format?name=idealista',
    { CustomerCode: CODE },
    'ContactPhone',
    ['600000001', '600000002', '600000003'],
  ],
  ['/report', {}, 'portal', ['kyero', 'trovit', 'idealista']],
])(
  'POST %s after somebody else has saved it: 412 with what was typed, and saved when it is sent again',
  async (path, fields, name, [first, second, third]) => {
    const save = (version: string, value: string) =>
      send(path, { ...fields, version, [name]: value }, cookie);
    const has = (value: string) => new RegExp(`value="${value}"( checked| selected| id="${name}")`);
    const version = versionIn(textOf(await page(path, cookie)));
    expect((await save(version, first!)).status).toBe(303);
    const refused = await save(version, second!);
    expect([refused.status, textOf(refused)]).toEqual([
      412,
      expect.stringContaining('somebody else has changed this'),
    ]);
    expect(textOf(refused)).toMatch(has(second!));
    expect(textOf(await page(path, cookie))).toMatch(has(first!));
    expect((await save(versionIn(textOf(refused)), third!)).status).toBe(303);
    expect(textOf(await page(path, cookie))).toMatch(has(third!));
  },
);

test('POST /settings for a role that somebody else has changed: 412, and the role stays', async () => {
  await send('/settings', { do: 'invite', name: 'Vera', role: 'viewer' }, cookie);
  const [, person] = /name="person" value="(\d+)"/.exec(textOf(await page('/settings', cookie)))!;
  const change = (role: string) =>
    send('/settings', { do: 'role', person: person!, was: 'viewer', role }, cookie);
  expect((await change('editor')).status).toBe(303);
  expect((await change('owner')).status).toBe(412);
  expect(textOf(await page('/settings', cookie))).toMatch(/name="was" value="editor"/);
});
