import type { Child } from 'hono/jsx';
import {
  type FeedProperty,
  readListingOrder,
  readPages,
} from '../../feed/build/feed-properties.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import {
  type FeedParameters,
  LANGUAGE,
  type ParameterError,
} from '../../feed/formats/parameters.ts';
import { applyPreset } from '../../feed/request/preset.ts';
import { folded } from '../../lib/folded.ts';
import { ELEMENTS } from '../../lib/languages.ts';
import { addressOf } from '../../properties/pictures.ts';
import { listProperties } from '../../properties/store/listings.ts';
import { policyIn } from '../../readers/policy.ts';
import { findReader } from '../../readers/readers.ts';
import { readVocabulary } from '../../vocabulary/stored.ts';
import { isoCode } from '../format.ts';
import { Hidden, Input, MAX_SEARCH_LENGTH, SearchField } from '../frame/form.tsx';
import {
  Button,
  Card,
  Copyable,
  entriesOf,
  Notice,
  Pages,
  pageIn,
  Status,
} from '../frame/parts.tsx';
import { notFoundPage } from '../pages.tsx';
import { portalPath, withQuery } from '../paths.ts';
import { formatName } from '../portals/catalogue.ts';
import { type PortalView, portalView, withoutRefused } from '../portals/portal.ts';
import {
  feedLanguage,
  inLanguage,
  pricesText,
  roomsText,
  typeText,
} from '../properties/property.ts';
import { inWords, textsOf } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import {
  errorsByName,
  givenParameters,
  languagesOf,
  ParameterFields,
  parametersText,
  presetValues,
} from './parameters.tsx';

const CARDS_PER_PAGE = 12;
const MAX_PICTURES = 4;
const MAX_DESCRIPTION_LENGTH = 160;

/** A feed as it is now: what it contains, its address, its records; without `portal`, the feed of the account's password. */
export async function showFeed(visitor: Visitor): Promise<Page> {
  const { c, db, account, language, now, reader } = visitor;
  const texts = textsOf(visitor, 'feed');
  const name = reader?.name ?? c.req.query('portal');
  const found =
    name === undefined ? undefined : await findReader(db, { accountId: account.id, name });
  if (found === null) return notFoundPage(visitor);
  const owner = found === undefined ? null : portalView(found, [], now);
  const asked = askedFor(visitor, owner);
  const { portal, errors } = asked;
  const crumbs =
    owner === null || portal === undefined ? [] : [{ name: owner.title, href: portalPath(portal) }];
  if (errors.length > 0) {
    const reasons = errors
      .map(({ parameter, problem }) => `${parameter} ${inWords(language, problem)}.`)
      .join(' ');
    const notice = <Notice kind="bad">{reasons}</Notice>;
    return {
      title: texts.invalid,
      lead: texts.lead,
      crumbs,
      status: 422,
      notice,
      content: (
        <>
          <FeedForm asked={asked} />
          <Address asked={asked} />
        </>
      ),
    };
  }
  const preview = await readPreview(visitor, asked);
  const { count } = preview;
  const title =
    owner === null ? texts.heading({ count }) : texts.headingOf({ title: owner.title, count });
  return {
    title,
    lead: texts.lead,
    crumbs,
    checkedIn: preview.checkedIn,
    content: (
      <>
        <FeedForm asked={asked} />
        <Records asked={asked} preview={preview} />
        <Address asked={asked} />
      </>
    ),
  };
}

interface AskedProps {
  readonly asked: Asked;
}

/** The choice of a format, its parameters and the records to show. */
function FeedForm({
  asked: { owner, portal, format, given, preset, find, show, errors },
}: AskedProps) {
  const { language } = useVisitor();
  const texts = useTexts('feed');
  const chosen = parametersText(given);
  const formats = FORMATS.map(
    (one) => [one.name, formatName(one, owner?.reader.preset ?? chosen, language)] as const,
  );
  const languages = languagesOf(
    format.feedParameters.find((one) => one.name === LANGUAGE)!,
    language,
  );
  const ofPreset = presetValues(preset);
  const free = format.feedParameters.filter(
    ({ name }) => !(owner?.reader.fixed && name in ofPreset),
  );
  return (
    <form action="/feed" id="feed-form" class="stack close">
      <div class="bar">
        <SearchField name="find" label={texts.find} value={find} />
        <Input name="format" label={texts.format} options={formats} value={format.name} />
        {languages.length > 1 && (
          <Input name="show" label={texts.showIn} options={languages} value={String(show)} />
        )}
        <Button text={texts.show} />
      </div>
      {portal !== undefined && <Hidden values={{ portal }} />}
      <details class="card body" open={chosen !== '' || errors.length > 0}>
        <summary>{texts.choose}</summary>
        <ParameterFields
          form={{ errors: errorsByName(errors, language) }}
          parameters={free}
          given={given}
          preset={ofPreset}
        />
      </details>
    </form>
  );
}

/** The address of the feed, without the password or key. */
function Address({ asked: { owner, format, given } }: AskedProps) {
  const { c, account } = useVisitor();
  const texts = useTexts('feed');
  const { origin } = new URL(c.req.url);
  const url = `${origin}/${format.file}?U=OWNPROPERTIES@${account.code}&P=••••••&`;
  return (
    <Card title={texts.addresses}>
      <Copyable id="url" text={`${url}${parametersText(given)}`.replace(/&$/, '')} before={url} />
      <p class="hint">
        {texts.hidden} {owner === null && <a href="/portals/connect">{texts.portalAddress}</a>}
      </p>
    </Card>
  );
}

type Asked = ReturnType<typeof askedFor>;

/**
 * What the page of a feed was asked for.
 *
 * @param owner whose feed it is; `null` for the feed of the account's password
 */
function askedFor({ c, language, reader }: Visitor, owner: PortalView | null) {
  const { searchParams } = new URL(c.req.url);
  const last = (name: string) => searchParams.getAll(name).at(-1) ?? '';
  const format =
    FORMATS.find(({ name }) => name === last('format')) ?? owner?.format ?? FORMATS[0]!;
  const given = givenParameters(format.feedParameters, searchParams);
  const {
    preset = '',
    fixed: isFixed = false,
    channelId = null,
    policy = '',
  } = owner?.reader ?? {};
  const applied = applyPreset(format, given, { preset, isFixed });
  const parsed = format.parse(applied.given);
  return {
    owner,
    format,
    given,
    preset,
    channelId,
    /** The portal's name, unless it is the portal that looks at its own feed. */
    portal: reader === null ? owner?.name : undefined,
    parameters: { ...(parsed.parameters as FeedParameters), policy: policyIn(policy) },
    errors: [...applied.errors, ...parsed.errors] as readonly ParameterError[],
    /** What the records to show contain; empty for all. */
    find: last('find').trim().slice(0, MAX_SEARCH_LENGTH),
    /** The identifier of a single property to show with its records as source; empty for all. */
    record: last('record'),
    page: pageIn(last('page')),
    /** The code of the language of the cards. */
    show: Number(last('show')) || feedLanguage(language).code,
  };
}

type Preview = Awaited<ReturnType<typeof readPreview>>;

/** Reads one page of the records of a feed, however large it is, with the code that builds feeds. */
async function readPreview(visitor: Visitor, asked: Asked) {
  const { db, account } = visitor;
  const { format, parameters, channelId, find, record, page, show } = asked;
  const { languages } = parameters;
  const { numbers: selected } = await readListingOrder(db, account.id, parameters, channelId);
  const { numbers, checkedIn } = await withoutRefused(
    visitor,
    { format, parameters, reader: { channelId } },
    selected,
  );
  const wanted = {
    numbers,
    identifiers: record === '' ? undefined : [record],
    order: parameters.listingDate ? 'listed' : 'added',
  } as const;
  const [all, vocabulary] = await Promise.all([
    listProperties(db, account.id, wanted),
    readVocabulary(db, account.id),
  ]);
  // What a reader may not see is not searched for it.
  const matching = all.filter(({ identifier, reference, town, area }) =>
    folded([identifier, reference, town, area].join('\n')).includes(folded(find)),
  );
  const listed = entriesOf(matching, page, CARDS_PER_PAGE);
  const scope = { numbers: JSON.stringify(listed.map(({ number }) => number)) };
  const reading = {
    accountId: account.id,
    selection: parameters,
    needs: format,
    channel: channelId,
  };
  const found: FeedProperty[] = [];
  for await (const { read } of readPages(db, reading, scope)) found.push(...read.rows);
  const rows = listed.flatMap(({ identifier }) => found.find((row) => row.id === identifier) ?? []);
  const written = () =>
    format.writeProperties(rows, parameters, format.renderDictionary(vocabulary, languages)).text;
  return {
    rows,
    /** Seconds until the properties should be checked that the feed may refuse. */
    checkedIn,
    /** How many properties the feed lists. */
    count: numbers.length,
    /** How many of them match the search. */
    found: matching.length,
    types: vocabulary.types,
    /** The code of the language of the cards, one of the feed's. */
    language: languages.find((code) => code === show) ?? languages[0]!,
    /** The records as the feed has them, if a single property is shown; a property can have several. */
    source: record === '' ? null : written(),
  };
}

type RecordsProps = AskedProps & { readonly preview: Preview };

/** The records of a feed as cards, or those of one property with their source. */
function Records({ asked, preview }: RecordsProps) {
  const texts = useTexts('feed');
  const { found, rows, source, language } = preview;
  const { portal, format, given, find, page } = asked;
  const shown = { portal, format: format.name, show: String(language), ...given };
  const pathOf = (more: Readonly<Record<string, string>>) =>
    `${withQuery('/feed', { ...shown, ...more })}#records`;
  if (rows.length === 0) {
    const isEmpty = preview.count === 0;
    const none = isEmpty ? texts.empty : texts.none;
    const why = isEmpty ? texts.emptyWhy : texts.noneWhy;
    return <Card title={none} empty={{ icon: 'search', text: none, why }} />;
  }
  const query = { ...shown, find };
  const schema = schemaOf(asked);
  const links = (
    <>
      {schema !== null && <a href={schema}>{texts.schema}</a>} ·{' '}
      <a href={pathOf({})}>{texts.back}</a>
    </>
  );
  return (
    <section id="records" aria-label={texts.source} class="stack">
      <span hidden id="found">
        {found}
      </span>
      <div class={source === null ? 'records' : 'columns'}>
        {source !== null && (
          <Card title={texts.source} more={links}>
            <pre tabindex={0}>
              <code data-source>{source}</code>
            </pre>
          </Card>
        )}
        {rows.map((row) => (
          <ListingCard row={row} asked={asked} preview={preview}>
            {source === null && (
              <a class="link" href={pathOf({ record: row.id })}>
                {texts.details}
              </a>
            )}
          </ListingCard>
        ))}
      </div>
      {source === null && (
        <Pages
          page={page}
          total={found}
          perPage={CARDS_PER_PAGE}
          path="/feed"
          query={query}
          hash="#records"
        />
      )}
    </section>
  );
}

/** The path of the schema of a feed: a format has one, one for each version, or none. */
function schemaOf({ format: { schemas }, parameters }: Asked): string | null {
  const version = 'version' in parameters ? `v${parameters.version}` : '';
  const name = schemas.find((one) => one.includes(version)) ?? schemas[0];
  return name === undefined ? null : `/schemas/${name}`;
}

/** What the cards show of a property: what every format has. */
type ShownProperty = FeedProperty<
  'ref' | 'type' | 'status' | 'area' | 'town' | 'currency' | 'offers' | 'beds' | 'bath'
>;

type CardProps = RecordsProps & { row: ShownProperty; children: Child };

/** A property of a feed as a card: what a reader of the feed learns, in one language. */
function ListingCard({
  row,
  asked: { parameters },
  preview: { language, types },
  children,
}: CardProps) {
  const visitor = useVisitor();
  const texts = useTexts('feed');
  const reference = row.ref;
  const element = ELEMENTS.get(language) ?? 'uk';
  const { labels = {} } = types.find(({ code }) => code === row.type) ?? {};
  const label = inLanguage(labels, element);
  const type = label === undefined ? row.type : typeText(label.type, label.subtype);
  const text = row.descriptions[parameters.languages.indexOf(language)] ?? '';
  const pictures = row.pictures.map(addressOf).filter((address) => /^https?:/.test(address));
  const [cover, ...others] = pictures.slice(0, MAX_PICTURES);
  const picture = (src: string, alt: string, kind?: string) => (
    <img
      class={kind}
      src={src}
      alt={`${alt}, ${reference}`}
      loading="lazy"
      referrerpolicy="no-referrer"
    />
  );
  return (
    <article class="card">
      {cover !== undefined && picture(cover, type, 'cover')}
      <div class="body stack close">
        <div>
          <h2>{[type, row.area, row.town].filter(Boolean).join(', ') || reference}</h2>
          <span class="small muted">{reference}</span>
        </div>
        {pricesText(row.currency, offersIn(row, parameters), visitor).map((price) => (
          <b>{price}</b>
        ))}
        <div class="actions">
          <Status status={row.status} />
          <span class="small muted">{roomsText(row.beds, row.bath, visitor.language)}</span>
        </div>
        <p lang={isoCode(element)} class="small">
          {shortened(text)}
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

/** The offers of a property that a feed shows. */
function offersIn(
  { offers }: ShownProperty,
  { category, shortTerm }: FeedParameters,
): ShownProperty['offers'] {
  const hasRents = category !== 'SALE';
  return {
    sale: category === 'RENT' ? null : offers.sale,
    long_term: hasRents ? offers.long_term : null,
    short_term: hasRents && shortTerm ? offers.short_term : null,
  };
}

function shortened(text: string): string {
  return text.length > MAX_DESCRIPTION_LENGTH
    ? `${text.slice(0, MAX_DESCRIPTION_LENGTH).trimEnd()}…`
    : text;
}
