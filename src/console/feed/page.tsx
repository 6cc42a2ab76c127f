import type { Context } from 'hono';
import { findReader } from '../../db/readers/readers.ts';
import type { AppEnv } from '../../env.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { LANGUAGE } from '../../feed/formats/parameters.ts';
import { languageName } from '../format.ts';
import { Filters, Hidden } from '../frame/form.tsx';
import { Card, Copyable, Notice } from '../frame/parts.tsx';
import { notFoundPage } from '../pages.tsx';
import { portalPath } from '../paths.ts';
import { formatName } from '../portals/catalogue.ts';
import { portalView } from '../portals/portal.ts';
import { detailIn } from '../texts/texts.ts';
import { type Page, type Visitor, withTexts } from '../visit.ts';
import { fileOf, languagesOf, ParameterFields, parametersText, presetValues } from './parameters.tsx';
import { askedFor, Records, readPreview } from './records.tsx';

const HIDDEN_PASSWORD = '••••••';

/** A feed as it is now: what it contains, its address, and its records. Without an owner it is the one of the password. */
export async function showFeed(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, language, now, reader, texts } = withTexts(visitor, 'feed');
  const name = reader?.name ?? c.req.query('portal');
  const found = name === undefined ? undefined : await findReader(c.env.DB, { accountId: account.id, name });
  if (found === null) return notFoundPage(visitor);
  const owner = found === undefined ? null : portalView(found, [], now);
  const isOwn = reader !== null;
  const asked = askedFor(c, language, owner);
  const { format, given } = asked;
  const preview = await readPreview(c.env.DB, account.id, asked);
  const errors = 'errors' in preview ? preview.errors : null;
  const count = 'errors' in preview ? 0 : preview.found;
  const preset = presetValues(owner?.reader.preset ?? '');
  const languages = languagesOf(format.feedParameters.find((one) => one.name === LANGUAGE)).map(
    ({ code, element }) => [String(code), languageName(element, language)] as const,
  );
  const chosen = parametersText(given);
  const formats = FORMATS.map((one) => [one.name, formatName(one, owner?.reader.preset ?? chosen, language)] as const);
  const user = `OWNPROPERTIES@${account.code}`;
  const base = `${new URL(c.req.url).origin}/${fileOf(format)}?`;
  const url = `${base}U=${user}&P=${HIDDEN_PASSWORD}`;
  const curl = `curl --compressed -u '${user}' '${base}`;
  const title = owner === null ? texts.heading({ count }) : texts.headingOf({ title: owner.title, count });
  return {
    title: errors ? texts.invalid : title,
    lead: texts.lead,
    crumbs: isOwn || owner === null ? [] : [[owner.title, portalPath(owner.name)]],
    status: errors ? 422 : 200,
    notice: errors && (
      <Notice kind="bad">
        {errors.map(({ parameter, reason }) => `${parameter} ${detailIn(language, reason)}.`).join(' ')}
      </Notice>
    ),
    content: (
      <div class="stack">
        <Filters
          action="/feed"
          id="feed-form"
          search={{ name: 'find', label: texts.find }}
          choices={[
            ['format', texts.format, formats],
            ['show', texts.showIn, languages],
          ]}
          values={{ find: asked.find, format: format.name, show: String(asked.show) }}
          submit={texts.show}
        >
          {owner !== null && !isOwn && <Hidden values={{ portal: owner.name }} />}
          <details class="card body" open={chosen !== '' || errors !== null}>
            <summary>{texts.choose}</summary>
            <ParameterFields
              format={format}
              given={given}
              preset={preset}
              without={owner?.reader.fixed ? Object.keys(preset) : []}
            />
          </details>
        </Filters>
        {!('errors' in preview) && <Records asked={asked} preview={preview} />}
        <Card title={texts.addresses}>
          <Copyable id="url" text={chosen === '' ? url : `${url}&${chosen}`} data={{ before: `${url}&` }} />
          <p class="hint">
            {texts.hidden} {!isOwn && owner === null && <a href="/portals/connect">{texts.portalAddress}</a>}
          </p>
          <h3>{texts.command}</h3>
          <Copyable id="curl" text={`${curl}${chosen}'`} data={{ before: curl, after: "'" }} />
        </Card>
      </div>
    ),
  };
}
