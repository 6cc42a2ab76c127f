import { newReader } from '../../api/readers/reader.ts';
import { readerPolicyOf } from '../../db/accounts/accounts.ts';
import { readReportState, writeReportSettings } from '../../db/accounts/reports.ts';
import { createReader } from '../../db/readers/readers.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { changedPolicy } from '../../portfolio/policy.ts';
import { parametersText, presetValues } from '../feed/parameters.tsx';
import { Logo } from '../frame/icon.tsx';
import { Notice } from '../frame/parts.tsx';
import { pageOf } from '../subject.tsx';
import { PORTAL_TEXTS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { type ListedPortal, PORTAL_LIST } from './catalogue.ts';
import { type Contents, ContentsForm, readContents, titleIn } from './contents.tsx';
import { handOverPage, Steps } from './hand-over.tsx';
import { formatOf } from './portal.ts';

/** Connecting a portal: choosing it from a list, what it gets, and then its address, which is shown once. */
export const connection = pageOf<ListedPortal | undefined>({
  find: async (c) => PORTAL_LIST.find(({ id }) => id === c.req.query('portal')),
  show: ({ visitor, subject }) => (subject === undefined ? choicePage(visitor) : contentsPage(visitor, subject)),
  actions: {
    save: async (sent) => {
      const { c, visitor, subject: portal, fields } = sent;
      const { DB } = c.env;
      const { id: accountId } = visitor.account;
      const { missing, ...typed } = readContents(fields, formatOf(portal.format));
      const title = titleIn(fields);
      const retry = (errors: readonly ParameterError[]) => contentsPage(visitor, portal, { ...typed, title }, errors);
      if (title === '') return retry([{ parameter: 'title', reason: PORTAL_TEXTS[visitor.language].calledMissing }]);
      const policy = changedPolicy(await readerPolicyOf(DB, accountId), { kind: typed.kind });
      const feed = { preset: parametersText(typed.given), fixed: false, channelId: null, policy };
      const called = { name: readerName(title), title, portal: portal.id };
      const created = newReader({ accountId, ...called, ...feed });
      if ('errors' in created) return retry(created.errors);
      if (missing.length > 0) return retry(missing);
      let { reader } = created;
      const create = () => createReader(DB, reader).finally(() => invalidateReaders(accountId));
      for (let count = 2; !(await create()); count++) reader = { ...reader, name: `${called.name}-${count}` };
      if (portal.rules !== null) await useRules(DB, accountId, portal.rules);
      const next = await handOverPage(sent, { ...reader, ...called, name: reader.name, key: created.key, isNew: true });
      return { did: 'portal.connected', with: title, next };
    },
  },
});

function choicePage({ language }: Visitor): Page {
  const texts = PORTAL_TEXTS[language];
  return {
    title: texts.connectTitle,
    lead: texts.connectLead,
    content: (
      <>
        <Steps current={1} />
        <div class="pick">
          {PORTAL_LIST.map(({ id, names, about }) => (
            <a href={`/portals/connect?portal=${id}`}>
              <Logo sign={{ title: names[language], portal: id }} />
              <span>
                <b>{names[language]}</b>
                <span class="muted small">{about[language]}</span>
              </span>
            </a>
          ))}
        </div>
      </>
    ),
  };
}

function contentsPage(
  visitor: Visitor,
  portal: ListedPortal,
  typed?: Contents,
  errors?: readonly ParameterError[],
): Page {
  const { language, texts: common } = visitor;
  const texts = PORTAL_TEXTS[language];
  const name = portal.names[language];
  return {
    title: texts.setUp({ title: name }),
    lead: texts.setUpLead,
    crumbs: [[texts.connect, '/portals/connect']],
    status: errors === undefined ? 200 : 422,
    notice: errors !== undefined && <Notice kind="bad">{common.invalid}</Notice>,
    content: (
      <>
        <Steps current={2} />
        <ContentsForm
          card={name}
          path={`/portals/connect?portal=${portal.id}`}
          cancel="/portals"
          button={texts.create}
          format={formatOf(portal.format)}
          preset={portal.preset}
          contents={typed ?? { given: presetValues(portal.preset), kind: portal.kind, title: name }}
          errors={errors}
        />
      </>
    ),
  };
}

/** A name for the API, from what people call the reader: `a-place-in-the-sun`. */
function readerName(title: string): string {
  const plain = title.normalize('NFD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const name = plain.replaceAll(/[^a-z0-9.]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 36) || 'portal';
}

/** Checks the account's listings against a portal's rules from now on. */
async function useRules(db: D1Database, accountId: number, portal: string): Promise<void> {
  const { portals, muted } = await readReportState(db, accountId);
  if (!portals.includes(portal)) await writeReportSettings(db, accountId, { portals: [...portals, portal], muted });
}
