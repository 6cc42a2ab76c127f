import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { updateAccount } from '../../../src/accounts/accounts.ts';
import { SESSION_LIFETIME_SECONDS } from '../../../src/console/session/session.ts';
import { setPassword } from '../../../src/operator/accounts.ts';
import { type Agency, createAgency } from '../../support/accounts/agency.ts';
import { ask, failingWhen, runSchedule, watched } from '../../support/worker/ask.ts';
import {
  BROWSER,
  claiming,
  claimsOf,
  fieldsOf,
  page,
  send,
  sessionIn,
  signIn,
  textOf,
} from './visitor.ts';

let agency: Agency;

beforeAll(async () => {
  agency = await createAgency(env.DB, 'SESSION', ['A-1']);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('POST /sign-in', () => {
  test.each(['SESSION', 'session', ' session ', 'OWNPROPERTIES@Session'])(
    'with the account as %j: 303 to the overview, with a cookie that scripts and other sites cannot use',
    async (account) => {
      const { status, headers } = await send('/sign-in', { account, password: 'demo' });
      expect([status, headers.get('Location'), headers.get('Cache-Control')]).toEqual([
        303,
        '/',
        null,
      ]);
      const [value, ...attributes] = headers.get('Set-Cookie')!.split('; ');
      expect(value).toMatch(/^__Host-session=[\w-]+\.[\w-]+\.[\w-]{43}$/);
      const lifetime = `Max-Age=${SESSION_LIFETIME_SECONDS}`;
      expect(attributes.sort()).toEqual([
        'HttpOnly',
        lifetime,
        'Path=/',
        'SameSite=Strict',
        'Secure',
      ]);
    },
  );

  test.each([
    ['a wrong password', { account: 'SESSION', password: 'wrong' }],
    ['an unknown account', { account: 'NOBODY', password: 'demo' }],
    ['no account code', { account: '<script>', password: 'demo' }],
    ['nothing', {}],
  ])(
    'with %s: 401 with the form again, and no cookie',
    async (_, fields: Record<string, string>) => {
      const response = await send('/sign-in', fields);
      expect([response.status, response.headers.get('Set-Cookie')]).toEqual([401, null]);
      expect(textOf(response)).toContain('name="password"');
      expect(textOf(response)).not.toContain('<script>');
    },
  );

  test.each(['', 'Ana'])(
    'with the name %j and an unknown account: as many reads as with a known one',
    async (name) => {
      const readsWith = async (account: string) =>
        (await send('/sign-in', { account, name, password: 'wrong' })).usage.roundTrips;
      expect(await readsWith('NOBODY')).toBe(await readsWith('SESSION'));
    },
  );

  test.each([
    ['/unit?development=a&name=b', '/unit?development=a&name=b'],
    ['https://elsewhere.example/', '/'],
    ['//elsewhere.example/', '/'],
    ['/\\elsewhere.example/', '/'],
    ['/\t/elsewhere.example/', '/'],
  ])('with the target %j: 303 to %s', async (to, target) => {
    const { status, headers } = await send('/sign-in', {
      account: 'SESSION',
      password: 'demo',
      to,
    });
    expect([status, headers.get('Location')]).toEqual([303, target]);
  });

  test('after too many attempts: 429 with Retry-After, and the password is not checked', async () => {
    const CREDENTIAL_CHECKS = { limit: async () => ({ success: false }) };
    const fields = { account: 'SESSION', password: 'demo' };
    const { status, headers } = await send('/sign-in', fields, '', undefined, {
      ...env,
      CREDENTIAL_CHECKS,
    });
    expect([status, headers.get('Retry-After'), headers.get('Set-Cookie')]).toEqual([
      429,
      '60',
      null,
    ]);
  });

  test('counts towards the same limit as passwords of the feed, or towards that of a person', async () => {
    const keys: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 });
    const bindings = { ...env, CREDENTIAL_CHECKS: { limit } };
    await send('/sign-in', { account: 'session', password: 'wrong' }, '', undefined, bindings);
    await send(
      '/sign-in',
      { account: 'session', name: 'Ana', password: 'wrong' },
      '',
      undefined,
      bindings,
    );
    expect(keys).toEqual(
      [/^feed:SESSION:/, /^person:SESSION:ana:/].map((key) => expect.stringMatching(key)),
    );
  });

  test('while the database fails: 503 with Retry-After', async () => {
    const failing = failingWhen(() => true, 'D1_ERROR: internal error');
    const fields = { account: 'SESSION', password: 'demo' };
    const { status, headers } = await send('/sign-in', fields, '', undefined, failing);
    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
  });

  test('with a body of more than 2 MB: 413', async () => {
    const refused = await send('/sign-in', { account: 'x'.repeat(2_100_000) });
    expect([
      refused.status,
      textOf(refused).includes('<h1>Nothing was changed: the form is too large'),
    ]).toEqual([413, true]);
  });
});

describe('a Worker without SESSION_KEY, or with a short one', () => {
  test.each([undefined, '', 'short'])(
    'SESSION_KEY=%j: 503 for every page and form, whatever signs access tokens',
    async (key) => {
      const { SESSION_KEY: _, ...others } = env;
      const bindings = key === undefined ? others : { ...others, SESSION_KEY: key };
      const cookie = await signIn('SESSION');
      for (const path of ['/', '/developments', '/feed', '/report.csv']) {
        const response = await ask(path, { headers: { ...BROWSER, Cookie: cookie } }, bindings);
        expect([path, response.status, textOf(response).includes('SESSION_KEY')]).toEqual([
          path,
          503,
          true,
        ]);
      }
      const signedIn = await send(
        '/sign-in',
        { account: 'SESSION', password: 'demo' },
        '',
        undefined,
        bindings,
      );
      expect([signedIn.status, signedIn.headers.get('Set-Cookie')]).toEqual([503, null]);
      expect((await ask('/', {}, bindings)).status).toBe(200);
    },
  );

  test('a session signed with another key: 401', async () => {
    const cookie = await signIn('SESSION');
    const bindings = { ...env, SESSION_KEY: `${env.SESSION_KEY}x` };
    expect(
      (await ask('/developments', { headers: { ...BROWSER, Cookie: cookie } }, bindings)).status,
    ).toBe(401);
    const { SIGNING_KEYS: _, ...withoutSigningKeys } = env;
    const request = ask(
      '/developments',
      { headers: { ...BROWSER, Cookie: cookie } },
      withoutSigningKeys,
    );
    expect((await request).status).toBe(200);
  });
});

describe('a form with another media type', () => {
  test.each([
    'application/json',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/xml',
    '',
  ])('%j: 415 with the type that is accepted, and nothing happens', async (type) => {
    const cookie = await signIn('SESSION');
    for (const path of [
      '/sign-in',
      '/sign-out',
      '/language',
      '/unit?development=LAS-LOMAS&name=A-1',
    ]) {
      const body = new TextEncoder().encode('account=SESSION&password=demo&language=es');
      const headers = {
        ...BROWSER,
        'Sec-Fetch-Site': 'same-origin',
        Cookie: cookie,
        'Content-Type': type,
      };
      const response = await ask(path, { method: 'POST', redirect: 'manual', body, headers });
      const found = [
        path,
        response.status,
        ...['Accept', 'Set-Cookie'].map((name) => response.headers.get(name)),
      ];
      expect(found).toEqual([path, 415, 'application/x-www-form-urlencoded', null]);
    }
    expect((await page('/developments', cookie)).status).toBe(200);
  });
});

describe('a form from elsewhere', () => {
  const elsewhere: [string, Record<string, string>][] = [
    ['of another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' }],
    [
      'of another origin of this site',
      { 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.feeds.example' },
    ],
    ['without any origin', {}],
    ['of an opaque origin', { Origin: 'null' }],
  ];

  test.each(elsewhere)('%s: 403, and nothing happens', async (_, headers) => {
    const cookie = await signIn('SESSION');
    for (const path of [
      '/sign-in',
      '/sign-out',
      '/language',
      '/unit?development=LAS-LOMAS&name=A-1',
    ]) {
      const fields = {
        account: 'SESSION',
        password: 'demo',
        status: '4',
        price: '1',
        version: '1',
        directions: '',
      };
      const response = await send(path, fields, cookie, headers);
      expect([path, response.status, response.headers.get('Set-Cookie')]).toEqual([
        path,
        403,
        null,
      ]);
    }
    const price = env.DB.prepare('SELECT price FROM units WHERE account_id = ?').bind(
      agency.accountId,
    );
    expect(await price.first('price')).toBe(100_000);
  });
});

describe('a form sent without a session', () => {
  const path = '/property/edit?id=P1';
  const signInWith = (fields: [string, string][]) => {
    return send('/sign-in', [...fields, ['account', 'SESSION'], ['password', 'demo']]);
  };

  test('401 with the form to sign in, which keeps every field; signing in shows a form with all of them, or leads back', async () => {
    const typed: [string, string][] = [
      ['postcode', '29600'],
      ['description-es', 'Un ático\r\ny "más"'],
      ['do', 'save'],
    ];
    const refused = await send(path, typed);
    expect([refused.status, textOf(refused).includes('what you typed is kept')]).toEqual([
      401,
      true,
    ]);
    const resumed = await signInWith(
      fieldsOf(refused, '/sign-in').filter(([name]) => /^(to|typed)/.test(name)),
    );
    expect(resumed.status).toBe(200);
    expect(fieldsOf(resumed, '/property/edit\\?id=P1')).toEqual(typed);
    expect(textOf(resumed)).toContain(`<a href="${path}">Discard what I typed</a>`);
  });

  test.each([
    ['a password', '/settings/agency', { current: 'old secret', password: 'new secret' }],
    ['a file', '/imports', new FormData()],
  ] as const)(
    'with %s: 401 that says it was not saved and repeats nothing; signing in leads to the page',
    async (_, path, typed) => {
      const refused = await send(path, typed instanceof FormData ? typed : { ...typed });
      expect([refused.status, textOf(refused).includes('nothing was saved')]).toEqual([401, true]);
      expect(textOf(refused)).not.toMatch(/(old|new) secret/);
      const { status, headers } = await signInWith([['to', path]]);
      expect([status, headers.get('Location')]).toEqual([303, path]);
    },
  );

  test('GET /sign-in, which a browser shows after a failed attempt: 303 to /', async () => {
    const { status, headers } = await ask('/sign-in', { headers: BROWSER, redirect: 'manual' });
    expect([status, headers.get('Location')]).toEqual([303, '/']);
  });
});

describe('a session', () => {
  test('GET / with it: 200 with the home page; without it: 200 with the form to sign in', async () => {
    expect(textOf(await page('/', await signIn('SESSION')))).toContain('Needs your attention');
    const without = await page('/');
    expect([without.status, textOf(without).includes('name="password"')]).toEqual([200, true]);
  });

  test.each([
    '/developments',
    '/units?development=LAS-LOMAS',
    '/unit?development=LAS-LOMAS&name=A-1',
    '/feed?FV=3',
  ])('GET %s without one: 401 with a form that leads back there', async (path) => {
    const response = await page(path);
    expect(response.status).toBe(401);
    expect(textOf(response)).toContain(`name="to" value="${path.replaceAll('&', '&amp;')}"`);
  });

  test('GET with many forged ones from one address: 401, and D1 is not asked any more', async () => {
    const forged = (await signIn('SESSION')).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    let failures = 0;
    let statements = 0;
    const { DB } = watched(({ of }) => of === 'D1' && statements++);
    const bindings = {
      ...env,
      DB,
      ADDRESS_CHECKS: { limit: async () => ({ success: ++failures <= 3 }) },
    };
    const headers = { ...BROWSER, Cookie: forged, 'CF-Connecting-IP': '192.0.2.77' };
    for (let time = 0; time < 10; time++)
      expect((await ask('/developments', { headers }, bindings)).status).toBe(401);
    expect([failures, statements]).toEqual([4, 8]);
  });

  test('after its lifetime: 401', async () => {
    const cookie = await signIn('SESSION');
    vi.setSystemTime(Date.now() + SESSION_LIFETIME_SECONDS * 1000);
    expect((await page('/developments', cookie)).status).toBe(401);
  });

  test.each([
    ['another account', (value: string) => claiming(value, { account: 'OTHER' })],
    ['a later expiry', (value: string) => claiming(value, { exp: 9_999_999_999 })],
    ['another id', (value: string) => claiming(value, { jti: 'x'.repeat(22) })],
    ['no algorithm', (value: string) => claiming(value, { alg: 'none' }, 0)],
    [
      'another signature',
      (value: string) => value.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
    ],
    ['no signature', (value: string) => value.replace(/[^.]*$/, '')],
    ['another form', () => '__Host-session=..'],
  ])('with %s: 401', async (_, change) => {
    await createAgency(env.DB, 'OTHER', []).catch(() => {});
    expect((await page('/developments', change(await signIn('SESSION')))).status).toBe(401);
  });

  test('after another password, or once the account is disabled: 401', async () => {
    const { accountId } = await createAgency(env.DB, 'ENDING', []);
    const [first, second] = [await signIn('ENDING'), await signIn('ENDING')];
    await setPassword(env.DB, accountId, { password: 'other' });
    for (const ended of [first, second])
      expect((await page('/developments', ended)).status).toBe(401);
    const third = await signIn('ENDING', 'other');
    expect((await page('/developments', third)).status).toBe(200);
    await updateAccount(env.DB, accountId, { disabled: true });
    expect((await page('/developments', third)).status).toBe(401);
  });

  test('POST /sign-out: 303, the browser forgets it, and a copy or a forgery of its cookie ends nothing; another session stays', async () => {
    const [ended, other] = [await signIn('SESSION'), await signIn('SESSION')];
    const { status, headers } = await send('/sign-out', {}, ended);
    expect([status, headers.get('Location')]).toEqual([303, '/']);
    expect(headers.get('Set-Cookie')).toMatch(/^__Host-session=; Max-Age=0; .*Secure/);
    expect((await page('/developments', ended)).status).toBe(401);
    expect((await page('/developments', other)).status).toBe(200);
    const forged = other.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    const sessions = env.DB.prepare('SELECT count(*) AS n FROM sessions');
    const before = await sessions.first('n');
    for (const cookie of [ended, forged])
      expect((await send('/sign-out', {}, cookie)).status).toBe(303);
    expect(await sessions.first('n')).toBe(before);
  });

  test('POST /sign-out while the database fails: 503, not an end that is not one', async () => {
    const failing = failingWhen(
      ({ what }) => /delete from "sessions"/i.test(what),
      'D1_ERROR: internal error',
    );
    const cookie = await signIn('SESSION');
    expect((await send('/sign-out', {}, cookie, undefined, failing)).status).toBe(503);
    expect((await page('/developments', cookie)).status).toBe(200);
  });

  test('the daily schedule forgets sessions that have expired, and no others', async () => {
    const cookies = [await signIn('SESSION'), await signIn('SESSION')];
    const [expired, kept] = cookies.map((cookie) => claimsOf(cookie).jti as string);
    const expiry = env.DB.prepare('UPDATE sessions SET expires_at = unixepoch() - 1 WHERE id = ?');
    await expiry.bind(expired).run();
    await runSchedule();
    const left = env.DB.prepare('SELECT id FROM sessions WHERE id IN (?, ?)').bind(expired, kept);
    expect((await left.all()).results).toEqual([{ id: kept }]);
  });
});

describe('GET /settings/sign-in: where somebody is signed in', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1';
  const PATH = '/settings/sign-in';
  const from = (browser: string) => signIn('BROWSERS', 'demo', { 'User-Agent': browser });
  const statusOf = async (cookie: string) => (await page('/developments', cookie)).status;

  /** The browsers on the page, with the session that a button beside each ends. */
  async function listed(cookie: string): Promise<[browser: string, session: string | undefined][]> {
    const rows = textOf(await page(PATH, cookie)).match(/<tr>.*?<\/tr>/gs) ?? [];
    return rows
      .slice(1)
      .map((row) => [
        /<b>(.*?)<\/b>/.exec(row)![1]!,
        /name="session" value="([^"]*)"/.exec(row)?.[1],
      ]);
  }

  beforeAll(async () => {
    await createAgency(env.DB, 'BROWSERS', []);
    await createAgency(env.DB, 'STRANGERS', []);
  });

  test('each by its browser and system, this one first; one is ended, and refused at its next request; then all others', async () => {
    const [laptop, phone, unknown] = [await from(FIREFOX), await from(IPHONE), await from('curl')];
    const all = await listed(phone);
    expect(all.map(([browser]) => browser)).toEqual(
      expect.arrayContaining(['Safari on iPhone', 'Firefox on Linux', 'Unknown browser']),
    );
    expect(all[0]).toEqual(['Safari on iPhone', undefined]);
    const session = new Map(all).get('Firefox on Linux')!;
    const stranger = await signIn('STRANGERS');
    expect((await send(PATH, { do: 'end', session }, stranger)).status).toBe(303);
    expect(await statusOf(laptop), 'ended by somebody else').toBe(200);
    expect((await send(PATH, { do: 'end', session }, phone)).status).toBe(303);
    expect([await statusOf(laptop), await statusOf(unknown)]).toEqual([401, 200]);
    await send(PATH, { do: 'endOthers' }, phone);
    expect([await statusOf(unknown), await statusOf(phone)]).toEqual([401, 200]);
    expect(await statusOf(stranger), 'of another agency').toBe(200);
    expect(await listed(phone)).toEqual([['Safari on iPhone', undefined]]);
  });

  test('after another password: only those by it', async () => {
    await from(FIREFOX);
    const mine = await from(IPHONE);
    const fields = { do: 'password', current: 'demo', password: 'correct horse battery' };
    const changed = await send('/settings/agency', fields, mine);
    expect(await listed(sessionIn(changed))).toEqual([['Safari on iPhone', undefined]]);
  });

  test('a use is noted after five minutes at the earliest, and not while the account is being moved', async () => {
    const cookie = await signIn('STRANGERS');
    const { jti } = claimsOf(cookie);
    const stored = env.DB.prepare('SELECT last_used_at AS used FROM sessions WHERE id = ?');
    const used = () => stored.bind(jti).first<number>('used');
    const first = (await used())!;
    const usedAfter = async (seconds: number) => {
      vi.setSystemTime((first + seconds) * 1_000);
      await page('/developments', cookie);
      return (await used())! - first;
    };
    expect([await usedAfter(299), await usedAfter(301), await usedAfter(400)]).toEqual([
      0, 301, 301,
    ]);
    const moving =
      "INSERT INTO moves (account_id, code, other, state) SELECT id, code, 'DB_2', 'leaving' FROM accounts WHERE code = 'STRANGERS'";
    await env.DB.prepare(moving).run();
    expect(await usedAfter(1_000)).toBe(301);
    await env.DB.prepare('DELETE FROM moves').run();
    expect(await usedAfter(1_000)).toBe(1_000);
  });
});

describe('the language', () => {
  test.each([
    ['es-ES,es;q=0.9,en;q=0.8', 'es'],
    ['de-DE,en;q=0.5', 'en'],
    ['', 'en'],
  ])('of a browser with Accept-Language %j: %s', async (preferred, language) => {
    expect(textOf(await page('/', '', { 'Accept-Language': preferred }))).toContain(
      `<html lang="${language}">`,
    );
  });

  test('POST /language: 303 back, and that language from then on; another one: unchanged', async () => {
    const chosen = await send('/language', { language: 'es', to: '/developments' });
    expect([chosen.status, chosen.headers.get('Location')]).toEqual([303, '/developments']);
    const cookie = chosen.headers.get('Set-Cookie')!.split(';')[0]!;
    expect(textOf(await page('/', cookie))).toContain('<html lang="es">');
    expect((await send('/language', { language: 'xx' })).headers.get('Set-Cookie')).toBeNull();
  });
});
