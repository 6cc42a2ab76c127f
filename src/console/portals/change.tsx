import type { Context } from 'hono';
import { changeReader, DAY_SECONDS, DEFAULT_OLD_KEY_DAYS } from '../../api/readers/reader.ts';
import {
  deleteReader,
  findReader,
  type Reader,
  type ReaderAddress,
  rotateKey,
  setReaderDisabled,
} from '../../db/readers/readers.ts';
import type { AppEnv } from '../../env.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { newReaderKey } from '../../feed/request/credentials.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { policyIn } from '../../portfolio/policy.ts';
import { parametersText, presetValues } from '../feed/parameters.tsx';
import { Choice, Submit } from '../frame/form.tsx';
import { Notice } from '../frame/parts.tsx';
import { notFoundPage } from '../guards.tsx';
import { portalPath, query } from '../paths.ts';
import { type Action, pageOf, refused, type Sent, type Visit } from '../subject.tsx';
import { PORTAL_TEXTS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { type Contents, ContentsForm, readContents } from './contents.tsx';
import { handOverPage } from './hand-over.tsx';
import { portalView } from './portal.ts';

/** The reader that the query names. */
export function findPortalReader(c: Context<AppEnv>, { account }: Visitor): Promise<Reader | null> {
  return findReader(c.env.DB, { accountId: account.id, name: c.req.query('name') ?? '' });
}

/** Applies a change. Even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
function changing<Result>(
  { c, visitor, subject }: Sent<Reader>,
  change: (db: D1Database, at: ReaderAddress) => Promise<Result>,
) {
  const accountId = visitor.account.id;
  return change(c.env.DB, { accountId, name: subject.name }).finally(() => invalidateReaders(accountId));
}

function titleOf({ title, name }: Reader): string {
  return title ?? name;
}

/** Pauses a portal, or resumes it. */
export function pausing(isPaused: boolean): Action<Reader> {
  return async (sent) => {
    await changing(sent, (db, address) => setReaderDisabled(db, address, isPaused));
    const next = `${portalPath(sent.subject.name)}&done=${isPaused ? 'pausedDone' : 'resumedDone'}`;
    return { did: isPaused ? 'portal.paused' : 'portal.resumed', with: titleOf(sent.subject), next };
  };
}

/** Another key, and the new address, which is shown once. */
export const newKey = questionOf('key', 'primary', async (sent) => {
  const key = newReaderKey();
  const oldKeySeconds = sent.fields.has('sure') ? 0 : DEFAULT_OLD_KEY_DAYS * DAY_SECONDS;
  await changing(sent, (db, address) => rotateKey(db, address, sha256Hex(key), oldKeySeconds));
  const next = await handOverPage(sent, { ...sent.subject, key, isNew: false });
  return { did: 'portal.key', with: titleOf(sent.subject), next };
});

export const disconnection = questionOf('disconnect', 'danger', async (sent) => {
  await changing(sent, deleteReader);
  return { did: 'portal.disconnected', with: titleOf(sent.subject), next: '/portals' };
});

/** A question before something that concerns a portal is done. */
function questionOf(name: 'key' | 'disconnect', kind: 'primary' | 'danger', save: Action<Reader>) {
  const show = ({ visitor, subject }: Visit<Reader>) => {
    const { title, lead, choice, button } = PORTAL_TEXTS[visitor.language].questions[name];
    const back = portalPath(subject.name);
    return {
      title: title({ title: titleOf(subject) }),
      lead,
      crumbs: [[titleOf(subject), back] as const],
      content: (
        <form method="post" action={`/portals/${name}?${query({ name: subject.name })}`} class="stack">
          {choice && (
            <Choice name="sure" checked={false}>
              {choice}
            </Choice>
          )}
          <Submit kind={kind} cancel={back}>
            {button}
          </Submit>
        </form>
      ),
    };
  };
  return pageOf({ find: findPortalReader, show, actions: { save } });
}

/** What a portal gets. */
export const contents = pageOf({
  find: findPortalReader,
  show: ({ visitor, subject }) => contentsPage(visitor, subject),
  actions: {
    save: async (sent) => {
      const { visitor, subject, fields } = sent;
      const { missing, given, kind } = readContents(fields, portalView(subject, [], visitor.now).format);
      const fixed = fields.has('fixed');
      const retry = (errors?: readonly ParameterError[]) =>
        contentsPage(visitor, subject, { given, kind, fixed }, errors);
      if (missing.length > 0) return retry(missing);
      const change = { preset: parametersText(given), fixed, kind };
      const result = await changing(sent, (db, address) => changeReader(db, address, change));
      if (result === 'not found') return notFoundPage(visitor);
      if (result === 'nothing is fixed') return refused(retry(), PORTAL_TEXTS[visitor.language].notFixed);
      if (result !== 'changed') return retry(result.errors);
      return { did: 'portal.changed', with: titleOf(subject), next: `${portalPath(subject.name)}&done=saved` };
    },
  },
});

function contentsPage(visitor: Visitor, reader: Reader, typed?: Contents, errors?: readonly ParameterError[]): Page {
  const { language, texts: common, now } = visitor;
  const texts = PORTAL_TEXTS[language];
  const { preset, fixed, policy, name } = reader;
  return {
    title: texts.changeTitle({ title: titleOf(reader) }),
    crumbs: [[titleOf(reader), portalPath(name)]],
    status: errors === undefined ? 200 : 422,
    notice: errors !== undefined && <Notice kind="bad">{common.invalid}</Notice>,
    content: (
      <ContentsForm
        card={texts.contents}
        path={`/portals/contents?${query({ name })}`}
        cancel={portalPath(name)}
        button={common.save}
        format={portalView(reader, [], now).format}
        preset={preset}
        contents={typed ?? { given: presetValues(preset), fixed, kind: policyIn(policy).kind }}
        errors={errors}
      />
    ),
  };
}
