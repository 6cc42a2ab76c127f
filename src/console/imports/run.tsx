import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { approve, cancel, type DetailedReport, readReport } from '../../api/imports/manage.ts';
import { importView } from '../../api/imports/schemas.ts';
import { findImport, type Import } from '../../db/imports/imports.ts';
import { readImportNames } from '../../db/imports/sources.ts';
import type { ImportNames } from '../../db/schema.ts';
import type { AppEnv } from '../../env.ts';
import { Ago, formatNumber } from '../format.tsx';
import { Button, ButtonLink, Card, Facts, Figures, Notice } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { may, notFoundPage, readForm, recordDone } from '../guards.tsx';
import { propertyPath } from '../paths.ts';
import { textOf } from '../texts/catalogue.ts';
import { IMPORTS } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { runPath } from './list.tsx';
import { nameErrors, saveNames, UnknownNames } from './names.tsx';

/** Entries of each list of a report that the page shows. */
const SHOWN = 100;

/** Seconds after which the page of an import that is under way loads itself again. */
const REFRESH_SECONDS = 2;

interface Feedback {
  readonly notice?: Child;
  /** What was typed as the meaning of each name, if not all of it is known. */
  readonly typed?: URLSearchParams;
}

/** An import: its progress, what it waits for, or its report. */
export async function showRun(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const run = await find(c, visitor);
  return run === null ? notFoundPage(visitor) : runPage(c, visitor, run);
}

async function find(c: Context<AppEnv>, { account }: Visitor): Promise<Import | null> {
  const id = c.req.query('id') ?? '';
  return /^[1-9]\d{0,14}$/.test(id) ? findImport(c.env.DB, account.id, Number(id)) : null;
}

/** Approves an import that is held, cancels one, or says what names mean. */
export async function changeRun(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  const { account, language, now } = visitor;
  const texts = IMPORTS[language];
  const run = await find(c, visitor);
  if (run === null) return notFoundPage(visitor);
  const fields = await readForm(c);
  const action = fields.get('do');
  if (action === 'names') {
    if (nameErrors(fields).length > 0) return { ...(await runPage(c, visitor, run, { typed: fields })), status: 422 };
    await saveNames(c.env.DB, account.id, fields);
    await recordDone(c, visitor, 'import.names');
    return runPage(c, visitor, run, { notice: <Notice kind="good">{texts.remembered}</Notice> });
  }
  if (action !== 'approve' && action !== 'cancel') return notFoundPage(visitor);
  const isApproval = action === 'approve';
  const changing = isApproval ? approve(c.env, account.id, run.id) : cancel(c.env, account.id, run.id, now);
  if (!(await changing)) {
    const notice = <Notice kind="bad">{texts.tooLate}</Notice>;
    return { ...(await runPage(c, visitor, (await find(c, visitor)) ?? run, { notice })), status: 409 };
  }
  await recordDone(c, visitor, isApproval ? 'import.approved' : 'import.cancelled', run.source ?? '');
  return c.redirect(runPath(run), 303);
}

async function runPage(c: Context<AppEnv>, visitor: Visitor, run: Import, feedback: Feedback = {}): Promise<Page> {
  const { account, language } = visitor;
  const texts = IMPORTS[language];
  const reading = Promise.all([readReport(c.env, account.id, run), readImportNames(c.env.DB, account.id)]);
  const [stored, names] = await reading;
  const report = stored as unknown as DetailedReport | null;
  const isStopped = run.state === 'failed' && importView(run).done > 0;
  const isActive = run.endedAt === null && run.state !== 'held';
  return {
    title: texts.runTitles[isStopped ? 'stopped' : run.state],
    lead: (
      <>
        {texts.runLead({ from: run.source ?? texts.sentFile })} · <Ago seconds={run.createdAt} />
      </>
    ),
    notice: feedback.notice ?? <Outcome run={run} />,
    content: (
      <div class="stack">
        {isActive && <Progress run={run} />}
        {report === null && run.endedAt === null && run.bytes > 0 && (
          <Card title={texts.file}>
            <Facts
              facts={[
                [texts.size, formatNumber(Math.ceil(run.bytes / 1_000), language, { style: 'unit', unit: 'kilobyte' })],
                [texts.replaces, run.options.replace ? texts.yes : texts.no],
                [texts.most, `${run.options.maxWithdrawn}%`],
              ]}
            />
          </Card>
        )}
        {report !== null && <Report report={report} names={names} run={run} typed={feedback.typed} />}
      </div>
    ),
  };
}

interface RunProps {
  readonly run: Import;
}

/** Why an import has failed or waits, and what can be done. */
function Outcome({ run }: RunProps) {
  const visitor = useVisitor();
  const texts = useTexts(IMPORTS);
  if (run.state === 'cancelled') return <Notice kind="info">{texts.cancelled}</Notice>;
  if (run.code === null) return null;
  const isHeld = run.state === 'held';
  return (
    <Notice
      kind={isHeld ? 'warn' : 'bad'}
      actions={
        isHeld &&
        may(visitor, 'editor') && (
          <form method="post" action={runPath(run)} class="actions">
            <Button name="do" value="cancel">
              {texts.reject}
            </Button>
            <Button kind="danger" name="do" value="approve">
              {texts.approve}
            </Button>
          </form>
        )
      }
    >
      <b>{isHeld ? texts.held : textOf(texts.failures, run.code)}</b>
      <br />
      <span lang="en">{run.detail}</span>
    </Notice>
  );
}

function Progress({ run }: RunProps) {
  const visitor = useVisitor();
  const texts = useTexts(IMPORTS);
  const { records, done } = importView(run);
  const text = records === null ? texts.progressStart : texts.progress({ done, all: records });
  return (
    <Card title={texts.states[run.state]}>
      <div class="stack close" data-refresh={REFRESH_SECONDS}>
        <progress
          class="progress"
          max={records ?? undefined}
          value={records === null ? undefined : done}
          aria-label={text}
        />
        <p class="muted">{text}</p>
        <form method="post" action={runPath(run)} class="actions">
          <ButtonLink href={runPath(run)}>{texts.again}</ButtonLink>
          {may(visitor, 'editor') && (
            <Button name="do" value="cancel">
              {texts.cancel}
            </Button>
          )}
        </form>
      </div>
    </Card>
  );
}

interface ReportProps extends RunProps {
  readonly report: DetailedReport;
  readonly names: ImportNames;
  readonly typed: URLSearchParams | undefined;
}

function Report({ report, names, run, typed }: ReportProps) {
  const visitor = useVisitor();
  const { language } = visitor;
  const texts = useTexts(IMPORTS);
  const { properties, developments, units } = report;
  const figure = (name: 'read' | 'created' | 'updated' | 'unchanged' | 'withdrawn' | 'rejected') => ({
    ...{ id: name, name: texts[name], value: formatNumber(properties[name], language) },
  });
  const others = [
    [visitor.texts.developments, developments],
    [texts.units, units],
  ] as const;
  return (
    <>
      <Figures figures={(['read', 'created', 'updated', 'unchanged', 'withdrawn', 'rejected'] as const).map(figure)} />
      {others
        .filter(([, { read }]) => read > 0)
        .map(([name, { read, created, updated }]) => (
          <p>
            <b>{name}</b>: {texts.written({ read, written: created + updated })}
          </p>
        ))}
      <UnknownNames names={report.unknown_names} known={names} run={run} typed={typed} />
      <Section
        title={texts.rejectedRecords}
        columns={[texts.record, texts.problem]}
        rows={report.rejected_records.map(({ line, id, problems }) => [
          `${id ?? ''} (${texts.line({ line })})`.trim(),
          <span lang="en">
            {problems.map(({ field, detail }) => `${field}: ${detail}`.replace(/^: /, '')).join('; ')}
          </span>,
        ])}
      />
      <Section
        title={texts.interpreted}
        columns={[texts.field, texts.example, texts.meaning, texts.times]}
        rows={report.interpreted.map(({ node, interpretation, meaning, times, example }) => [
          <code>{node}</code>,
          example.text === '' ? '–' : texts.exampleOf({ text: example.text, as: example.as || '–' }),
          textOf(texts.meanings, interpretation, meaning),
          formatNumber(times, language),
        ])}
      />
      <Section
        title={texts.ignored}
        columns={[texts.field, texts.times]}
        rows={report.ignored.map(({ name, times }) => [<code>{name}</code>, formatNumber(times, language)])}
      />
      <Section
        title={texts.withdrawnListings}
        columns={[texts.record]}
        rows={report.withdrawn_properties.map((id) => [<a href={propertyPath(id)}>{id}</a>])}
      />
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Child[])[];
}

/** A list of a report; nothing if it is empty. */
function Section({ title, columns, rows }: SectionProps) {
  const { language } = useVisitor();
  const texts = useTexts(IMPORTS);
  if (rows.length === 0) return null;
  return (
    <Card title={title} flush more={formatNumber(rows.length, language)}>
      <Table
        label={title}
        columns={columns.map((column) => (column === texts.times ? [column, 'num'] : [column]))}
        rows={rows.slice(0, SHOWN)}
      />
      {rows.length > SHOWN && <p class="body muted">{texts.more({ count: rows.length - SHOWN })}</p>}
    </Card>
  );
}
