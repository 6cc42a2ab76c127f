import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { totpCode } from '../../../src/lib/totp.ts';
import { createAgency } from '../../support/agency.ts';
import { page, send, signIn, textOf } from './visitor.ts';

const PASSWORD = 'correct horse battery';

let agencyCookie: string;

beforeAll(async () => {
  await createAgency(env.DB, 'PEOPLE', ['A-1']);
  await createAgency(env.DB, 'NEIGHBOUR', []);
  agencyCookie = await signIn('PEOPLE');
});

/** Invites somebody as whoever has this session; the path of the link. */
async function invite(cookie: string, name: string, role: string): Promise<string> {
  const { bytes } = await send('/settings', { do: 'invite', name, role }, cookie);
  return /(\/invitation\?token=[\w-]+)</.exec(new TextDecoder().decode(bytes))![1]!;
}

async function accept(link: string, password = PASSWORD) {
  const token = new URLSearchParams(link.split('?')[1]).get('token')!;
  return send('/invitation', { token, password });
}

async function signInAs(name: string, password = PASSWORD) {
  const response = await send('/sign-in', { account: 'PEOPLE', name, password });
  return { response, cookie: response.headers.get('Set-Cookie')?.split(';')[0] ?? '' };
}

describe('people', () => {
  let owner: string;

  test('invited by the agency’s password: the link sets a password, once; from then on the agency’s password opens nothing', async () => {
    const link = await invite(agencyCookie, 'Ana', 'owner');
    expect(textOf(await page(link))).toContain('Welcome, Ana');
    expect((await accept(link, 'short')).status).toBe(422);
    expect((await accept(link)).status).toBe(303);
    expect((await accept(link)).status).toBe(410);
    expect((await page(link)).status).toBe(410);
    owner = (await signInAs('ana')).cookie;
    expect((await page('/settings', owner)).status).toBe(200);
    expect((await page('/settings', agencyCookie)).status).toBe(401);
    expect((await send('/sign-in', { account: 'PEOPLE', password: 'demo' })).status).toBe(401);
  });

  test('a viewer sees everything and changes nothing; an editor changes no people', async () => {
    await accept(await invite(owner, 'Vera', 'viewer'));
    await accept(await invite(owner, 'Edu', 'editor'));
    const [viewer, editor] = [(await signInAs('Vera')).cookie, (await signInAs('Edu')).cookie];
    for (const path of ['/', '/properties', '/settings', '/unit?development=LAS-LOMAS&name=A-1']) {
      expect([path, (await page(path, viewer)).status]).toEqual([path, 200]);
    }
    const forms = [
      '/unit?development=LAS-LOMAS&name=A-1',
      '/property/edit',
      '/portals/connect',
      '/report',
      '/settings',
    ];
    for (const path of forms) expect([path, (await send(path, {}, viewer)).status]).toEqual([path, 403]);
    const attempt = await send('/settings', { do: 'invite', name: 'Eve', role: 'owner' }, editor);
    expect(attempt.status).toBe(403);
    expect(textOf(await page('/settings', owner))).not.toContain('Eve');
  });

  test('removed: the session ends; the last owner stays', async () => {
    const { cookie } = await signInAs('Vera');
    const [vera, ana] = await Promise.all(
      ['Vera', 'Ana'].map((name) =>
        env.DB.prepare('SELECT id FROM people WHERE name = ?').bind(name).first<number>('id'),
      ),
    );
    expect((await send('/settings', { do: 'remove', person: String(vera), role: 'viewer' }, owner)).status).toBe(303);
    expect((await page('/settings', cookie)).status).toBe(401);
    for (const fields of [
      { do: 'remove', role: 'owner' },
      { do: 'role', role: 'viewer' },
    ]) {
      expect((await send('/settings', { person: String(ana), ...fields }, owner)).status).toBe(422);
    }
    const neighbour = await signIn('NEIGHBOUR');
    expect((await send('/settings', { do: 'remove', person: String(ana), role: 'owner' }, neighbour)).status).toBe(404);
    expect(textOf(await page('/settings', owner))).toMatch(/<b>Ana<\/b> removed Vera/);
  });

  test('a new password ends other sessions and keeps this one', async () => {
    const [first, second] = [(await signInAs('Edu')).cookie, (await signInAs('Edu')).cookie];
    const wrong = await send('/settings/sign-in', { do: 'password', current: 'wrong', password: PASSWORD }, first);
    expect(wrong.status).toBe(422);
    const changed = await send(
      '/settings/sign-in',
      { do: 'password', current: PASSWORD, password: `${PASSWORD}!` },
      first,
    );
    expect(changed.status).toBe(200);
    const renewed = changed.headers.get('Set-Cookie')!.split(';')[0]!;
    expect((await page('/settings', renewed)).status).toBe(200);
    expect((await page('/settings', second)).status).toBe(401);
    expect((await signInAs('Edu')).response.status).toBe(401);
  });

  test('a second factor: signing in needs its code, each once', async () => {
    const form = textOf(await page('/settings/sign-in', owner));
    const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(form)![1]!;
    const step = Math.floor(Date.now() / 30_000);
    const fields = { do: 'on', secret, current: PASSWORD };
    expect((await send('/settings/sign-in', { ...fields, code: '000000' }, owner)).status).toBe(422);
    expect((await send('/settings/sign-in', { ...fields, code: totpCode(secret, step) }, owner)).status).toBe(200);
    const { response } = await signInAs('Ana');
    expect([response.status, response.headers.get('Set-Cookie')]).toEqual([200, null]);
    const token = /name="token" value="([^"]*)"/.exec(textOf(response))![1]!;
    expect((await send('/sign-in', { token, code: '123' })).status).toBe(401);
    const code = totpCode(secret, Math.floor(Date.now() / 30_000));
    expect((await send('/sign-in', { token, code })).status).toBe(303);
    expect((await send('/sign-in', { token, code })).status).toBe(401);
  });
});
