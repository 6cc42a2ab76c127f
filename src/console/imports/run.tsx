import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { approve, cancel, type DetailedReport, readReport } from '../../api/imports/manage.ts';
import { importView } from '../../api/imports/schemas.ts';
import { findImport, type Import } from '../../db/imports/imports.ts';
import { readImportNames } from '../../db/imports/sources.ts';
import type { ImportNames } from '../../db/schema.ts';
import type { AppEnv } from '../../env.ts';
import { Ago, formatNumber } from '../format.tsx';
import { ButtonForm } from '../frame/fields.tsx';
import { ButtonLink, Card, Facts, Figures, Notice } from '../frame/parts.tsx';
import { TableCard } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { propertyPath } from '../paths.ts';
import { pageOf, refused, type Sent, type Visit } from '../subject.tsx';
import { textOf } from '../texts/catalogue.ts';
import { IMPORTS } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { runPath } from './list.tsx';
import { nameErrors, saveNames, UnknownNames } from './names.tsx';

/** Entries of each list of a report that the page shows. */
const SHOWN = 100;

/** Seconds after which the page of an import that is under way loads itself again. */
const REFRESH_SECONDS = 2;

/** An import: its progress, what it waits for, or its report; it is approved or cancelled, and told what names mean. */
export const run = pageOf({
  find: findRun,
  show: runPage,
  actions: {
    names: async (sent) => {
      const { c, visitor, fields } = sent;
      if (nameErrors(fields).length > 0) return { ...(await runPage(sent, fields)), status: 422 };
      await saveNames(c.env.DB, visitor.account.id, fields);
      const notice = <Notice kind="good">{IMPORTS[visitor.language].remembered}</Notice>;
      return { did: 'import.names', next: { ...(await runPage(sent)), notice } };
    },
    approve: (sent) => decide(sent, 'import.approved', approve(sent.c.env, sent.visitor.account.id, sent.subject.id)),
    cancel: (sent) => {
      const { c, visitor, subject } = sent;
      return decide(sent, 'import.cancelled', cancel(c.env, visitor.account.id, subject.id, visitor.now));
    },
  },
});

async function findRun(c: Context<AppEnv>, { account }: Visitor): Promise<Import | null> {
  const id = c.req.query('id') ?? '';
  return /^[1-9]\d{0,14}$/.test(id) ? findImport(c.env.DB, account.id, Number(id)) : null;
}

/** @param deciding whether it was still to be decided */
async function decide({ c, visitor, subject }: Sent<Import>, did: string, deciding: Promise<boolean>) {
  if (await deciding) return { did, with: subject.source ?? '', next: runPath(subject) };
  const current = (await findRun(c, visitor)) ?? subject;
  return refused(await runPage({ c, visitor, subject: current }), IMPORTS[visitor.language].tooLate, 409);
}

/** @param typed what names mean, if not all of it is known */
async function runPage({ c, visitor, subject: run }: Visit<Import>, typed?: URLSearchParams): Promise<Page> {
  const { account, language } = visitor;
  const texts = IMPORTS[language];
  const [stored, names] = await Promise.all([
    readReport(c.env, account.id, run),
    readImportNames(c.env.DB, account.id),
  ]);
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
    notice: <Outcome run={run} />,
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
        {report !== null && <Report report={report} names={names} run={run} typed={typed} />}
      </div>
    ),
  };
}

/** Why an import has failed or waits, and what can be done. */
function Outcome({ run }: { readonly run: Import }) {
  const texts = useTexts(IMPORTS);
  const isEditor = may(useVisitor(), 'editor');
  if (run.state === 'cancelled') return <Notice kind="info">{texts.cancelled}</Notice>;
  if (run.code === null) return null;
  const isHeld = run.state === 'held';
  const choices = [['cancel', texts.reject] as const, ['approve', texts.approve, 'danger'] as const];
  const actions = isHeld && isEditor && <ButtonForm action={runPath(run)} buttons={choices} />;
  return (
    <Notice kind={isHeld ? 'warn' : 'bad'} actions={actions}>
      <b>{isHeld ? texts.held : textOf(texts.failures, run.code)}</b>
      <br />
      <span lang="en">{run.detail}</span>
    </Notice>
  );
}

function Progress({ run }: { readonly run: Import }) {
  const texts = useTexts(IMPORTS);
  const isEditor = may(useVisitor(), 'editor');
  const { records, done } = importView(run);
  const text = records === null ? texts.progressStart : texts.progress({ done, all: records });
  const [max, value] = records === null ? [] : [records, done];
  return (
    <Card title={texts.states[run.state]}>
      <progress class="progress" max={max} value={value} aria-label={text} data-refresh={REFRESH_SECONDS} />
      <p class="muted">{text}</p>
      <ButtonForm action={runPath(run)} buttons={isEditor ? [['cancel', texts.cancel]] : []}>
        <ButtonLink href={runPath(run)}>{texts.again}</ButtonLink>
      </ButtonForm>
    </Card>
  );
}

interface ReportProps {
  readonly run: Import;
  readonly report: DetailedReport;
  readonly names: ImportNames;
  readonly typed: URLSearchParams | undefined;
}

function Report({ report, names, run, typed }: ReportProps) {
  const visitor = useVisitor();
  const { language } = visitor;
  const texts = useTexts(IMPORTS);
  const { properties, developments, units } = report;
  const counted = (['read', 'created', 'updated', 'unchanged', 'withdrawn', 'rejected'] as const).map((id) => {
    return { id, name: texts[id], value: formatNumber(properties[id], language) };
  });
  const others = { [visitor.texts.developments]: developments, [texts.units]: units };
  return (
    <>
      <Figures figures={counted} />
      {Object.entries(others)
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
    <TableCard
      title={title}
      more={formatNumber(rows.length, language)}
      columns={columns.map((column) => (column === texts.times ? [column, 'num'] : [column]))}
      rows={rows.slice(0, SHOWN)}
    >
      {rows.length > SHOWN && <p class="body muted">{texts.more({ count: rows.length - SHOWN })}</p>}
    </TableCard>
  );
}
