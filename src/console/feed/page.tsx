import type { Context } from 'hono';
import { findReader } from '../../db/readers/readers.ts';
import type { AppEnv } from '../../env.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { LANGUAGE } from '../../feed/formats/parameters.ts';
import { languageName } from '../format.tsx';
import { Hidden, OptionList, Search } from '../frame/form.tsx';
import { Button, Card, Copyable, Notice } from '../frame/parts.tsx';
import { notFoundPage } from '../guards.tsx';
import { portalPath } from '../paths.ts';
import { formatName } from '../portals/catalogue.ts';
import { type PortalView, portalView } from '../portals/portal.ts';
import { detailIn } from '../texts/details.ts';
import { FEED } from '../texts/texts.ts';
import { type Page, type Visitor, withTexts } from '../visit.ts';
import { fileOf, MAX_SEARCH_LENGTH, parametersText, readFeedForm } from './form.ts';
import { languagesOf, ParameterFields, presetValues } from './parameters.tsx';
import { Records, readPreview } from './records.tsx';

const HIDDEN_PASSWORD = '••••••';

/** A feed as it is now: what it contains, its address, and its records. */
export async function showFeed(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, language, reader, texts } = withTexts(visitor, FEED);
  const name = reader?.name ?? c.req.query('portal');
  const owner = name === undefined ? null : await findOwner(c, visitor, name);
  if (owner === undefined) return notFoundPage(visitor);
  const form = readFeedForm(c.req.queries(), language, owner);
  const preview = await readPreview(c.env.DB, account.id, form);
  const { format, given } = form;
  const preset = presetValues(owner?.reader.preset ?? '');
  const found = 'errors' in preview ? 0 : preview.found;
  const title =
    owner === null ? texts.heading({ count: found }) : texts.headingOf({ title: owner.title, count: found });
  const isOwn = reader !== null;
  const languages = languagesOf(format.feedParameters.find((one) => one.name === LANGUAGE));
  const chosen = parametersText(given);
  const user = `OWNPROPERTIES@${account.code}`;
  const base = `${new URL(c.req.url).origin}/${fileOf(format)}?`;
  const url = `${base}U=${user}&P=${HIDDEN_PASSWORD}`;
  const curl = `curl --compressed -u '${user}' '${base}`;
  return {
    title: 'errors' in preview ? texts.invalid : title,
    lead: texts.lead,
    crumbs: isOwn || owner === null ? [] : [[owner.title, portalPath(owner.name)]],
    status: 'errors' in preview ? 422 : 200,
    notice: 'errors' in preview && (
      <Notice kind="bad">
        {preview.errors.map(({ parameter, reason }) => `${parameter} ${detailIn(language, reason)}.`).join(' ')}
      </Notice>
    ),
    content: (
      <div class="stack">
        <form action="/feed" id="feed-form" class="stack">
          {owner !== null && !isOwn && <Hidden values={{ portal: owner.name }} />}
          <div class="bar">
            <Search name="find" label={texts.find} value={form.find} maxlength={MAX_SEARCH_LENGTH} />
            <select name="format" aria-label={texts.format}>
              <OptionList
                value={format.name}
                options={FORMATS.map((one) => [one.name, formatName(one, owner?.reader.preset ?? chosen)])}
              />
            </select>
            <select name="show" aria-label={texts.showIn}>
              <OptionList
                value={String(form.show)}
                options={languages.map(({ code, element }) => [String(code), languageName(element, language)])}
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
              without={owner?.reader.fixed ? Object.keys(preset) : []}
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

/** The reader whose feed is asked for. */
async function findOwner(c: Context<AppEnv>, { account, now }: Visitor, name: string): Promise<PortalView | undefined> {
  const found = await findReader(c.env.DB, { accountId: account.id, name });
  return found === null ? undefined : portalView(found, [], now);
}
