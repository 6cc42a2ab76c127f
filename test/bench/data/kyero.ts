import { escapeXml } from '../../../src/lib/bytes/xml.ts';
import type { PropertyDocument } from '../../../src/portfolio/documents.ts';
import { portfolio } from './portfolio.ts';

/** A Kyero v3 feed of so many properties, in chunks; the same in every run. */
export function* kyeroFeed(properties: number): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<root>\n<kyero><feed_version>3</feed_version></kyero>\n';
  for (const document of portfolio(properties)) if (document.kind === 'property') yield record(document);
  yield '</root>\n';
}

function record(p: PropertyDocument): string {
  const price = p.offers.sale?.price ?? p.offers.long_term?.rent ?? p.offers.short_term?.low ?? 'x';
  const frequency = p.offers.sale ? 'sale' : p.offers.long_term ? 'month' : 'week';
  const texts = Object.entries(p.texts).map(([element, text]) =>
    node(element === 'uk' ? 'en' : element, text?.description ?? ''),
  );
  return `<property>
${node('id', p.id)}<date>${p.listed_at.slice(0, 19).replace('T', ' ')}</date>${node('ref', p.ref)}
<price>${price}</price><currency>EUR</currency><price_freq>${frequency}</price_freq>
${node('type', p.type)}${node('town', p.town)}${node('province', p.province)}${node('country', p.country ?? '')}
<location><latitude>${p.location?.latitude}</latitude><longitude>${p.location?.longitude}</longitude></location>
<beds>${p.beds}</beds><baths>${Math.floor(p.bath)}</baths><pool>${Number(p.has_pool)}</pool>
<surface_area><built>${p.built_area}</built><plot>${p.plot_area ?? ''}</plot></surface_area>
<desc>${texts.join('')}</desc>
<features>${p.features.map((code) => node('feature', code.split('/')[1] ?? code)).join('\n')}</features>
<images>${p.pictures.map((url, index) => `<image id="${index + 1}">${node('url', url)}</image>`).join('\n')}</images>
</property>
`;
}

function node(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}
