import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { newReader } from '../../../src/readers/api/reader.ts';
import { createReader } from '../../../src/readers/readers.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import { ask } from '../../support/worker/ask.ts';
import { BROWSER, page, signIn, textOf } from './visitor.ts';

describe('what the feed of a portal leaves out', () => {
  test('Idealista: what it refuses, also because of what the portal may not see, as in the feed', async () => {
    const { accountId } = await createAgency(env.DB, 'REFUSED', []);
    const location = { latitude: 36.5, longitude: -4.9 };
    const fine = { built_area: 90, beds: 2, bath: 1, location, country: 'Spain' };
    await store(env.DB, accountId, [
      property('FINE', { ...fine, address: 'Calle Mayor 1' }),
      property('PLACE', fine),
      property('PRICE', { ...fine, offers: { sale: { price: null } } }),
      property('SOLD', { ...fine, status: 'Sold' }),
      property('KEPT', { ...fine, address: 'Calle Mayor 2', restrictions: ['no_portals'] }),
    ]);
    const owner = await signIn('REFUSED');
    const code = `CustomerCode=ilc${'a1'.repeat(20)}`;
    const shown = async (policy: string) => {
      const name = policy === '' ? 'open' : policy.split('=')[0]!;
      const created = newReader({
        accountId,
        name,
        preset: code,
        policy,
        portal: 'idealista',
        fixed: false,
        channelId: null,
      });
      if ('errors' in created) throw new Error(JSON.stringify(created.errors));
      await createReader(env.DB, created.reader);
      const feed = await ask(`/feeds/REFUSED/${created.key}/idealista.json`);
      const codes = JSON.parse(textOf(feed)).customerProperties.map(
        (one: { propertyCode: string }) => one.propertyCode,
      );
      const portal = textOf(await page(`/portal?name=${name}`, owner));
      const preview = textOf(await page(`/feed?portal=${name}`, owner));
      expect([...preview.matchAll(/;record=(\w+)/g)].map(([, id]) => id)).toEqual(codes);
      expect(preview).toContain(`${name} gets ${codes.length} propert`);
      const list = textOf(await page(`/properties?portal=${name}`, owner));
      const figures = ['sent', 'left-out'].map((id) =>
        Number(new RegExp(`id="${id}"[^>]*>(\\d+)<`).exec(portal)?.[1]),
      );
      return {
        codes,
        figures,
        listed: [...list.matchAll(/href="\/property\?id=(\w+)"/g)].map(([, id]) => id).sort(),
      };
    };
    const [all, both] = [
      ['FINE', 'PLACE', 'KEPT'],
      ['FINE', 'PLACE'],
    ];
    expect(await shown('')).toEqual({ codes: all, figures: [3, 2], listed: all.toSorted() });
    const listed = ['FINE', 'KEPT'];
    expect(await shown('withhold=location')).toEqual({ codes: listed, figures: [2, 3], listed });
    expect(textOf(await page('/portal?name=withhold', owner))).toContain(
      'Refused by the portal: 2',
    );
    expect(await shown('kind=national_portal')).toEqual({
      codes: both,
      figures: [2, 3],
      listed: both,
    });
    expect(textOf(await page('/portal?name=kind', owner))).toContain(
      'Not for a portal of its kind: 1',
    );
  });

  test('NW, ExRented and OnlyAvailable: what they leave out, as in the feed', async () => {
    const { accountId } = await createAgency(env.DB, 'STATES', []);
    await store(env.DB, accountId, [
      property('FINE'),
      property('RENTED', { rented: true }),
      property('OPTION', { status: 'Under Offer' }),
      ...[
        property('OWN', { on_other_websites: false }),
        property('OTHERS', { on_own_website: false }),
      ],
    ]);
    const owner = await signIn('STATES');
    for (const [name, preset, left] of [
      ['all', '', ''],
      ['websites', 'NW=TRUE', 'Not marked for other websites: 2'],
      ['vacant', 'ExRented=TRUE', 'Rented: 1'],
      ['available', 'OnlyAvailable=TRUE', 'Under offer or sale agreed: 1'],
    ] as const) {
      const key = await openReader(accountId, name, preset);
      const { xml } = await fetchFeed(`U=OWNPROPERTIES@STATES&P=${key}&FV=3`);
      const sent = xml.match(/<property>/g)?.length;
      const text = textOf(await page(`/portal?name=${name}`, owner));
      expect(text).toMatch(
        new RegExp(`id="sent"[^>]*>${sent}<.*id="left-out"[^>]*>${5 - sent!}<.*${left}`, 's'),
      );
    }
  });

  test('of a portal that may see no places: what is refused of more properties than one statement reads', async () => {
    const { accountId } = await createAgency(env.DB, 'PLACES', []);
    const fine = {
      built_area: 90,
      beds: 2,
      bath: 1,
      location: { latitude: 36.5, longitude: -4.9 },
      country: 'Spain',
    };
    await store(
      env.DB,
      accountId,
      Array.from({ length: 1_001 }, (_, index) => property(`M-${index}`, fine)),
    );
    await openReader(accountId, 'idealista', `CustomerCode=ilc${'a1'.repeat(20)}`);
    await env.DB.prepare(
      "UPDATE readers SET portal = 'idealista', policy = 'withhold=location' WHERE account_id = ?",
    )
      .bind(accountId)
      .run();
    const text = textOf(await page('/portal?name=idealista', await signIn('PLACES')));
    expect(text).toMatch(
      /id="sent"[^>]*>0<.*id="left-out"[^>]*>1,001<.*Refused by the portal: 1,001/s,
    );
  });

  test('many properties: those of the report, whose parts are cached, are left out, as in the feed', async () => {
    const { accountId } = await createAgency(env.DB, 'MANY', []);
    const fine = {
      built_area: 90,
      beds: 2,
      bath: 1,
      location: { latitude: 36.5, longitude: -4.9 },
      country: 'Spain',
    };
    const properties = Array.from({ length: 60 }, (_, index) =>
      property(
        `M-${index}`,
        index % 3 === 0 ? { ...fine, offers: { sale: { price: null } } } : fine,
      ),
    );
    await store(env.DB, accountId, properties);
    const key = await openReader(accountId, 'idealista', `CustomerCode=ilc${'a1'.repeat(20)}`);
    await env.DB.prepare("UPDATE readers SET portal = 'idealista' WHERE account_id = ?")
      .bind(accountId)
      .run();
    const feed = JSON.parse(textOf(await ask(`/feeds/MANY/${key}/idealista.json`)));
    expect(feed.customerProperties).toHaveLength(40);
    const owner = await signIn('MANY');
    const read: string[] = [];
    const prepare = (statement: string) => {
      read.push(statement);
      return env.DB.prepare(statement);
    };
    const bindings = { ...env, DB: { prepare, batch: env.DB.batch.bind(env.DB) } as D1Database };
    const shown = async () =>
      textOf(
        await ask('/portal?name=idealista', { headers: { ...BROWSER, Cookie: owner } }, bindings),
      );
    expect(await shown()).toMatch(
      /id="sent"[^>]*>40<.*id="left-out"[^>]*>20<.*Refused by the portal: 20/s,
    );
    const isOfRecords = (statement: string) => statement.includes('p.document, p.pictures');
    expect(read.some(isOfRecords)).toBe(true);
    read.length = 0;
    await shown();
    expect(read.filter(isOfRecords)).toEqual([]);
  });
});
