import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { type PropertyDocument, parseDocument } from '../../../src/properties/documents.ts';
import { store } from '../../support/accounts/portfolio.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { documents, everything, load, openImporter, properties, theProperty } from './importing.ts';

describe('import of a Kyero feed again', () => {
  test('with nodes that are now empty: their values are removed', async () => {
    const agency = await openImporter();
    const nodes = { postcode: '29600', video_url: 'https://v.example', community_fees: '90' };
    const surface_area = (terrace: string) => `<built>100</built><terrace>${terrace}</terrace>`;
    await load(
      agency,
      kyeroFeed([kyeroRecord('K', { ...nodes, surface_area: surface_area('20') })]),
    );
    const empty = { postcode: '', video_url: '', community_fees: '' };
    await load(agency, kyeroFeed([kyeroRecord('K', { ...empty, surface_area: surface_area('') })]));
    const { postcode, video_url, community_fees, terrace_area, built_area } =
      await theProperty(agency);
    expect([postcode, video_url, community_fees, terrace_area, built_area]).toEqual([
      null,
      null,
      null,
      null,
      100,
    ]);
  });

  test('unchanged: nothing changes, and no revision advances', async () => {
    const agency = await openImporter();
    const feed = kyeroFeed([
      kyeroRecord('a', {
        features: '<feature>Pool View</feature><feature>New one</feature>',
        date: null,
      }),
      kyeroRecord('b', { price_freq: 'week' }),
    ]);
    await load(agency, feed);
    const before = await everything(agency);
    expect(await load(agency, feed)).toMatchObject({ written: 0, unchanged: 2, withdrawn: 0 });
    expect(await everything(agency)).toEqual(before);
  });

  test('changed: its values are updated, and fields without a node in the format stay the same', async () => {
    const agency = await openImporter();
    await load(
      agency,
      kyeroFeed([
        kyeroRecord('a', { baths: '4', beds: '1', postcode: '29660', desc: '<en>x</en>' }),
      ]),
    );
    const [stored] = await properties(agency);
    const own: PropertyDocument = {
      ...stored!,
      bath: 4.5,
      rented: true,
      on_own_website: false,
      status: 'Under Offer',
      listed_at: '2020-01-01T00:00:00Z',
      has_garage: true,
      ibi_fees: 700,
      offers: { ...stored!.offers, sale: { price: 250_000, minimum_price: 200_000 } },
      texts: { ...stored!.texts, pl: { title: null, description: 'Willa', url: null } },
      updated_at: '2026-01-01T00:00:00Z',
    };
    await store(env.DB, agency, [own]);
    await load(
      agency,
      kyeroFeed([
        kyeroRecord('a', {
          baths: '4',
          price: '260000',
          date: '2026-04-01 00:00:00',
          desc: '<es>y</es>',
        }),
      ]),
    );
    const after = await theProperty(agency);
    expect(after.updated_at! > own.updated_at!).toBe(true);
    expect(after).toEqual({
      ...own,
      beds: 0,
      source_changed_at: '2026-04-01T00:00:00Z',
      offers: { ...own.offers, sale: { price: 260_000, minimum_price: 200_000 } },
      texts: {
        es: { title: null, description: 'y', url: null },
        pl: { title: null, description: 'Willa', url: null },
      },
      updated_at: after.updated_at,
    });
  });

  test('of properties that somebody has withdrawn, sold or reserved: their statuses stay', async () => {
    const agency = await openImporter();
    const { DB: db } = env;
    await load(agency, kyeroFeed(['a', 'b', 'c'].map((id) => kyeroRecord(id))));
    const status = (id: string, status: string) =>
      db
        .prepare(
          `UPDATE properties SET document = json_set(document, '$.status', ?3)
            WHERE account_id = ?1 AND identifier = ?2`,
        )
        .bind(agency, id, status)
        .run();
    await status('a', 'Withdrawn');
    await status('b', 'Sold');
    await status('c', 'Under Offer');
    await load(agency, kyeroFeed(['a', 'b', 'c'].map((id) => kyeroRecord(id))));
    expect((await properties(agency)).map(({ status }) => status)).toEqual([
      'Withdrawn',
      'Sold',
      'Under Offer',
    ]);
  });

  test('existing labels stay the same', async () => {
    const agency = await openImporter();
    const feed = kyeroFeed([
      kyeroRecord('a', { features: '<feature>Sea View</feature><feature>Helipad</feature>' }),
    ]);
    await load(agency, feed);
    await store(env.DB, agency, [
      parseDocument({
        kind: 'feature',
        code: 'Views: Sea',
        category: 'Views',
        labels: { uk: 'Ocean' },
      }),
    ]);
    await load(agency, feed);
    const labels = async () =>
      (await documents(agency)).flatMap((d) =>
        d.kind === 'feature' ? [[d.code, d.category, d.labels.uk]] : [],
      );
    expect(await labels()).toEqual([
      ['Views: Sea', 'Views', 'Ocean'],
      ['Helipad', 'Features', 'Helipad'],
    ]);
  });

  const labelsOfFeatures = async (agency: number) =>
    (await documents(agency)).flatMap((d) =>
      d.kind === 'feature' ? [[d.code, d.category, d.labels]] : [],
    );

  test.each(['first', 'last'])(
    'a new feature, its name without language %s: all its labels are merged',
    async (place) => {
      const agency = await openImporter();
      const records = [
        '<feature>Zip line</feature>',
        '<feature><en>Zip line</en><es>Tirolina</es></feature>',
        '<feature><en>Zip line</en><es>Cable</es><de>Seilrutsche</de></feature>',
      ].map((features, index) => kyeroRecord(`p${index}`, { features }));
      if (place === 'last') records.push(records.shift()!);
      await load(agency, kyeroFeed(records));
      const labels = { uk: 'Zip line', es: 'Tirolina', de: 'Seilrutsche' };
      expect(await labelsOfFeatures(agency)).toEqual([['Zip line', 'Features', labels]]);
    },
  );
});
