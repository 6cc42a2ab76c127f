import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAgency } from '../../support/accounts/agency.ts';
import { ask } from '../../support/worker/ask.ts';
import { follow, page, send, signIn, textOf } from './visitor.ts';

let cookie: string;

beforeAll(async () => {
  await createAgency(env.DB, 'PAGES', []);
  cookie = await signIn('PAGES');
});

describe('connecting a portal', () => {
  test('Idealista without its code: 422 that says so; with it: an address that contains the key, once', async () => {
    const fields = { title: 'Idealista' };
    const refused = await send('/portals/connect?portal=idealista', fields, cookie);
    expect(refused.status).toBe(422);
    const reason = /id="CustomerCode-error">Enter the code exactly as Idealista has sent it/;
    expect(textOf(refused)).toMatch(reason);
    const code = `ilc${'a1'.repeat(20)}`;
    const connected = textOf(
      await follow(
        await send('/portals/connect?portal=idealista', { ...fields, CustomerCode: code }, cookie),
        cookie,
      ),
    );
    const [, path] =
      />https:\/\/feeds\.example(\/feeds\/PAGES\/lindero_[\w-]+\/idealista\.json)</.exec(
        connected,
      )!;
    expect(connected).toContain('href="mailto:datafeed@idealista.com?subject=');
    const feed = await ask(path!);
    expect([feed.status, feed.headers.get('Content-Type')]).toEqual([200, 'application/json']);
    expect(JSON.parse(textOf(feed))).toMatchObject({ customerCode: code });
    const kind = (text: string) =>
      /<option value="(\w*)" selected[^>]*>[^<]*(?:portal|media|every)/i.exec(text)?.[1];
    expect(kind(textOf(await page('/portals/connect?portal=idealista', cookie)))).toBe(
      'national_portal',
    );
    await send(
      '/portals/contents?name=idealista',
      { CustomerCode: code, kind: 'social_media' },
      cookie,
    );
    expect(kind(textOf(await page('/portals/contents?name=idealista', cookie)))).toBe(
      'social_media',
    );
    expect(textOf(await page('/portals', cookie))).not.toContain(path);
    const contents = '/portals/contents?name=idealista';
    expect(textOf(await page(contents, cookie))).toMatch(
      /Your customer code at Idealista.*Country of your agency/s,
    );
    const without = await send(contents, { ContactPhone: 'none' }, cookie);
    expect([without.status, reason.test(textOf(without))]).toEqual([422, true]);
    const typed = { CustomerCode: code, ContactPhone: '+34 912 345 678' };
    const changed = await send(contents, typed, cookie);
    expect(changed.status).toBe(303);
    expect(JSON.parse(textOf(await ask(path!)))).toMatchObject({
      customerContact: { contactPrimaryPhoneNumber: '912345678' },
    });
  });

  test('Idealista without its code, which the settings for all portals have: connected; the form says what it is', async () => {
    const settings = '/settings/format?name=idealista';
    const code = `ilc${'b2'.repeat(20)}`;
    await send(settings, { CustomerCode: code }, cookie);
    const form = textOf(await page('/portals/connect?portal=idealista', cookie));
    expect(form).toMatch(new RegExp(`id="CustomerCode-hint".*Already set: ${code}`));
    const connected = await send('/portals/connect?portal=idealista', { title: 'Second' }, cookie);
    expect(textOf(await follow(connected, cookie))).toContain('Second is ready');
    expect(
      (await send('/portals/contents?name=second', { ContactPhone: '912345678' }, cookie)).status,
    ).toBe(303);
    await send(settings, {}, cookie);
  });

  test('what a portal may see: proposed as the account has it, chosen, shown on its page, and changed', async () => {
    const chosen = (text: string) =>
      [...text.matchAll(/value="([^"]*)" checked/g)].map(([, name]) => name);
    const proposed = textOf(await page('/portals/connect?portal=other', cookie));
    expect(proposed).toMatch(
      /What should it get\?.*<input required="" maxlength="100" autocomplete="off" value=""/s,
    );
    expect(chosen(proposed)).toEqual([]);
    const fields = { title: 'Third', place: 'moved', withhold: 'cadastral_ref' };
    expect((await send('/portals/connect?portal=other', fields, cookie)).status).toBe(303);
    const shown =
      /Place on the map.*Moved by 200 to 400 metres.*What it may not see.*Cadastral reference/s;
    expect(textOf(await page('/portal?name=third', cookie))).toMatch(shown);
    const form = '/portals/contents?name=third';
    expect(chosen(textOf(await page(form, cookie)))).toEqual(['cadastral_ref']);
    await send(form, { place: 'exact' }, cookie);
    expect(textOf(await page('/portal?name=third', cookie))).toMatch(
      /Place on the map.*Exact(?!.*What it may not see<\/dt>)/s,
    );
  });

  test('another key: its address is shown, and the old one is closed at once if that was chosen', async () => {
    const path = '/portal?name=idealista';
    const addressIn = (text: string) =>
      />https:\/\/feeds\.example(\/feeds\/[^<]*)</.exec(text)![1]!;
    const shownAfter = async (fields: Record<string, string>) =>
      textOf(await follow(await send(path, fields, cookie), cookie));
    const first = addressIn(await shownAfter({ do: 'key' }));
    const shown = await shownAfter({ do: 'key' });
    expect(shown).toContain('The address of our feed has changed.');
    expect(shown).not.toContain('Waiting for the first request');
    const second = addressIn(shown);
    expect([(await ask(first)).status, (await ask(second)).status]).toEqual([200, 200]);
    const third = addressIn(await shownAfter({ do: 'key', close: '1' }));
    expect([(await ask(second)).status, (await ask(third)).status]).toEqual([401, 200]);
  });

  test('paused and resumed: the page says what was done, and has the other button', async () => {
    const path = '/portal?name=idealista';
    const shownAfter = async (does: string) =>
      textOf(await follow(await send(path, { do: does }, cookie), cookie));
    expect(await shownAfter('pause')).toMatch(/value="resume".*Paused\. The portal/s);
    expect(await shownAfter('resume')).toMatch(/value="pause".*Resumed\. The portal/s);
  });

  test('disconnecting it: 422 without a confirmation, then 303, and it is gone', async () => {
    const path = '/portal?name=idealista';
    expect((await send(path, { do: 'delete' }, cookie)).status).toBe(422);
    expect((await send(path, { do: 'delete', sure: '1' }, cookie)).headers.get('Location')).toBe(
      '/portals',
    );
    expect((await page(path, cookie)).status).toBe(404);
  });
});
