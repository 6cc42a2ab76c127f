import type { Context } from 'hono';
import { deleteReader, findReader, type Reader, rotateKey, setReaderDisabled } from '../../db/readers.ts';
import type { AppEnv } from '../../env.ts';
import { invalidateReaders } from '../../feed/manifest/manifest-cache.ts';
import { newReaderKey } from '../../feed/request/reader-key.ts';
import { sha256Hex } from '../../lib/secrets.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import { changeReader } from '../../readers/change-reader.ts';
import { DAY_SECONDS, DEFAULT_OLD_KEY_DAYS } from '../../readers/new-reader.ts';
import { fileOf, givenParameters, parametersText } from '../feed/form.ts';
import { ParameterFields, presetValues } from '../feed/parameters.tsx';
import { Choice } from '../frame/form.tsx';
import { ButtonLink, Card, Notice } from '../frame/parts.tsx';
import { notFoundPage, readForm, recordDone } from '../guards.tsx';
import { portalPath, query } from '../paths.ts';
import type { Page, Visitor } from '../visit.ts';
import { handOverPage } from './hand-over.tsx';
import { portalView } from './portal.ts';
import { PORTAL_TEXTS } from './texts.ts';

type Change = (c: Context<AppEnv>, visitor: Visitor, reader: Reader) => Promise<Page | Response> | Page | Response;

/** A handler of what concerns the reader that the query names. */
function ofReader(handle: Change) {
  return async (c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> => {
    const address = { accountId: visitor.account.id, name: c.req.query('name') ?? '' };
    const reader = await orUnavailable('reader', findReader(c.env.DB, address));
    return reader === null ? notFoundPage(visitor) : handle(c, visitor, reader);
  };
}

/** The result of a change; even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
function changing<Result>({ account }: Visitor, change: Promise<Result>): Promise<Result> {
  return orUnavailable('reader change', change).finally(() => invalidateReaders(account.id));
}

function addressOf({ account }: Visitor, { name }: Reader) {
  return { accountId: account.id, name };
}

/** Pauses a portal, or resumes it. */
export const pausePortal = ofReader(async (c, visitor, reader) => {
  const isPaused = (await readForm(c)).get('action') === 'pause';
  await changing(visitor, setReaderDisabled(c.env.DB, addressOf(visitor, reader), isPaused));
  await recordDone(c, visitor, isPaused ? 'portal.paused' : 'portal.resumed', reader.title ?? reader.name);
  return c.redirect(`${portalPath(reader.name)}&done=${isPaused ? 'pausedDone' : 'resumedDone'}`, 303);
});

/** The question whether to make a new key. */
export const showNewKey = ofReader((_, visitor, reader) => {
  const texts = PORTAL_TEXTS[visitor.language];
  const { title, name } = portalView(reader, [], visitor.now);
  return askPage(visitor, reader, {
    title: texts.newKeyTitle({ title }),
    lead: texts.newKeyLead,
    action: `/portals/key?${query({ name })}`,
    choice: texts.newKeyNow,
    button: texts.newKey,
    isDangerous: false,
  });
});

/** Makes a new key, and shows the new address once. */
export const makeNewKey = ofReader(async (c, visitor, reader) => {
  const isAtOnce = (await readForm(c)).has('sure');
  const key = newReaderKey();
  const oldKeySeconds = isAtOnce ? 0 : DEFAULT_OLD_KEY_DAYS * DAY_SECONDS;
  await changing(visitor, rotateKey(c.env.DB, addressOf(visitor, reader), sha256Hex(key), oldKeySeconds));
  await recordDone(c, visitor, 'portal.key', reader.title ?? reader.name);
  const { format } = portalView(reader, [], visitor.now);
  return handOverPage(c, visitor, { reader, key, file: fileOf(format), isNew: false });
});

/** The question whether to disconnect a portal. */
export const showDisconnect = ofReader((_, visitor, reader) => {
  const texts = PORTAL_TEXTS[visitor.language];
  const { title, name } = portalView(reader, [], visitor.now);
  return askPage(visitor, reader, {
    title: texts.disconnectTitle({ title }),
    lead: texts.disconnectLead,
    action: `/portals/disconnect?${query({ name })}`,
    button: texts.disconnect,
    isDangerous: true,
  });
});

export const disconnectPortal = ofReader(async (c, visitor, reader) => {
  await changing(visitor, deleteReader(c.env.DB, addressOf(visitor, reader)));
  await recordDone(c, visitor, 'portal.disconnected', reader.title ?? reader.name);
  return c.redirect('/portals', 303);
});

interface Question {
  readonly title: string;
  readonly lead: string;
  readonly action: string;
  readonly choice?: string;
  readonly button: string;
  readonly isDangerous: boolean;
}

/** A question before something that concerns a portal is done. */
function askPage(
  visitor: Visitor,
  reader: Reader,
  { title, lead, action, choice, button, isDangerous }: Question,
): Page {
  const { texts: common } = visitor;
  return {
    title,
    lead,
    crumbs: [
      [common.portals, '/portals'],
      [reader.title ?? reader.name, portalPath(reader.name)],
    ],
    content: (
      <form method="post" action={action} class="stack">
        {choice !== undefined && (
          <Choice name="sure" checked={false}>
            {choice}
          </Choice>
        )}
        <div class="actions">
          <button type="submit" class={isDangerous ? 'button danger' : 'button primary'}>
            {button}
          </button>
          <ButtonLink href={portalPath(reader.name)}>{common.cancel}</ButtonLink>
        </div>
      </form>
    ),
  };
}

/** What a portal gets, to be changed. */
export const showContents = ofReader((_, visitor, reader) =>
  contentsPage(visitor, reader, presetValues(reader.preset), reader.fixed, null),
);

export const changeContents = ofReader(async (c, visitor, reader) => {
  const { format } = portalView(reader, [], visitor.now);
  const fields = await readForm(c);
  const given = givenParameters(format, (name) => fields.getAll(name));
  const fixed = fields.has('fixed');
  const change = { preset: parametersText(given), fixed };
  const result = await changing(visitor, changeReader(c.env.DB, addressOf(visitor, reader), change));
  if (result === 'not found') return notFoundPage(visitor);
  if (result === 'changed') {
    await recordDone(c, visitor, 'portal.changed', reader.title ?? reader.name);
    return c.redirect(`${portalPath(reader.name)}&done=saved`, 303);
  }
  const texts = PORTAL_TEXTS[visitor.language];
  const error =
    result === 'nothing is fixed'
      ? texts.notFixed
      : result.errors.map(({ parameter, reason }) => `${parameter} ${reason}.`).join(' ');
  return contentsPage(visitor, reader, given, fixed, error);
});

function contentsPage(
  visitor: Visitor,
  reader: Reader,
  given: Readonly<Record<string, string>>,
  isFixed: boolean,
  error: string | null,
): Page {
  const { language, texts: common } = visitor;
  const texts = PORTAL_TEXTS[language];
  const { title, name, format, formatName } = portalView(reader, [], visitor.now);
  return {
    title: texts.changeTitle({ title }),
    crumbs: [
      [common.portals, '/portals'],
      [title, portalPath(name)],
    ],
    status: error === null ? 200 : 422,
    notice: error !== null && <Notice kind="bad">{error}</Notice>,
    content: (
      <form method="post" action={`/portals/contents?${query({ name })}`} class="stack" data-keep>
        <Card title={texts.contents} more={formatName}>
          <div class="stack">
            <ParameterFields format={format} given={given} preset={{}} language={language} />
            <Choice name="fixed" checked={isFixed}>
              {texts.fixedLabel}
            </Choice>
          </div>
        </Card>
        <div class="actions">
          <button type="submit" class="button primary">
            {common.save}
          </button>
          <ButtonLink href={portalPath(name)}>{common.cancel}</ButtonLink>
        </div>
      </form>
    ),
  };
}
