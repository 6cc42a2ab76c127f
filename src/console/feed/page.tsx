import type { Context } from 'hono';
import { findReader } from '../../db/readers/readers.ts';
import type { AppEnv } from '../../env.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { LANGUAGE, type ParameterError } from '../../feed/formats/parameters.ts';
import { FURTHER_LANGUAGES, LANGUAGES } from '../../lib/languages.ts';
import { isoCode, languageName } from '../format.tsx';
import { Hidden, OptionList, Search } from '../frame/form.tsx';
import { Button, Card, Copyable, Notice } from '../frame/parts.tsx';
import { Pages } from '../frame/table.tsx';
import { notFoundPage } from '../guards.tsx';
import { portalPath, query } from '../paths.ts';
import { formatName } from '../portals/catalogue.ts';
import { portalView } from '../portals/portal.ts';
import { FEED } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { ListingCard } from './card.tsx';
import { errorsText, type FeedForm, type FeedOwner, MAX_SEARCH_LENGTH, parametersText, readFeedForm } from './form.ts';
import { languagesOf, ParameterFields, presetValues } from './parameters.tsx';
import { CARDS_PER_PAGE, type Preview, readPreview } from './preview.ts';

const ALL_LANGUAGES = [...LANGUAGES, ...FURTHER_LANGUAGES];

const HIDDEN_PASSWORD = '••••••';

/** A feed as it is now: what it contains, its address, and its records. */
export async function showFeed(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const name = c.req.query('portal');
  const owner = await ownerOf(c, visitor, name);
  if (owner === null && name !== undefined) return notFoundPage(visitor);
  const form = readFeedForm(c.req.queries(), visitor.language, owner);
  const { origin } = new URL(c.req.url);
  const url = `${origin}/${form.file}?${new URLSearchParams(form.given)}`;
  const preview = await readPreview(c.env.DB, visitor.account.id, owner, url, form);
  return feedPage(visitor, origin, form, preview);
}

/** Whose feed is asked for: a reader's own, or that of a named one. */
async function ownerOf(c: Context<AppEnv>, visitor: Visitor, name: string | undefined): Promise<FeedOwner | null> {
  const address = { accountId: visitor.account.id, name: visitor.reader?.name ?? name ?? '' };
  if (visitor.reader === null && name === undefined) return null;
  const found = await findReader(c.env.DB, address);
  if (found === null) return null;
  const { title, format } = portalView(found, [], visitor.now);
  return {
    name: found.name,
    title,
    format,
    preset: found.preset,
    isFixed: found.fixed,
    channel: found.channelId,
    policy: found.policy,
  };
}

function feedPage(
  visitor: Visitor,
  origin: string,
  form: FeedForm,
  preview: Preview | { readonly errors: readonly ParameterError[] },
): Page {
  const { account, language } = visitor;
  const texts = FEED[language];
  const { format, given, owner } = form;
  const preset = presetValues(owner?.preset ?? '');
  const user = `OWNPROPERTIES@${account.code}`;
  const base = `${origin}/${form.file}`;
  const chosen = parametersText(given);
  const url = `${base}?U=${user}&P=${HIDDEN_PASSWORD}`;
  const curl = `curl --compressed -u '${user}' '${base}?`;
  const found = 'errors' in preview ? 0 : preview.found;
  const title =
    owner === null ? texts.heading({ count: found }) : texts.headingOf({ title: owner.title, count: found });
  const isOwn = visitor.reader !== null;
  return {
    title: 'errors' in preview ? texts.invalid : title,
    lead: texts.lead,
    crumbs: isOwn || owner === null ? [] : [[owner.title, portalPath(owner.name)]],
    status: 'errors' in preview ? 422 : 200,
    notice: 'errors' in preview && <Notice kind="bad">{errorsText(preview.errors)}</Notice>,
    content: (
      <div class="stack">
        <form action="/feed" id="feed-form" class="stack">
          {owner !== null && !isOwn && <Hidden values={{ portal: owner.name }} />}
          <div class="bar">
            <Search name="find" label={texts.find} value={form.find} maxlength={MAX_SEARCH_LENGTH} />
            <select name="format" aria-label={texts.format}>
              <OptionList
                value={format.name}
                options={FORMATS.map((one) => [one.name, formatName(one, owner?.preset ?? parametersText(given))])}
              />
            </select>
            <select name="show" aria-label={texts.showIn}>
              <OptionList
                value={String(form.show)}
                options={languagesOf(format.feedParameters.find((one) => one.name === LANGUAGE)).map(
                  ({ code, element }) => [String(code), languageName(element, language)],
                )}
              />
            </select>
            <Button kind="primary">{texts.show}</Button>
          </div>
          <details class="card body" open={chosen !== '' || 'errors' in preview}>
            <summary>{texts.choose}</summary>
            <ParameterFields
              format={format}
              given={given}
              preset={preset}
              without={owner?.isFixed ? Object.keys(preset) : []}
              language={language}
            />
          </details>
        </form>
        {!('errors' in preview) && <Records form={form} preview={preview} />}
        <Card title={texts.addresses}>
          <div class="stack close">
            <Copyable id="url" text={chosen === '' ? url : `${url}&${chosen}`} data={{ before: `${url}&` }} />
            <p class="hint">
              {texts.hidden} {!isOwn && owner === null && <a href="/portals/connect">{texts.portalAddress}</a>}
            </p>
            <h3>{texts.command}</h3>
            <Copyable id="curl" text={`${curl}${chosen}'`} data={{ before: curl, after: "'" }} />
          </div>
        </Card>
      </div>
    ),
  };
}

function Records({ form, preview }: { form: FeedForm; preview: Preview }) {
  const { reader } = useVisitor();
  const texts = useTexts(FEED);
  const { found, listings, source } = preview;
  const element = ALL_LANGUAGES.find(({ code }) => code === preview.language)?.element ?? 'uk';
  const shown = {
    portal: reader === null ? form.owner?.name : undefined,
    format: form.format.name,
    show: String(preview.language),
    ...form.given,
  };
  if (listings.length === 0) {
    return <Card title={texts.none} empty={{ icon: 'search', text: texts.none, why: texts.noneWhy }} />;
  }
  return (
    <section id="records" aria-label={texts.source} class="stack">
      <span hidden id="found">
        {found}
      </span>
      <div class={source === null ? 'records' : 'columns'}>
        {source !== null && <Source source={source} preview={preview} back={`/feed?${query(shown)}#records`} />}
        {listings.map((listing) => (
          <ListingCard listing={listing} language={isoCode(element)}>
            {source === null && (
              <a class="link" href={`/feed?${query({ ...shown, record: listing.identifier })}#records`}>
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
          path={(page) => `/feed?${query({ ...shown, find: form.find, page: String(page) })}#records`}
        />
      )}
    </section>
  );
}

function Source({ source, preview, back }: { source: string; preview: Preview; back: string }) {
  const texts = useTexts(FEED);
  const schema = schemaOf(preview);
  return (
    <Card
      title={texts.source}
      more={
        <>
          {schema !== null && <a href={schema}>{texts.schema}</a>} · <a href={back}>{texts.back}</a>
        </>
      }
    >
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
