import { escapeXml } from '../../../src/lib/bytes/xml.ts';
import type { PropertyDocument } from '../../../src/properties/documents.ts';
import { addressOf } from '../../../src/properties/pictures.ts';
import { kyeroRecord } from '../../support/documents/kyero.ts';
import { portfolio } from './portfolio.ts';

/** A Kyero v3 feed of this many properties, in chunks; the same in every run. */
export function* kyeroFeed(properties: number): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<root>\n<kyero><feed_version>3</feed_version></kyero>\n';
  for (const document of portfolio(properties))
    if (document.kind === 'property') yield record(document);
  yield '</root>\n';
}

function record(p: PropertyDocument): string {
  const node = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;
  const { sale, long_term, short_term } = p.offers;
  return kyeroRecord(p.id, {
    ref: p.ref,
    price: String(sale?.price ?? long_term?.rent ?? short_term?.low ?? 'x'),
    price_freq: sale ? 'sale' : long_term ? 'month' : 'week',
    ...{
      type: p.type,
      town: escapeXml(p.town),
      province: escapeXml(p.province),
      country: escapeXml(p.country ?? ''),
    },
    location:
      node('latitude', `${p.location?.latitude}`) + node('longitude', `${p.location?.longitude}`),
    ...{
      beds: String(p.beds),
      baths: String(Math.floor(p.bath)),
      pool: String(Number(p.has_pool)),
    },
    surface_area: node('built', `${p.built_area}`) + node('plot', `${p.plot_area ?? ''}`),
    desc: Object.entries(p.texts)
      .map(([element, text]) => node(element === 'uk' ? 'en' : element, text?.description ?? ''))
      .join(''),
    features: p.features.map((code) => node('feature', code.split('/')[1] ?? code)).join(''),
    images: p.pictures
      .map(
        (picture, index) => `<image id="${index + 1}">${node('url', addressOf(picture))}</image>`,
      )
      .join(''),
  });
}
