import type { Child } from 'hono/jsx';
import { formatNumber, isoCode } from '../format.tsx';
import type { Visitor } from '../page.tsx';
import type { Texts } from '../texts/texts.ts';

/** A record as a card: what a reader of the feed learns from it, in one language. */
export function RecordCard({ xml, element, visitor, children }: CardProps) {
  const { texts, language } = visitor;
  const labels = ['type', 'subtype'].map((name) => inLanguage(xml, name, element)).filter(Boolean);
  const price = Number(textOf(xml, 'price')) || 0;
  const place = [textOf(xml, 'area') ?? textOf(xml, 'location_detail'), textOf(xml, 'town')].filter(Boolean).join(', ');
  const picture = textOf(textOf(xml, 'images', false) ?? '', 'url');
  const reference = textOf(xml, 'ref') ?? textOf(xml, 'id') ?? '';
  const status = textOf(xml, 'status') ?? '';
  const facts = [
    `${texts.beds} ${textOf(xml, 'beds') ?? '0'}`,
    `${texts.baths} ${textOf(xml, 'baths') ?? '0'}`,
    texts.statuses[status] ?? status,
  ].filter(Boolean);
  return (
    <article class="card">
      {picture?.startsWith('http') && <img src={picture} alt="" loading="lazy" referrerpolicy="no-referrer" />}
      <h3>{labels.join(' – ') || reference}</h3>
      <p>
        <strong>{`${formatNumber(price, language)} ${textOf(xml, 'currency') ?? ''}`}</strong> · {place}
      </p>
      <p>
        {texts.reference} {reference} · {facts.join(' · ')}
      </p>
      <p lang={isoCode(element)}>
        {shortened(inLanguage(xml, 'description', element) ?? inLanguage(xml, 'desc', isoCode(element)))}
      </p>
      {children}
    </article>
  );
}

interface XmlProps {
  readonly xml: string;
  /** The path of the feed's XML Schema, against which the page's script checks the record. */
  readonly schema: string;
  readonly texts: Texts;
}

/** A record as it is in the feed, which the page's script makes readable, with a place for whether it is valid. */
export function RecordXml({ xml, schema, texts }: XmlProps) {
  return (
    <>
      <p role="status" data-valid={texts.valid} data-invalid={texts.notValid} />
      <pre tabindex={0}>
        <code data-schema={schema}>{xml}</code>
      </pre>
    </>
  );
}

interface CardProps {
  readonly xml: string;
  /** The element of the language. */
  readonly element: string;
  readonly visitor: Visitor;
  readonly children: Child;
}

const MAX_DESCRIPTION = 160;

function shortened(text: string | undefined): string {
  const plain = (text ?? '').replaceAll(/<[^>]*>/g, ' ').trim();
  return plain.length > MAX_DESCRIPTION ? `${plain.slice(0, MAX_DESCRIPTION).trimEnd()}…` : plain;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', apos: "'", quot: '"', '#13': '\r' };

/** The text of an element in a language, or without one if it has no languages. */
function inLanguage(xml: string, name: string, element: string): string | undefined {
  const inside = textOf(xml, name, false) ?? '';
  return inside.includes('<') ? textOf(inside, element) : textOf(xml, name);
}

/** What is between the tags of the first element with a name; the feed writes elements without attributes here. */
function textOf(xml: string, name: string, asText = true): string | undefined {
  const [, inside] = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml) ?? [];
  if (!asText || inside === undefined) return inside;
  return inside.replaceAll(/&(#13|\w+);/g, (entity, of: string) => ENTITIES[of] ?? entity);
}
