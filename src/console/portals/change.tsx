import type { Context } from 'hono';
import { changeReader } from '../../api/readers/change-reader.ts';
import { DAY_SECONDS, DEFAULT_OLD_KEY_DAYS } from '../../api/readers/new-reader.ts';
import { deleteReader, findReader, type Reader, rotateKey, setReaderDisabled } from '../../db/readers/readers.ts';
import type { AppEnv } from '../../env.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { invalidateReaders } from '../../feed/manifest/manifest-cache.ts';
import { newReaderKey } from '../../feed/request/reader-key.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { policyIn } from '../../portfolio/policy.ts';
import type { ReaderKind } from '../../portfolio/restrictions.ts';
import { fileOf, givenParameters, parametersText } from '../feed/form.ts';
import { ParameterFields, presetValues } from '../feed/parameters.tsx';
import { Choice, Submit } from '../frame/form.tsx';
import { Card, Notice } from '../frame/parts.tsx';
import { notFoundPage, readForm, recordDone } from '../guards.tsx';
import { portalPath, query } from '../paths.ts';
import { PORTAL_TEXTS } from '../texts/texts.ts';
import type { Crumb, Page, Visitor } from '../visit.ts';
import { handOverPage } from './hand-over.tsx';
import { chosenKind, KindField } from './kind.tsx';
import { portalView } from './portal.ts';

/** The reader that a request concerns, and how it changes it. */
interface Concerned {
  readonly reader: Reader;
  /** What people call it. */
  readonly title: string;
  readonly address: { readonly accountId: number; readonly name: string };
  /** Applies a change. Even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
  readonly changing: <Result>(change: Promise<Result>) => Promise<Result>;
}

type Change = (c: Context<AppEnv>, visitor: Visitor, concerned: Concerned) => Promise<Page | Response> | Page;

/** A handler of what concerns the reader that the query names. */
function ofReader(handle: Change) {
  return async (c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> => {
    const accountId = visitor.account.id;
    const address = { accountId, name: c.req.query('name') ?? '' };
    const reader = await findReader(c.env.DB, address);
    if (reader === null) return notFoundPage(visitor);
    const changing: Concerned['changing'] = (change) => change.finally(() => invalidateReaders(accountId));
    return handle(c, visitor, { reader, title: reader.title ?? reader.name, address, changing });
  };
}

/** Pauses a portal, or resumes it. */
export const pausePortal = ofReader(async (c, visitor, { title, address, changing }) => {
  const isPaused = (await readForm(c)).get('action') === 'pause';
  await changing(setReaderDisabled(c.env.DB, address, isPaused));
  await recordDone(c, visitor, isPaused ? 'portal.paused' : 'portal.resumed', title);
  return c.redirect(`${portalPath(address.name)}&done=${isPaused ? 'pausedDone' : 'resumedDone'}`, 303);
});

/** The question whether to make a new key. */
export const showNewKey = ofReader((_, visitor, { reader, title }) => {
  const texts = PORTAL_TEXTS[visitor.language];
  return askPage(visitor, reader, {
    path: '/portals/key',
    title: texts.newKeyTitle({ title }),
    lead: texts.newKeyLead,
    choice: texts.newKeyNow,
    button: texts.newKey,
    kind: 'primary',
  });
});

/** Makes a new key, and shows the new address once. */
export const makeNewKey = ofReader(async (c, visitor, { reader, title, address, changing }) => {
  const isAtOnce = (await readForm(c)).has('sure');
  const key = newReaderKey();
  const oldKeySeconds = isAtOnce ? 0 : DEFAULT_OLD_KEY_DAYS * DAY_SECONDS;
  await changing(rotateKey(c.env.DB, address, sha256Hex(key), oldKeySeconds));
  await recordDone(c, visitor, 'portal.key', title);
  const { format } = portalView(reader, [], visitor.now);
  return handOverPage(c, visitor, { reader, key, file: fileOf(format), isNew: false });
});

/** The question whether to disconnect a portal. */
export const showDisconnect = ofReader((_, visitor, { reader, title }) => {
  const texts = PORTAL_TEXTS[visitor.language];
  return askPage(visitor, reader, {
    path: '/portals/disconnect',
    title: texts.disconnectTitle({ title }),
    lead: texts.disconnectLead,
    button: texts.disconnect,
    kind: 'danger',
  });
});

export const disconnectPortal = ofReader(async (c, visitor, { title, address, changing }) => {
  await changing(deleteReader(c.env.DB, address));
  await recordDone(c, visitor, 'portal.disconnected', title);
  return c.redirect('/portals', 303);
});

function crumbsOf({ texts }: Visitor, { name, title }: Reader): Crumb[] {
  return [
    [texts.portals, '/portals'],
    [title ?? name, portalPath(name)],
  ];
}

interface Question {
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly choice?: string;
  readonly button: string;
  readonly kind: 'primary' | 'danger';
}

/** A question before something that concerns a portal is done. */
function askPage(visitor: Visitor, reader: Reader, { path, title, lead, choice, button, kind }: Question): Page {
  const { name } = reader;
  return {
    title,
    lead,
    crumbs: crumbsOf(visitor, reader),
    content: (
      <form method="post" action={`${path}?${query({ name })}`} class="stack">
        {choice !== undefined && (
          <Choice name="sure" checked={false}>
            {choice}
          </Choice>
        )}
        <Submit kind={kind} cancel={portalPath(name)}>
          {button}
        </Submit>
      </form>
    ),
  };
}

/** What a portal gets, to be changed. */
export const showContents = ofReader((_, visitor, { reader }) =>
  contentsPage(visitor, reader, presetValues(reader.preset), reader.fixed, policyIn(reader.policy).kind, null),
);

export const changeContents = ofReader(async (c, visitor, { reader, title, address, changing }) => {
  const { format } = portalView(reader, [], visitor.now);
  const fields = await readForm(c);
  const given = givenParameters(format, (name) => fields.getAll(name));
  const fixed = fields.has('fixed');
  const kind = chosenKind(fields);
  const missing = format.missing?.(format.parse(given).parameters) ?? [];
  if (missing.length > 0) return contentsPage(visitor, reader, given, fixed, kind, missing);
  const result = await changing(changeReader(c.env.DB, address, { preset: parametersText(given), fixed, kind }));
  if (result === 'not found') return notFoundPage(visitor);
  if (result === 'changed') {
    await recordDone(c, visitor, 'portal.changed', title);
    return c.redirect(`${portalPath(reader.name)}&done=saved`, 303);
  }
  return contentsPage(visitor, reader, given, fixed, kind, result === 'nothing is fixed' ? result : result.errors);
});

function contentsPage(
  visitor: Visitor,
  reader: Reader,
  given: Readonly<Record<string, string>>,
  isFixed: boolean,
  kind: ReaderKind | null,
  problem: 'nothing is fixed' | readonly ParameterError[] | null,
): Page {
  const { language, texts: common } = visitor;
  const texts = PORTAL_TEXTS[language];
  const { title, name, format, formatName } = portalView(reader, [], visitor.now);
  return {
    title: texts.changeTitle({ title }),
    crumbs: crumbsOf(visitor, reader),
    status: problem === null ? 200 : 422,
    notice: problem !== null && (
      <Notice kind="bad">{problem === 'nothing is fixed' ? texts.notFixed : common.invalid}</Notice>
    ),
    content: (
      <form method="post" action={`/portals/contents?${query({ name })}`} class="stack" data-keep>
        <Card title={texts.contents} more={formatName}>
          <div class="stack">
            <ParameterFields
              format={format}
              given={given}
              preset={{}}
              errors={Array.isArray(problem) ? problem : []}
              language={language}
            />
            <KindField value={kind} visitor={visitor} />
            <Choice name="fixed" checked={isFixed}>
              {texts.fixedLabel}
            </Choice>
          </div>
        </Card>
        <Submit cancel={portalPath(name)}>{common.save}</Submit>
      </form>
    ),
  };
}
