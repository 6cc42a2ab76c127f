import { readSetting } from '../../accounts/accounts.ts';
import { importView } from '../../imports/api/schemas.ts';
import { findImport, type Import } from '../../imports/runs/imports.ts';
import { approve, cancel, importTried, readReport } from '../../imports/runs/manage.ts';
import type { NameKind } from '../../imports/runs/names.ts';
import { changeImportNames } from '../../imports/runs/sources.ts';
import { DAY_SECONDS } from '../../lib/time/time.ts';
import { batchOf } from '../../properties/store/history.ts';
import { type Action, definePage } from '../define-page.tsx';
import { type ActionButton, ButtonForm } from '../frame/form.tsx';
import { Ago, ButtonLink, Card, Item, Notice } from '../frame/parts.tsx';
import { propertyPath, UNDO_DAYS, undoPath } from '../paths.ts';
import { inWords, textOf, textsOf } from '../texts/texts.ts';
import {
  actorOf,
  type FormState,
  type Page,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';
import { originOf, runPath, shownState } from './list.tsx';
import { KINDS, typedNames } from './names.tsx';
import { listingsIn, Report, Section } from './report.tsx';

/** Seconds after which the page of an import that is under way loads itself again. */
const REFRESH_SECONDS = 2;

/** An import: its progress, what it waits for, or its report; it is approved or cancelled, and told what names mean. */
export const run = definePage({
  find: async ({ c, db, account }) => {
    const id = c.req.query('id') ?? '';
    return /^[1-9]\d{0,14}$/.test(id) ? findImport(db, account.id, Number(id)) : null;
  },
  show: runPage,
  actions: {
    names: async (visitor, run, fields) => {
      const { db, account } = visitor;
      const texts = textsOf(visitor, 'imports');
      const unknown = KINDS.flatMap((kind) => typedNames(fields, kind)).filter(
        ({ code }) => code === undefined,
      );
      if (unknown.length > 0) {
        return { errors: Object.fromEntries(unknown.map(({ field }) => [field, texts.notKnown])) };
      }
      const codesOf = (kind: NameKind) =>
        Object.fromEntries(typedNames(fields, kind).map(({ name, code = null }) => [name, code]));
      await changeImportNames(db, account.id, {
        types: codesOf('types'),
        features: codesOf('features'),
      });
      return {
        did: 'import.names',
        next: runPath(run),
        flash: { messages: [{ code: 'namesSaved' }] },
      };
    },
    import: async (visitor, run) => {
      const { c } = visitor;
      const texts = textsOf(visitor, 'imports');
      if (await importTried(c.env, run, actorOf(visitor)))
        return { did: 'import.started', with: originOf(run, visitor), next: runPath(run) };
      return { why: texts.notKept, status: 409 };
    },
    approve: decision('import.approved', approve),
    cancel: decision('import.cancelled', cancel),
  },
});

/** @param decide returns whether it was still to be decided */
function decision(did: string, decide: typeof cancel): Action<Import> {
  return async (visitor, run) => {
    const { c, account, now } = visitor;
    if (await decide(c.env, account.id, run.id, now))
      return { did, with: run.source ?? '', next: runPath(run) };
    return { why: textsOf(visitor, 'imports').tooLate, status: 409 };
  };
}

async function runPage(visitor: Visitor, run: Import, form: FormState): Promise<Page> {
  const { c, db, account, now, isEditor } = visitor;
  const texts = textsOf(visitor, 'imports');
  const [{ report, would_withdraw: held }, known] = await Promise.all([
    readReport(c.env, account.id, run),
    readSetting(db, account.id, 'importNames'),
  ]);
  const state = shownState(run);
  const listings = await listingsIn(visitor, report);
  const isStopped = run.state === 'failed' && importView(run).done > 0;
  const isActive = run.endedAt === null && run.state !== 'held';
  const isRecent = run.endedAt !== null && run.endedAt > now - UNDO_DAYS * DAY_SECONDS;
  const isUndoable = isEditor && isRecent && state !== 'tried' && importView(run).done > 0;
  return {
    title: texts.runTitles[isStopped ? 'stopped' : state],
    lead: (
      <>
        {texts.runLead({ from: originOf(run, visitor) })} · <Ago seconds={run.createdAt} />
      </>
    ),
    notice: <Outcome run={run} />,
    actions: (
      <>
        {isUndoable && <ButtonLink href={undoPath(batchOf(run.id))} text={texts.undo} />}
        {isEditor && state === 'tried' && run.options.keepsFile && (
          <ButtonForm buttons={[{ does: 'import', text: texts.importNow, kind: 'primary' }]} />
        )}
      </>
    ),
    content: (
      <>
        {isActive && <Progress run={run} />}
        {held !== null && (
          <Section
            title={texts.wouldWithdraw}
            columns={[texts.listing, texts.town]}
            rows={held.properties.map(({ id, ref, town }) => [
              <Item href={propertyPath(id)} title={ref || id} />,
              town,
            ])}
            total={held.total}
          />
        )}
        {report !== null && (
          <Report report={report} listings={listings} known={known} form={form} />
        )}
      </>
    ),
  };
}

/** Why an import has failed or waits, and what can be done. */
function Outcome({ run }: { readonly run: Import }) {
  const { isEditor, language } = useVisitor();
  const texts = useTexts('imports');
  if (run.state === 'cancelled')
    return <Notice kind="info">{texts.cancelled({ count: importView(run).done })}</Notice>;
  if (run.code === null) return null;
  const isHeld = run.state === 'held';
  const choices: readonly ActionButton[] = [
    { does: 'cancel', text: texts.reject },
    { does: 'approve', text: texts.approve, kind: 'danger' },
  ];
  const summary = isHeld ? texts.held : textOf(texts.failures, run.code);
  const detail = run.reason && inWords(language, run.reason);
  const actions = isHeld && isEditor && <ButtonForm buttons={choices} />;
  return (
    <Notice kind={isHeld ? 'warn' : 'bad'} actions={actions}>
      <b>{summary}</b>
      <br />
      {detail !== summary && detail}
    </Notice>
  );
}

function Progress({ run }: { readonly run: Import }) {
  const { isEditor } = useVisitor();
  const texts = useTexts('imports');
  const { records, done } = importView(run);
  const text = records === null ? texts.progressStart : texts.progress({ done, all: records });
  return (
    <Card title={texts.states[run.state]}>
      <progress
        class="progress"
        max={records ?? undefined}
        value={records === null ? undefined : done}
        aria-label={text}
        data-refresh={REFRESH_SECONDS}
      />
      <p class="muted">{text}</p>
      <ButtonForm buttons={isEditor ? [{ does: 'cancel', text: texts.cancel }] : []}>
        <ButtonLink href={runPath(run)} text={texts.again} />
      </ButtonForm>
    </Card>
  );
}
