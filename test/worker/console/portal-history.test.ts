import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { changeReader } from '../../../src/readers/api/reader.ts';
import { policyIn } from '../../../src/readers/policy.ts';
import { findReader } from '../../../src/readers/readers.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import { property, SOMEBODY, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { runSchedule } from '../../support/worker/ask.ts';
import { fieldsOf, page, send, signIn, signInViewer, textOf } from './visitor.ts';

const CONTENTS = '/portals/contents?name=kyero';

let agencies = 0;
let code: string;
let accountId: number;
let cookie: string;

beforeEach(async () => {
  code = `UNDOING${++agencies}`;
  ({ accountId } = await createAgency(env.DB, code, []));
  await store(env.DB, accountId, [property('ONE', { town: 'Nerja' }), property('TWO')]);
  await openReader(accountId, 'kyero', 'FV=3&T=SALE');
  cookie = await signIn(code);
});

const address = () => ({ accountId, name: 'kyero' });
const stored = async () => {
  const { preset, fixed, policy } = (await findReader(env.DB, address()))!;
  const { since, ...others } = policyIn(policy);
  return { preset, fixed, ...others };
};

/** The undo links of the portal's page, newest first. */
async function undoing(): Promise<string[]> {
  const text = textOf(await page('/portal?name=kyero', cookie));
  return [...text.matchAll(/href="(\/portal\/undo[^"]*)"/g)].map(([, path]) =>
    path!.replaceAll('&amp;', '&'),
  );
}

/** Saves the form of what the portal gets with other values. */
async function saveContents(changes: Readonly<Record<string, string>>): Promise<void> {
  const fields = fieldsOf(await page(CONTENTS, cookie)).filter(([name]) => !(name in changes));
  const all = [...fields, ...Object.entries(changes)] as [string, string][];
  expect((await send(CONTENTS, all, cookie)).status).toBe(303);
}

async function undo(path: string): Promise<number> {
  return (await send(path, fieldsOf(await page(path, cookie)), cookie)).status;
}

test('a change of parameters, of the place and of rules: the page has it with the values before and after, and undoing it restores them', async () => {
  const before = await stored();
  await saveContents({ T: 'RENT', place: 'hidden', towns: 'Nerja', price_min: '100000' });
  expect(await stored()).toMatchObject({
    place: 'hidden',
    selection: { towns: ['Nerja'], price: { min: 100_000 } },
  });
  const shown = textOf(await page('/portal?name=kyero', cookie));
  expect(shown).toMatch(/Place on the map: Exact → *Hidden/);
  expect(shown).toMatch(/Price from: not set → *€100,000/);
  const [path] = await undoing();
  expect(textOf(await page('/settings/log', cookie))).toContain(
    `href="${path!.replaceAll('&', '&amp;')}"`,
  );
  expect(textOf(await page(path!, cookie))).toMatch(/<s>Hidden<\/s> → *<b>Exact<\/b>/);
  expect(await undo(path!)).toBe(303);
  expect(await stored()).toEqual(before);
  // Undoing is a change as well.
  expect(await undo((await undoing())[0]!)).toBe(303);
  expect(await stored()).toMatchObject({ place: 'hidden', selection: { towns: ['Nerja'] } });
});

test('what somebody has changed since stays, and is shown; what is changed while the page is open is a 412', async () => {
  await saveContents({ place: 'hidden', photographs: '3' });
  const [path] = await undoing();
  await changeReader(env.DB, address(), { place: 'moved' }, SOMEBODY);
  const shown = textOf(await page(path!, cookie));
  expect(shown).toMatch(/Changed since by somebody: Moved by 200 to 400 metres/);
  const fields = fieldsOf(await page(path!, cookie));
  await changeReader(env.DB, address(), { kind: 'partner_agency' }, SOMEBODY);
  expect((await send(path!, fields, cookie)).status).toBe(412);
  expect(await undo(path!)).toBe(303);
  expect(await stored()).toMatchObject({ place: 'moved', kind: 'partner_agency' });
  expect((await stored()).selection).toBe(undefined);
});

test('a listing that was taken out by hand: only that is undone, and no other listing is dated anew', async () => {
  const take = (id: string) =>
    send(`/properties/change?kind=portal&portal=kyero&move=out&id=${id}`, { every: '1' }, cookie);
  await take('ONE');
  await take('TWO');
  expect((await stored()).selection).toEqual({ exclude: ['ONE', 'TWO'] });
  const numbers = async () =>
    (
      await env.DB.prepare('SELECT change FROM properties WHERE account_id = ? ORDER BY identifier')
        .bind(accountId)
        .raw<[number]>()
    ).flat();
  const [one, two] = await numbers();
  expect(await undo((await undoing())[1]!)).toBe(303);
  expect((await stored()).selection).toEqual({ exclude: ['TWO'] });
  expect(await numbers()).toEqual([expect.any(Number), two]);
  expect((await numbers())[0]).toBeGreaterThan(one!);
  expect(policyIn((await findReader(env.DB, address()))!.policy).since).toBe(undefined);
});

test('of another agency, after 30 days, of a change that there is not: 404; by a viewer: 403', async () => {
  await saveContents({ place: 'hidden' });
  const [path] = await undoing();
  await createAgency(env.DB, `${code}-B`, []);
  expect((await page(path!, await signIn(`${code}-B`))).status).toBe(404);
  expect((await page(path!.replace(/\d+$/, '9'), cookie)).status).toBe(404);
  expect((await page(path!, await signInViewer(accountId, code))).status).toBe(403);
  const age = (days: number) =>
    env.DB.prepare('UPDATE reader_history SET changed_at = unixepoch() - 86400 * ?')
      .bind(days)
      .run();
  await age(31);
  expect((await page(path!, cookie)).status).toBe(404);
  expect(await undoing()).toEqual([]);
  await age(92);
  await runSchedule();
  expect(await env.DB.prepare('SELECT count(*) AS n FROM reader_history').first('n')).toBe(0);
});
