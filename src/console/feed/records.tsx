import type { Child } from 'hono/jsx';
import { type FeedProperty, readListingOrder, readPages } from '../../db/feed/feed-properties.ts';
import { findProperties, findProperty, readIdentifiers } from '../../db/feed/preview.ts';
import { readVocabulary, type TypeLabel } from '../../db/vocabulary.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import type { FeedParameters, ParameterError } from '../../feed/formats/parameters.ts';
import { applyPreset } from '../../feed/request/preset.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import { ELEMENTS } from '../../lib/languages.ts';
import { policyIn } from '../../portfolio/policy.ts';
import { isoCode } from '../format.tsx';
import { Card, Status } from '../frame/parts.tsx';
import { Pages } from '../frame/table.tsx';
import { query } from '../paths.ts';
import { type Offers, pricesText, roomsText } from '../properties/property.ts';
import { FEED } from '../texts/texts.ts';
import { useTexts, useVisit } from '../visit.ts';
import type { FeedForm } from './form.ts';

const CARDS_PER_PAGE = 12;
const MAX_PICTURES = 4;
const MAX_DESCRIPTION_LENGTH = 160;
const ENGLISH_CODE = 1;

/** A page of the records of a feed. */
interface Preview {
  readonly format: FeedFormat;
  readonly parameters: FeedParameters;
  /** How many properties of the feed match the search. */
  readonly found: number;
  /** The properties of this page. */
  readonly rows: readonly FeedProperty[];
  /** The account's names of types. */
  readonly types: readonly TypeLabel[];
  /** The code of the language of the cards, one of the feed's. */
  readonly language: number;
  /** The records as the feed has them, if a single property is shown; a property can have several. */
  readonly source: string | null;
}

/** Reads one page of the records of a feed, however large it is, with the code that builds feeds. */
export async function readPreview(
  db: D1Database,
  accountId: number,
  { owner, format, given, find, record, page, show }: FeedForm,
): Promise<Preview | { readonly errors: readonly ParameterError[] }> {
  const { preset, fixed, channelId, policy } = owner?.reader ?? {
    preset: '',
    fixed: false,
    channelId: null,
    policy: '',
  };
  const applied = applyPreset(format, given, { preset, isFixed: fixed });
  const parsed = format.parse(applied.given);
  const errors = [...applied.errors, ...parsed.errors];
  if (errors.length > 0) return { errors };
  const parameters = { ...parsed.parameters, policy: policyIn(policy) };
  const [{ numbers }, matches] = await Promise.all([
    readListingOrder(db, accountId, parameters, channelId),
    record !== '' ? findProperty(db, accountId, record) : find === '' ? null : findProperties(db, accountId, find),
  ]);
  const matching = matches === null ? numbers : numbers.filter((number) => matches.has(number));
  const inOrder = parameters.listingDate ? matching : matching.toSorted((a, b) => a - b);
  const shown = inOrder.slice((page - 1) * CARDS_PER_PAGE, page * CARDS_PER_PAGE);
  const scope = { numbers: JSON.stringify(shown) };
  const found: FeedProperty[] = [];
  for await (const { rows } of readPages(db, accountId, scope, parameters, format, channelId)) found.push(...rows);
  const [identifiers, vocabulary] = await Promise.all([
    readIdentifiers(db, accountId, shown),
    readVocabulary(db, accountId),
  ]);
  const rows = shown.flatMap((number) => found.find(({ identifier }) => identifier === identifiers.get(number)) ?? []);
  const { languages } = parameters;
  const written = () => format.writeProperties(rows, parameters, format.renderDictionary(vocabulary, languages)).chunks;
  return {
    format,
    parameters,
    found: matching.length,
    rows,
    types: vocabulary.types,
    language: languages.find((code) => code === show) ?? languages[0]!,
    source: record === '' ? null : new TextDecoder().decode(concatenate(written())),
  };
}

/** The records of a feed as cards, or those of one property with their source. */
export function Records({ form, preview }: { form: FeedForm; preview: Preview }) {
  const { reader, texts } = useVisit(FEED);
  const { found, rows, source, language } = preview;
  const shown = {
    portal: reader === null ? form.owner?.name : undefined,
    format: form.format.name,
    show: String(language),
    ...form.given,
  };
  const pathOf = (more: Readonly<Record<string, string>>) => `/feed?${query({ ...shown, ...more })}#records`;
  if (rows.length === 0) {
    return <Card title={texts.none} empty={{ icon: 'search', text: texts.none, why: texts.noneWhy }} />;
  }
  return (
    <section id="records" aria-label={texts.source} class="stack">
      <span hidden id="found">
        {found}
      </span>
      <div class={source === null ? 'records' : 'columns'}>
        {source !== null && <Source source={source} schema={schemaOf(preview)} back={pathOf({})} />}
        {rows.map((row) => (
          <ListingCard row={row} preview={preview}>
            {source === null && (
              <a class="link" href={pathOf({ record: row.identifier })}>
                {texts.details}
              </a>
            )}
          </ListingCard>
        ))}
      </div>
      {source === null && (
        <Pages
          page={form.page}
          total={found}
          perPage={CARDS_PER_PAGE}
          path={(page) => pathOf({ find: form.find, page: String(page) })}
        />
      )}
    </section>
  );
}

function Source({ source, schema, back }: { source: string; schema: string | null; back: string }) {
  const texts = useTexts(FEED);
  const more = (
    <>
      {schema !== null && <a href={schema}>{texts.schema}</a>} · <a href={back}>{texts.back}</a>
    </>
  );
  return (
    <Card title={texts.source} more={more}>
      <pre tabindex={0}>
        <code data-source>{source}</code>
      </pre>
    </Card>
  );
}

/** The path of the schema of a feed: a format has one, one for each version, or none. */
function schemaOf({ format, parameters }: Preview): string | null {
  const version = 'version' in parameters ? `v${parameters.version}` : '';
  const name = format.schemas.find((one) => one.includes(version)) ?? format.schemas[0];
  return name === undefined ? null : `/schemas/${name}`;
}

/** A property of a feed as a card: what a reader of the feed learns, in one language. */
function ListingCard({ row, preview, children }: { row: FeedProperty; preview: Preview; children: Child }) {
  const { visitor, texts } = useVisit(FEED);
  const { format, parameters, language } = preview;
  const reference = row.reference || row.identifier;
  const type = typeName(row, preview);
  const text = row.descriptions[parameters.languages.indexOf(language)] ?? '';
  const pictures = (row.pictures ?? '').split('\n').filter((address) => /^https?:/.test(address));
  const [cover, ...others] = pictures.slice(0, MAX_PICTURES);
  const picture = (src: string, alt: string, kind?: string) => (
    <img class={kind} src={src} alt={`${alt}, ${reference}`} loading="lazy" referrerpolicy="no-referrer" />
  );
  return (
    <article class="card">
      {cover !== undefined && picture(cover, type, 'cover')}
      <div class="body stack close">
        <div>
          <h2>{[type, row.area, row.town].filter(Boolean).join(', ') || reference}</h2>
          <span class="small muted">{reference}</span>
        </div>
        {pricesText(offersOf(row, parameters), visitor).map((price) => (
          <b>{price}</b>
        ))}
        <div class="actions">
          <Status status={row.status} />
          <span class="small muted">{roomsText(row.beds, row.bath, visitor.language)}</span>
        </div>
        <p lang={isoCode(ELEMENTS.get(language) ?? 'uk')} class="small">
          {shortened(format.withAddresses ? text.slice(text.indexOf('\n') + 1) : text)}
        </p>
        {others.length > 0 && (
          <div class="pictures">
            {others.map((address, index) => picture(address, `${texts.picture} ${index + 2}`))}
          </div>
        )}
        {children}
      </div>
    </article>
  );
}

/** Type and subtype. */
function typeName({ type_id }: FeedProperty, { types, language }: Preview): string {
  const labels = types.filter(({ id }) => id === type_id);
  const named = (code: number) => labels.find((label) => label.language === code && label.type !== null);
  const label = named(language) ?? named(ENGLISH_CODE) ?? labels[0];
  return [label?.type, label?.subtype].filter(Boolean).join(' – ') || (label?.code ?? '');
}

/** The offers of a property that a feed shows. */
function offersOf(row: FeedProperty, parameters: FeedParameters): Offers {
  const { category } = parameters;
  // Only one format leaves short-term rentals out.
  const showsShortTerm = !('shortTerm' in parameters) || parameters.shortTerm === true;
  const isShort = row.for_short_term === 1 && category !== 'SALE' && showsShortTerm;
  return {
    currency: row.currency,
    ...(row.for_sale === 1 && category !== 'RENT' && { sale: row.sale_price }),
    ...(row.for_long_term === 1 && category !== 'SALE' && { month: row.monthly_rent }),
    ...(isShort && { weeks: [row.low_season_rent, row.high_season_rent] }),
  };
}

function shortened(text: string): string {
  const plain = text.replaceAll(/<[^>]*>/g, ' ').trim();
  return plain.length > MAX_DESCRIPTION_LENGTH ? `${plain.slice(0, MAX_DESCRIPTION_LENGTH).trimEnd()}…` : plain;
}
