import { LANGUAGE, type Parameter, type ParameterError } from '../../feed/formats/parameters.ts';
import { FURTHER_LANGUAGES, LANGUAGES } from '../../lib/languages.ts';
import { formatBytes, formatNumber, isoCode } from '../format.tsx';
import { Notice, type Page, type Visitor } from '../page.tsx';
import { query } from '../paths.ts';
import { RecordCard, RecordXml } from './card.tsx';
import type { FeedForm } from './form.ts';
import { type Preview, RECORDS } from './preview.ts';

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
  const fixed = reader?.isFixed ? new URLSearchParams(reader.preset) : null;
  const user = `OWNPROPERTIES@${account.code}`;
  const base = `${origin}/${form.file}`;
  const chosen = Object.entries(given)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&');
  const url = `${base}?U=${user}&P=${HIDDEN_PASSWORD}`;
  const curl = `curl --compressed -u '${user}' '${base}?`;
  return {
    title: texts.feed,
    policy: "img-src 'self' https: http: data:",
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
              .filter(({ name }) => !fixed?.has(name))
              .map((parameter) => (
                <ParameterField parameter={parameter} value={given[parameter.name]} visitor={visitor} />
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
  readonly visitor: Visitor;
}

function ParameterField({ parameter, value, visitor }: FieldProps) {
  const { name, type } = parameter;
  const { texts } = visitor;
  const { allowed } = type;
  const meaning = (texts.meanings[name] ?? name).replaceAll('`', '');
  const note = `${meaning[0]!.toUpperCase()}${meaning.slice(1)}. ${texts.default}: ${defaultOf(parameter)}`;
  if (allowed.endsWith('separated by commas')) {
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
        <small>{`${texts.default}: ${defaultOf(parameter)}`}</small>
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={name}>{name}</label>
      {/\d to \d/.test(allowed) ? (
        <input
          id={name}
          name={name}
          aria-describedby={`${name}-note`}
          inputmode="numeric"
          value={value}
          placeholder={allowed}
        />
      ) : (
        <select id={name} name={name} aria-describedby={`${name}-note`}>
          <option value="">{texts.default}</option>
          {allowed.split(', ').map((choice) => (
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
  const { found, records, feed, milliseconds } = preview;
  const pages = Math.max(1, Math.ceil(found / RECORDS));
  const codes = preview.parameters.languages;
  const code = codes.find((other) => other === form.show) ?? codes[0];
  const element = ALL_LANGUAGES.find((other) => other.code === code)?.element ?? 'uk';
  const path = (to: Readonly<Record<string, string>>) =>
    `/feed?${query({ format: form.format.name, ...form.given, show: String(code), ...to })}#records`;
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
      {records.length === 0 ? (
        <p>{texts.noRecords}</p>
      ) : (
        <div class="records">
          {records.map(({ property, xml }) => (
            <RecordCard xml={xml} element={element} visitor={visitor}>
              {form.record === '' ? (
                <p>
                  <a href={path({ record: property })}>{texts.details}</a>
                </p>
              ) : (
                <RecordXml xml={xml} schema={schemaOf(preview)} texts={texts} />
              )}
            </RecordCard>
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
