import { allowedText, LANGUAGE, type Parameter, type ParameterError } from '../../feed/formats/parameters.ts';
import { FURTHER_LANGUAGES, LANGUAGES } from '../../lib/languages.ts';
import { formatBytes, formatNumber, isoCode } from '../format.tsx';
import { Notice, type Page, type Visitor } from '../page.tsx';
import { query } from '../paths.ts';
import { ListingCard } from './card.tsx';
import type { FeedForm } from './form.ts';
import { CARDS_PER_PAGE, type Preview } from './preview.ts';

const ALL_LANGUAGES = [...LANGUAGES, ...FURTHER_LANGUAGES];

const HIDDEN_PASSWORD = '••••••';

/** A form with every parameter of a feed, the URL that they result in, and the records that the feed then has. */
export function feedPage(
  visitor: Visitor,
  origin: string,
  form: FeedForm,
  preview: Preview | { readonly errors: readonly ParameterError[] },
): Page {
  const { texts, account, reader } = visitor;
  const { format, formats, given } = form;
  const preset = new URLSearchParams(reader?.preset);
  const user = `OWNPROPERTIES@${account.code}`;
  const base = `${origin}/${form.file}`;
  const chosen = Object.entries(given)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&');
  const url = `${base}?U=${user}&P=${HIDDEN_PASSWORD}`;
  const curl = `curl --compressed -u '${user}' '${base}?`;
  return {
    title: texts.feed,
    status: 'errors' in preview ? 422 : 200,
    content: (
      <>
        <form action="/feed" id="feed-form">
          {formats.length > 1 && (
            <label>
              {texts.feed}
              <select name="format">
                {formats.map(({ name }) => (
                  <option value={name} selected={name === format.name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <h2>{texts.parameters}</h2>
          {reader && reader.preset !== '' && (
            <p>
              {texts.preset} <code>{reader.preset}</code>
            </p>
          )}
          <div class="parameters">
            {format.feedParameters
              .filter(({ name }) => !(reader?.isFixed && preset.has(name)))
              .map((parameter) => (
                <ParameterField
                  parameter={parameter}
                  value={given[parameter.name]}
                  presetValue={preset.get(parameter.name) ?? undefined}
                  visitor={visitor}
                />
              ))}
          </div>
          <h2>{texts.preview}</h2>
          <div class="parameters">
            <label>
              {texts.filter}
              <input name="find" type="search" value={form.find} maxlength={100} />
              <small>{`${texts.reference}, ${texts.town}, ${texts.area}`}</small>
            </label>
            <label>
              {texts.language}
              <select name="show">
                {languagesOf(format.feedParameters.find(({ name }) => name === LANGUAGE)).map(({ code, element }) => (
                  <option value={String(code)} selected={code === form.show}>
                    {languageName(element, visitor)}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <p>
            <button type="submit">{texts.apply}</button>
          </p>
        </form>
        {'errors' in preview && (
          <Notice kind="bad">
            {preview.errors.map(({ parameter, reason }) => `${parameter} ${reason}.`).join(' ')}
          </Notice>
        )}
        <h2>{texts.url}</h2>
        <div class="url">
          <pre id="url" data-before={`${url}&`}>
            {chosen === '' ? url : `${url}&${chosen}`}
          </pre>
          <CopyButton of="url" visitor={visitor} />
        </div>
        <p>
          <small>{texts.hiddenPassword}</small>
        </p>
        <h2>{texts.request}</h2>
        <div class="url">
          <pre id="curl" data-before={curl} data-after="'">
            {`${curl}${chosen}'`}
          </pre>
          <CopyButton of="curl" visitor={visitor} />
        </div>
        {!('errors' in preview) && <Records form={form} preview={preview} visitor={visitor} />}
      </>
    ),
  };
}

function CopyButton({ of, visitor: { texts } }: { readonly of: string; readonly visitor: Visitor }) {
  return (
    <button type="button" hidden data-copy={of} data-copied={texts.copied} aria-live="polite">
      {texts.copy}
    </button>
  );
}

interface FieldProps {
  readonly parameter: Parameter<unknown> & { readonly version3?: object };
  readonly value: string | undefined;
  /** The value that applies without one, from the preset of the reader that has signed in. */
  readonly presetValue: string | undefined;
  readonly visitor: Visitor;
}

function ParameterField({ parameter, value, presetValue, visitor }: FieldProps) {
  const { name, effect } = parameter;
  const { texts } = visitor;
  const { allowed } = parameter.type;
  const usual =
    presetValue === undefined ? `${texts.default}: ${defaultOf(parameter)}` : `${texts.preset}: ${presetValue}`;
  const note = `${meaningOf(effect[visitor.language])}. ${usual}`;
  if (allowed.kind === 'list') {
    const codes = value?.split(',');
    return (
      <fieldset>
        <legend>{name}</legend>
        {languagesOf(parameter).map(({ code, element }) => (
          <label class="choice">
            <input type="checkbox" name={name} value={String(code)} checked={codes?.includes(String(code))} />
            {`${code} ${languageName(element, visitor)}`}
          </label>
        ))}
        <small>{note}</small>
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={name}>{name}</label>
      {allowed.kind !== 'choice' ? (
        <input
          id={name}
          name={name}
          aria-describedby={`${name}-note`}
          inputmode={allowed.kind === 'text' ? 'text' : 'numeric'}
          value={value}
          placeholder={presetValue ?? allowedText(allowed)}
        />
      ) : (
        <select id={name} name={name} aria-describedby={`${name}-note`}>
          <option value="">{usual}</option>
          {allowed.choices.map((choice) => (
            <option value={choice} selected={choice === value}>
              {choice}
            </option>
          ))}
        </select>
      )}
      <small id={`${name}-note`}>{note}</small>
    </div>
  );
}

/** An effect as a sentence of a page. */
function meaningOf(effect: string): string {
  const meaning = effect.replaceAll('`', '');
  return `${meaning[0]!.toUpperCase()}${meaning.slice(1)}`;
}

/** The default of versions 1 and 2, and where it differs that of version 3. */
function defaultOf({ type, default: usual, version3 }: FieldProps['parameter']): string {
  const format = type.format as (value: unknown) => string;
  const [in3] = Object.values(version3 ?? {});
  return in3 === undefined ? format(usual) : `${format(usual)} (FV=3: ${format(in3)})`;
}

/** The languages that a parameter allows. */
function languagesOf(parameter: Parameter<unknown> | undefined) {
  return ALL_LANGUAGES.filter(({ code }) => parameter?.type.parse(String(code)) !== undefined);
}

function languageName(element: string, { language }: Visitor): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(isoCode(element)) ?? element;
}

/** The path of the schema of a feed: a format has one, or one for each version. */
function schemaOf({ format, parameters }: Preview): string {
  const names = format.schemas;
  const version = 'version' in parameters ? `v${parameters.version}` : '';
  return `/schemas/${names.find((name) => name.includes(version)) ?? names[0]}`;
}

type RecordsProps = { readonly form: FeedForm; readonly preview: Preview; readonly visitor: Visitor };

function Records({ form, preview, visitor }: RecordsProps) {
  const { texts, language } = visitor;
  const { found, listings, xml, feed, milliseconds } = preview;
  const pages = Math.max(1, Math.ceil(found / CARDS_PER_PAGE));
  const element = ALL_LANGUAGES.find(({ code }) => code === preview.language)?.element ?? 'uk';
  const path = (to: Readonly<Record<string, string>>) =>
    `/feed?${query({ format: form.format.name, ...form.given, show: String(preview.language), ...to })}#records`;
  const pagePath = (page: number) => path({ find: form.find, page: String(page) });
  return (
    <>
      <dl class="figures">
        <div>
          <dt>{texts.properties}</dt>
          <dd id="found">{formatNumber(found, language)}</dd>
        </div>
        <div>
          <dt>{texts.cached}</dt>
          <dd>{`${feed.cachedParts} / ${feed.parts}`}</dd>
        </div>
        <div>
          <dt>{texts.size}</dt>
          <dd>{feed.cachedParts === feed.parts ? formatBytes(feed.bytes, language) : '—'}</dd>
        </div>
        <div>
          <dt>{texts.duration}</dt>
          <dd>{`${formatNumber(milliseconds, language)} ms`}</dd>
        </div>
      </dl>
      <p>
        <small>
          ETag <code>{feed.etag}</code>
          {feed.lastModified !== null && ` · Last-Modified ${feed.lastModified}`}
        </small>
      </p>
      <h2 id="records">{texts.records}</h2>
      {listings.length === 0 ? (
        <p>{texts.noRecords}</p>
      ) : (
        <div class="records">
          {listings.map((listing) => (
            <ListingCard listing={listing} language={isoCode(element)} visitor={visitor}>
              {xml === null ? (
                <p>
                  <a href={path({ record: listing.identifier })}>{texts.details}</a>
                </p>
              ) : (
                <>
                  <p>
                    <a href={schemaOf(preview)}>{texts.schema}</a>
                  </p>
                  <pre tabindex={0}>
                    <code data-xml>{xml}</code>
                  </pre>
                </>
              )}
            </ListingCard>
          ))}
        </div>
      )}
      <nav aria-label={texts.records}>
        {form.page > 1 && (
          <a href={pagePath(form.page - 1)} rel="prev">
            {texts.previous}
          </a>
        )}
        <span>{`${form.page} / ${formatNumber(pages, language)}`}</span>
        {form.page < pages && (
          <a href={pagePath(form.page + 1)} rel="next">
            {texts.next}
          </a>
        )}
      </nav>
    </>
  );
}
