import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { findAccountId, readSetting, updateAccount } from '../../../src/accounts/accounts.ts';
import { countWrongCode, findPerson, setTotp, useTotpStep } from '../../../src/accounts/people.ts';
import { findWebhook, putWebhook } from '../../../src/changes/webhooks/webhooks.ts';
import type { Env } from '../../../src/env.ts';
import { newReaderKey } from '../../../src/feed/request/credentials.ts';
import { totpCode } from '../../../src/lib/secrets/totp.ts';
import { findClient } from '../../../src/oauth/clients.ts';
import { parseDocument } from '../../../src/properties/documents.ts';
import { readStored } from '../../../src/properties/store/read.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import { ask } from '../../support/worker/ask.ts';
import { fieldsOf, follow, page, send, sessionIn, signIn, textOf, withCookies } from './visitor.ts';

const PASSWORD = 'correct horse battery';

let agencyCookie: string;

beforeAll(async () => {
  await createAgency(env.DB, 'PEOPLE', ['A-1']);
  await createAgency(env.DB, 'NEIGHBOUR', []);
  agencyCookie = await signIn('PEOPLE');
});

/** Invites somebody as whoever has this session; the path of the link. */
async function invite(cookie: string, name: string, role: string): Promise<string> {
  const invited = await send('/settings', { do: 'invite', name, role }, cookie);
  const { text } = await follow(invited, cookie);
  return /(\/invitation\?[\w&;=-]+)</.exec(text)![1]!.replace('&amp;', '&');
}

async function accept(link: string, password = PASSWORD) {
  return send(link, { password });
}

async function signInAs(name: string, password = PASSWORD, account = 'PEOPLE') {
  const response = await send('/sign-in', { account, name, password });
  return { response, cookie: response.headers.get('Set-Cookie')?.split(';')[0] ?? '' };
}

describe('people', () => {
  let owner: string;

  test('invited by the agency’s password: the link sets a password, once; from then on the agency’s password opens nothing', async () => {
    const link = await invite(agencyCookie, 'Ana', 'owner');
    expect(textOf(await page(link))).toContain('Welcome, Ana');
    expect((await signInAs('Ana', 'demo')).response.status).toBe(401);
    expect((await accept(link, 'short')).status).toBe(422);
    const accepted = await accept(link);
    expect(accepted.status).toBe(303);
    const form = await page(accepted.headers.get('Location')!);
    expect(form.status).toBe(200);
    expect(Object.fromEntries(fieldsOf(form, '/sign-in'))).toMatchObject({
      account: 'PEOPLE',
      name: 'Ana',
      to: '/',
    });
    expect((await accept(link)).status).toBe(410);
    expect((await page(link)).status).toBe(410);
    expect((await signInAs('Ana', newReaderKey())).response.status).toBe(401);
    owner = (await signInAs('ana')).cookie;
    expect((await page('/settings', owner)).status).toBe(200);
    expect((await page('/settings', agencyCookie)).status).toBe(401);
    expect((await send('/sign-in', { account: 'PEOPLE', password: 'demo' })).status).toBe(401);
  });

  test('a name: 1 to 100 characters; 422 with any other length, and nobody is invited', async () => {
    for (const name of [' ', 'N'.repeat(101)]) {
      const refused = await send('/settings', { do: 'invite', name, role: 'viewer' }, owner);
      expect([refused.status, textOf(refused).includes('id="name-error"')]).toEqual([422, true]);
    }
    const link = await invite(owner, ` ${'N'.repeat(100)} `, 'viewer');
    expect(textOf(await page(link))).toContain(`Welcome, ${'N'.repeat(100)}`);
    expect(textOf(await page('/settings', owner))).not.toContain('N'.repeat(101));
  });

  test('invited a week ago: the link is no longer valid', async () => {
    const link = await invite(owner, 'Late', 'viewer');
    await env.DB.prepare(
      "UPDATE people SET invitation_expires_at = unixepoch() WHERE name = 'Late'",
    ).run();
    expect([(await page(link)).status, (await accept(link)).status]).toEqual([410, 410]);
  });

  test('invited to an account that is disabled: the link is valid once it is enabled again', async () => {
    const link = await invite(await signIn('NEIGHBOUR'), 'Noa', 'owner');
    const accountId = (await findAccountId(env.DB, 'NEIGHBOUR'))!;
    await updateAccount(env.DB, accountId, { disabled: true });
    expect([(await page(link)).status, (await accept(link)).status]).toEqual([410, 410]);
    await updateAccount(env.DB, accountId, { disabled: false });
    expect((await page(link)).status).toBe(200);
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
    for (const path of forms)
      expect([path, (await send(path, {}, viewer)).status]).toEqual([path, 403]);
    const attempt = await send('/settings', { do: 'invite', name: 'Eve', role: 'owner' }, editor);
    expect(attempt.status).toBe(403);
    expect(textOf(await page('/settings', owner))).not.toContain('Eve');
  });

  test('removed, if that is confirmed: the session ends; the last owner stays', async () => {
    const { cookie } = await signInAs('Vera');
    const idOf = (name: string) =>
      env.DB.prepare('SELECT id FROM people WHERE name = ?').bind(name).first<number>('id');
    const [vera, ana] = [await idOf('Vera'), await idOf('Ana')];
    expect((await send('/settings', { do: 'delete', person: String(vera) }, owner)).status).toBe(
      422,
    );
    expect((await page('/settings', cookie)).status).toBe(200);
    expect(
      (await send('/settings', { do: 'delete', person: String(vera), sure: '1' }, owner)).status,
    ).toBe(303);
    expect((await page('/settings', cookie)).status).toBe(401);
    // Neither an owner who has not accepted the invitation nor one of another account counts.
    await invite(owner, 'Otto', 'owner');
    await createAgency(env.DB, 'OTHERS', []);
    await accept(await invite(await signIn('OTHERS'), 'Olga', 'owner'));
    for (const fields of [
      { do: 'delete', sure: '1' },
      { do: 'role', role: 'viewer' },
      { do: 'invite', name: 'ANA', role: 'viewer' },
    ]) {
      expect((await send('/settings', { person: String(ana), ...fields }, owner)).status).toBe(422);
    }
    const neighbour = await signIn('NEIGHBOUR');
    expect(
      (await send('/settings', { do: 'delete', person: String(ana), sure: '1' }, neighbour)).status,
    ).toBe(404);
    expect(textOf(await page('/settings/log', owner))).toMatch(/<b>Ana<\/b> removed Vera/);
  });

  test('a new password, not after too many attempts: ends other sessions and keeps this one', async () => {
    const [first, second] = [(await signInAs('Edu')).cookie, (await signInAs('Edu')).cookie];
    const change = (current: string, bindings?: Env) =>
      send(
        '/settings/sign-in',
        { do: 'password', current, password: `${PASSWORD}!` },
        first,
        undefined,
        bindings,
      );
    const wrong = await change('wrong');
    expect(wrong.status).toBe(422);
    expect(textOf(wrong), 'at the other form').not.toContain('confirmed-by-error');
    const limited = await change(PASSWORD, {
      ...env,
      CREDENTIAL_CHECKS: { limit: async () => ({ success: false }) },
    });
    expect([limited.status, textOf(limited).includes('Too many attempts.')]).toEqual([422, true]);
    const changed = await change(PASSWORD);
    expect(textOf(await follow(changed, first))).toContain('The new password is saved');
    const renewed = sessionIn(changed);
    expect((await page('/settings', renewed)).status).toBe(200);
    expect((await page('/settings', second)).status).toBe(401);
    expect((await signInAs('Edu')).response.status).toBe(401);
  });

  test('a second factor: signing in needs its code within five minutes, each once, and none for a while after eight wrong ones', async () => {
    const form = textOf(await page('/settings/sign-in', owner));
    const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(form)![1]!;
    const step = Math.floor(Date.now() / 30_000);
    const fields = { do: 'on', secret, current: PASSWORD };
    const refused = await send('/settings/sign-in', { ...fields, code: '000000' }, owner);
    expect([refused.status, textOf(refused).includes(secret)]).toEqual([422, true]);
    expect(textOf(refused), 'the password or the code').not.toMatch(
      new RegExp(`value="(000000|${PASSWORD})"`),
    );
    const other = (await signInAs('Ana')).cookie;
    const turnedOn = await send(
      '/settings/sign-in',
      { ...fields, code: totpCode(secret, step * 30) },
      owner,
    );
    const codesIn = (text: string) => text.match(/\b[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}\b/g) ?? [];
    const codes = codesIn(textOf(await follow(turnedOn, owner)));
    expect(codesIn(textOf(await follow(turnedOn, owner))), 'loaded again').toEqual(codes);
    expect(new Set(codes).size).toBe(10);
    const stored = await env.DB.prepare(
      "SELECT recovery_codes c FROM people WHERE name = 'Ana'",
    ).first<{
      c: string;
    }>();
    expect(stored!.c.includes(codes[0]!)).toBe(false);
    const renewed = sessionIn(turnedOn);
    expect((await page('/settings', renewed)).status).toBe(200);
    expect((await page('/settings', other)).status, 'another session').toBe(401);
    owner = renewed;
    const { response } = await signInAs('Ana');
    expect([response.status, response.headers.get('Set-Cookie')]).toEqual([200, null]);
    const token = /name="token" value="([^"]*)"/.exec(textOf(response))![1]!;
    expect((await send('/sign-in', { token, code: '123' })).status).toBe(401);
    const used = await send('/sign-in', { token, code: totpCode(secret, step * 30) });
    expect(used.status, 'the code that turned it on').toBe(401);
    const now = step + 1;
    const code = totpCode(secret, now * 30);
    expect((await send('/sign-in', { token: `${token.slice(0, -6)}forged`, code })).status).toBe(
      401,
    );
    expect((await page('/settings', `__Host-session=${token}`)).status).toBe(401);
    expect((await send('/sign-in', { token, code })).status).toBe(303);
    expect((await send('/sign-in', { token, code })).status).toBe(401);
    const recovered = await send('/sign-in', { token, code: codes[3]!.toLowerCase() });
    const told = textOf(await follow(recovered, ''));
    expect(told).toContain('signed in with a recovery code. 9 are left');
    expect((await send('/sign-in', { token, code: codes[3]! })).status, 'used').toBe(401);
    const remade = await send('/settings/sign-in', { do: 'codes', current: PASSWORD }, owner);
    expect(codesIn(textOf(await follow(remade, owner)))).toHaveLength(10);
    expect((await send('/sign-in', { token, code: codes[4]! })).status, 'replaced').toBe(401);
    vi.setSystemTime(Date.now() + 300_000);
    const late = totpCode(secret, Math.floor(Date.now() / 1_000));
    const tooLate = await send('/sign-in', { token, code: late });
    expect(
      [tooLate.status, textOf(tooLate).includes('name="password"')],
      'after five minutes',
    ).toEqual([401, true]);
    vi.useRealTimers();
    for (let wrong = 0; wrong < 8; wrong++) await send('/sign-in', { token, code: '123' });
    expect((await send('/sign-in', { token, code: totpCode(secret, (now + 1) * 30) })).status).toBe(
      401,
    );
  });

  test('a second factor, after eight wrong codes: no code is accepted for a while', async () => {
    const { id } = (await env.DB.prepare("SELECT id FROM people WHERE name = 'Ana'").first<{
      id: number;
    }>())!;
    const accountId = (await findAccountId(env.DB, 'PEOPLE'))!;
    const link = await invite(owner, 'Ana', 'owner');
    await setTotp(env.DB, accountId, id, 'sealed');
    let step = 0;
    const isAccepted = () => useTotpStep(env.DB, accountId, id, ++step);
    for (let round = 1; round <= 2; round++) {
      for (let wrong = 1; wrong <= 7; wrong++) await countWrongCode(env.DB, accountId, id);
      expect(await isAccepted()).toBe(true);
    }
    for (let wrong = 1; wrong <= 9; wrong++) await countWrongCode(env.DB, accountId, id);
    expect(await isAccepted()).toBe(false);
    await env.DB.prepare('UPDATE people SET totp_locked_until = 1 WHERE id = ?').bind(id).run();
    await countWrongCode(env.DB, accountId, id);
    expect(await isAccepted()).toBe(true);
    // Whoever has lost it gets in again by an invitation.
    await accept(link);
    expect((await findPerson(env.DB, accountId, id))?.totpSecret).toBeNull();
  });
});

describe('programs', () => {
  let cookie: string;

  beforeAll(async () => {
    await createAgency(env.DB, 'CLIENTS', []);
    cookie = await signIn('CLIENTS');
  });

  async function tokenStatus(client_id: string, client_secret: string): Promise<number> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id,
      client_secret,
    });
    return (await ask('/oauth/token', { method: 'POST', body })).status;
  }

  const scoped = (name: string, value: string, ...scopes: string[]): [string, string][] => [
    [name, value],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ];

  const secretIn = (text: string) => />([\w-]{43})</.exec(text)![1]!;

  test('created with scopes: the secret once; another secret; disabled; deleted', async () => {
    const fields = scoped('id', 'crm', 'units:read', 'properties:write');
    const created = await send('/settings/client', fields, cookie);
    const secret = secretIn(textOf(await follow(created, cookie)));
    expect((await findClient(env.DB, 'crm'))?.scopes).toEqual(['units:read', 'properties:write']);
    expect(await tokenStatus('crm', secret)).toBe(200);
    const shown = textOf(await page('/settings/programs', cookie));
    expect(shown).toMatch(/href="\/settings\/client\?id=crm".*Read units, Change properties/s);
    expect(shown).not.toContain(secret);
    const path = '/settings/client?id=crm';
    expect((await send(path, { do: 'rotate' }, cookie)).status, 'without a confirmation').toBe(422);
    const second = secretIn(
      textOf(await follow(await send(path, { do: 'rotate', sure: '1' }, cookie), cookie)),
    );
    expect([await tokenStatus('crm', secret), await tokenStatus('crm', second)]).toEqual([
      401, 200,
    ]);
    expect((await send(path, { do: 'disable' }, cookie)).status).toBe(303);
    expect(await tokenStatus('crm', second)).toBe(401);
    const unconfirmed = await send(path, { do: 'delete' }, cookie);
    expect([unconfirmed.status, textOf(unconfirmed)]).toEqual([
      422,
      expect.stringMatching(/value="units:read" checked/),
    ]);
    expect((await send(path, { do: 'delete', sure: '1' }, cookie)).headers.get('Location')).toBe(
      '/settings/programs',
    );
    expect((await page(path, cookie)).status).toBe(404);
    expect(textOf(await page('/settings/log', cookie))).toMatch(/deleted the program crm/);
  });

  test('other scopes: its tokens may do what it may do now; none: 422, and it keeps those that it has', async () => {
    const created = await send('/settings/client', { id: 'scoped', scope: 'units:read' }, cookie);
    const client = {
      client_id: 'scoped',
      client_secret: secretIn(textOf(await follow(created, cookie))),
      grant_type: 'client_credentials',
    };
    const path = '/settings/client?id=scoped';
    const scopes = scoped('do', 'scopes', 'readers:read', 'webhooks:write');
    expect((await send(path, scopes, cookie)).headers.get('Location')).toBe(path);
    const refused = await send(path, { do: 'scopes', scope: 'admin' }, cookie);
    expect([refused.status, textOf(refused).includes('Choose at least one')]).toEqual([422, true]);
    const { text } = await ask('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams(client),
    });
    expect(JSON.parse(text).scope).toBe('readers:read webhooks:write');
    expect(textOf(await page(path, cookie))).toMatch(/value="webhooks:write" checked/);
    expect(textOf(await page('/settings/log', cookie))).toMatch(
      /changed the permissions of the program scoped/,
    );
  });

  test.each([
    [{ id: 'client-PEOPLE', scope: 'units:read' }, 'This name is taken'],
    [{ id: 'a:b', scope: 'units:read' }, 'but no colon'],
    [{ id: '<b>', scope: 'admin' }, 'Choose at least one'],
  ])('with %j: 422 with the reason at the field, escaped', async (fields, reason) => {
    const response = await send('/settings/client', fields, cookie);
    expect(response.status).toBe(422);
    expect(textOf(response)).toContain(reason);
    expect(textOf(response)).not.toContain('value="<b>');
  });
});

describe('the agency’s password', () => {
  test('changed: feeds need the new one, other sessions end and this one stays', async () => {
    await createAgency(env.DB, 'PASSWORD', []);
    const [mine, other] = [await signIn('PASSWORD'), await signIn('PASSWORD')];
    const change = (current: string, password: string) =>
      send('/settings/agency', { do: 'password', current, password }, mine);
    expect(textOf(await change('wrong', PASSWORD))).toContain('id="current-error"');
    expect((await change('demo', 'short')).status).toBe(422);
    expect((await change('demo', newReaderKey())).status).toBe(422);
    const changed = await change('demo', PASSWORD);
    const renewed = sessionIn(changed);
    expect([
      (await page('/settings', renewed)).status,
      (await page('/settings', other)).status,
    ]).toEqual([200, 401]);
    const feed = (password: string) =>
      fetchFeed(`U=OWNPROPERTIES@PASSWORD&P=${encodeURIComponent(password)}`);
    expect([(await feed('demo')).status, (await feed(PASSWORD)).status]).toEqual([401, 200]);
  });
});

test('forms of owners: from another site 403, by an editor 403, of another account 404; nothing happens', async () => {
  await createAgency(env.DB, 'OWNERS', []);
  const cookie = await signIn('OWNERS');
  await accept(await invite(cookie, 'Edu', 'editor'));
  const { cookie: editor } = await signInAs('Edu', PASSWORD, 'OWNERS');
  const neighbour = await signIn('NEIGHBOUR');
  const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' };
  const before = await findClient(env.DB, 'client-OWNERS');
  for (const [path, fields] of [
    ['/settings/client', { id: 'new', scope: 'units:read' }],
    ['/settings/client?id=client-OWNERS', { do: 'rotate' }],
    ['/settings/client?id=client-OWNERS', { do: 'delete', sure: '1' }],
    ['/settings/agency', { do: 'password', current: 'demo', password: PASSWORD }],
  ] as const) {
    expect([path, (await send(path, fields, cookie, elsewhere)).status]).toEqual([path, 403]);
    expect([path, (await send(path, fields, editor)).status]).toEqual([path, 403]);
    if (path.includes('?'))
      expect([path, (await send(path, fields, neighbour)).status]).toEqual([path, 404]);
  }
  expect(await findClient(env.DB, 'client-OWNERS')).toEqual(before);
  expect(await findClient(env.DB, 'new')).toBeNull();
  expect((await page('/settings', cookie)).status).toBe(200);
});

test('a webhook: created with the news that it is told, its secret shown once; tested, changed, another secret, deleted', async () => {
  const { accountId } = await createAgency(env.DB, 'HOOKS', []);
  const cookie = await signIn('HOOKS');
  const path = '/settings/webhook?name=crm';
  const fields: [string, string][] = [
    ['name', 'crm'],
    ['url', 'https://crm.example.com/hook'],
    ['events', 'unit.changed'],
    ['events', 'import.failed'],
  ];
  const refused = async (name: string, value: string) => {
    const others = fields.filter(([other]) => other !== name);
    const answer = await send('/settings/webhook', [...others, [name, value]], cookie);
    expect([answer.status, textOf(answer)]).toEqual([
      422,
      expect.stringContaining(`id="${name === 'events' ? 'url' : name}`),
    ]);
  };
  await refused('url', 'https://127.0.0.1/hook');
  await refused('url', 'https://crm:secret@crm.example.com/hook');
  await refused('name', 'CRM!');
  await refused('events', 'nothing.known');
  const created = await send('/settings/webhook', fields, cookie);
  const shownAt = created.headers.get('Location')!;
  const first = /whsec_[^<]+/.exec(textOf(await follow(created, cookie)))![0];
  const kept = withCookies(cookie, created.headers);
  expect(textOf(await page(shownAt, kept)), 'loaded again').toContain(first);
  await refused('name', 'crm');
  const address = { accountId, name: 'crm' };
  const stored = () => findWebhook(env.DB, address);
  expect(await stored()).toMatchObject({ events: ['unit.changed', 'import.failed'] });
  const received: string[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    received.push(JSON.parse(String(body)).type);
    return new Response(null, { status: 204 });
  });
  const tested = await send(path, { do: 'test' }, cookie);
  vi.unstubAllGlobals();
  expect(received).toEqual(['ping']);
  expect(textOf(await follow(tested, cookie))).toContain('answered with status 204');
  const shown = textOf(await page(path, cookie));
  expect(shown).toMatch(/value="unit\.changed" checked.*value="import\.failed" checked/s);
  expect(shown).not.toContain('whsec_');
  const version = /name="version" value="([^"]*)"/.exec(shown)![1]!;
  const one: [string, string][] = [
    ['url', 'https://crm.example.com/hook2'],
    ['events', 'property.changed'],
    ['version', version],
  ];
  expect((await send(path, one, cookie)).status).toBe(303);
  const now = { url: 'https://crm.example.com/hook2', events: ['property.changed'] };
  expect(await stored()).toMatchObject(now);
  expect((await send(path, one, cookie)).status, 'changed since it was shown').toBe(412);
  const rotated = await send(path, { do: 'rotate', sure: '1' }, cookie);
  expect(textOf(await follow(rotated, cookie))).toMatch(/whsec_/);
  expect(textOf(await follow(rotated, cookie))).not.toContain(first);
  expect((await send(path, { do: 'delete' }, cookie)).status, 'without a confirmation').toBe(422);
  expect((await send(path, { do: 'delete', sure: '1' }, cookie)).status).toBe(303);
  expect(await stored()).toBeNull();
  expect(textOf(await page('/settings/log', cookie))).toMatch(/deleted the webhook crm/);
});

test('a webhook that was disabled since its address is gone: the page says so, and calls it again, or no longer', async () => {
  const { accountId } = await createAgency(env.DB, 'LEFT', []);
  const cookie = await signIn('LEFT');
  const address = { accountId, name: 'left' };
  const settings = { url: 'https://left.example/', events: ['unit.changed'], enabled: true };
  await putWebhook(env.DB, address, settings, 'https://feeds.example', 'sealed');
  await env.DB.prepare(
    "UPDATE webhooks SET enabled = 0, disabled_because = 'gone', failing_since = 1 WHERE name = 'left'",
  ).run();
  const path = '/settings/webhook?name=left';
  const buttons = async () => {
    const text = textOf(await page(path, cookie));
    return [
      /no longer exists/.test(text),
      ...[...text.matchAll(/name="do" value="(on|off|test)"/g)].map(([, does]) => does),
    ];
  };
  expect(await buttons()).toEqual([true, 'on', 'test']);
  expect((await send(path, { do: 'on' }, cookie)).status).toBe(303);
  expect(await buttons()).toEqual([false, 'off', 'test']);
  await send(path, { do: 'off' }, cookie);
  expect(await buttons()).toEqual([false, 'on', 'test']);
  expect(textOf(await page('/settings/log', cookie))).toContain('called again the webhook');
});

test('an account with 101 webhooks, of which the last fails: all are listed, and the home page says which one fails', async () => {
  const { accountId } = await createAgency(env.DB, 'MANY', []);
  const origin = 'https://feeds.example';
  for (let number = 1; number <= 101; number++) {
    const address = { accountId, name: `hook-${String(number).padStart(3, '0')}` };
    await putWebhook(
      env.DB,
      address,
      { url: origin, events: [], enabled: true },
      origin,
      `sealed ${number}`,
    );
  }
  await env.DB.prepare(
    "UPDATE webhooks SET failing_since = 1 WHERE account_id = ? AND name = 'hook-101'",
  )
    .bind(accountId)
    .run();
  const cookie = await signIn('MANY');
  expect(
    textOf(await page('/settings/webhooks', cookie)).match(/\/settings\/webhook\?name=hook-/g),
  ).toHaveLength(101);
  expect(textOf(await page('/', cookie))).toContain('/settings/webhook?name=hook-101');
});

test('GET /settings/log: leads to a property that was changed; its former address, and that of the agency’s password, lead to their pages', async () => {
  await createAgency(env.DB, 'FORMATS', ['A-1']);
  const owner = await signIn('FORMATS');
  const shown = Object.fromEntries(fieldsOf(await page('/property/edit?id=P1', owner)));
  await send('/property/edit?id=P1', { ...shown, town: 'Nerja' }, owner);
  const former = ['/settings?who=Ana&day=2026-11-29', '/settings/password'];
  const led = await Promise.all(former.map((path) => page(path, owner)));
  expect(led.map(({ status, headers }) => [status, headers.get('Location')])).toEqual([
    [301, '/settings/log?who=Ana&day=2026-11-29'],
    [301, '/settings/agency'],
  ]);
  const text = textOf(await page('/settings/log', owner));
  expect(text).toContain('changed property <a href="/property?id=P1">P1</a>');
});

test('another time zone: pages show times in it, and the log has the change and its days; one that does not exist: 422', async () => {
  const { accountId } = await createAgency(env.DB, 'ZONED', []);
  const cookie = await signIn('ZONED');
  const titles = async (query = '') =>
    [
      ...textOf(await page(`/settings/log${query}`, cookie)).matchAll(
        /<time [^>]* title="([^"]*)"/g,
      ),
    ].map(([, title]) => title!.replace(/.*:\d\d /, ''));
  const changed = await send(
    '/settings/agency',
    { do: 'zone', timeZone: 'America/New_York' },
    cookie,
  );
  expect(changed.status).toBe(303);
  expect(await titles()).toEqual(['GMT-5']);
  const happened = Date.UTC(2026, 1, 2, 3);
  await env.DB.prepare('UPDATE activity SET happened_at = ?2 WHERE account_id = ?1')
    .bind(accountId, happened / 1_000)
    .run();
  const shown = await Promise.all(
    ['2026-02-01', '2026-02-02'].map((day) => titles(`?who=*&day=${day}`)),
  );
  expect(shown).toEqual([['GMT-5'], []]);
  expect(
    (await send('/settings/agency', { do: 'zone', timeZone: 'Europe/Atlantis' }, cookie)).status,
  ).toBe(422);
  const text = textOf(await page('/settings/agency', cookie));
  expect(text).toMatch(/<option (?=[^>]*value="America\/New_York")(?=[^>]*selected)/);
  expect(textOf(await page('/settings/log', cookie))).toMatch(
    /Europe\/Madrid.*→.*America\/New_York/s,
  );
});

describe('GET /settings/names', () => {
  test('a typing error: listed with its listings, merged into a type by its name, and gone; the log says who', async () => {
    const { accountId } = await createAgency(env.DB, 'NAMING', []);
    await store(env.DB, accountId, [
      parseDocument({ kind: 'type', code: 'Apartmento', labels: {} }),
      property('T1', { type: 'Apartmento', features: [] }),
    ]);
    const cookie = await signIn('NAMING');
    expect(textOf(await page('/settings/names', cookie))).toContain('Apartmento (type)');
    const merge = (into: string) =>
      send('/settings/names', { do: 'merge', name: 'type:Apartmento', into }, cookie);
    expect((await merge('Nothing like it')).status).toBe(422);
    const sent = await merge('Apartment');
    expect([sent.status, sent.headers.get('Location')]).toEqual([303, '/settings/names']);
    expect(textOf(await page('/settings/names', cookie))).not.toContain('Apartmento (type)');
    const stored = await readStored(env.DB, accountId, [property('T1')]);
    expect([...stored.values()]).toMatchObject([{ type: 'apartment' }]);
    expect(textOf(await page('/settings/log', cookie))).toContain('merged the name');
  });

  test('a name that nothing uses: deleted once that is confirmed', async () => {
    const { accountId } = await createAgency(env.DB, 'UNNAMING', []);
    const unused = parseDocument({ kind: 'type', code: 'Vila', labels: {} });
    await store(env.DB, accountId, [unused]);
    const cookie = await signIn('UNNAMING');
    const fields = { do: 'delete', unused: 'type:Vila' };
    expect((await send('/settings/names', fields, cookie)).status).toBe(422);
    expect((await send('/settings/names', { ...fields, sure: '1' }, cookie)).status).toBe(303);
    expect((await readStored(env.DB, accountId, [unused])).size).toBe(0);
  });
});

describe('GET /settings/format?name=idealista', () => {
  test('what is stated: in the next feed, also for the account, and shown again; another account has none of it', async () => {
    await createAgency(env.DB, 'STATING', []);
    const cookie = await signIn('STATING');
    const path = '/settings/format?name=idealista';
    const code = `ilc${'a1'.repeat(20)}`;
    const sent = await send(
      path,
      { CustomerCode: code, ContactEmail: 'sales@agency.es', IC: '3' },
      cookie,
    );
    expect([sent.status, sent.headers.get('Location')]).toEqual([303, path]);
    const { text } = await ask('/idealista.json?U=OWNPROPERTIES@STATING&P=demo');
    expect(JSON.parse(text)).toMatchObject({ customerCode: code });
    expect(textOf(await page(path, cookie))).toContain(code);
    await createAgency(env.DB, 'SILENT', []);
    expect(textOf(await page(path, await signIn('SILENT')))).not.toContain(code);
  });

  test('a wrong code: 422 with what was typed, and nothing is stated; a format without settings: 404', async () => {
    await createAgency(env.DB, 'MISTYPED', []);
    const cookie = await signIn('MISTYPED');
    const refused = await send(
      '/settings/format?name=idealista',
      { CustomerCode: 'wrong' },
      cookie,
    );
    expect([refused.status, textOf(refused)]).toEqual([
      422,
      expect.stringContaining('value="wrong"'),
    ]);
    expect(
      await readSetting(env.DB, (await findAccountId(env.DB, 'MISTYPED'))!, 'formatSettings'),
    ).toEqual({});
    expect((await page('/settings/format?name=kyero', cookie)).status).toBe(404);
  });
});
