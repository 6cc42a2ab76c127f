import type { Child } from 'hono/jsx';
import { readSetting } from '../../accounts/accounts.ts';
import type { ImportNames } from '../../db/schema.ts';
import { importView } from '../../imports/api/schemas.ts';
import { findImport, type Import } from '../../imports/runs/imports.ts';
import {
  approve,
  cancel,
  importTried,
  readReport,
  type StoredReport,
} from '../../imports/runs/manage.ts';
import { choicesOf, codeOf, type NameKind } from '../../imports/runs/names.ts';
import { changeImportNames } from '../../imports/runs/sources.ts';
import { DAY_SECONDS } from '../../lib/time/time.ts';
import { batchOf } from '../../properties/store/history.ts';
import { type ListedRow, listProperties } from '../../properties/store/listings.ts';
import { type Action, definePage } from '../define-page.tsx';
import { formatNumber, sortedNames } from '../format.ts';
import { type ActionButton, ButtonForm, CellInput } from '../frame/form.tsx';
import {
  Ago,
  Button,
  ButtonLink,
  Card,
  type Column,
  Figures,
  Item,
  Notice,
  Table,
  TableCard,
} from '../frame/parts.tsx';
import { propertyPath, UNDO_DAYS, undoPath } from '../paths.ts';
import { feedLanguage } from '../properties/property.ts';
import { inWords, textOf, textsOf } from '../texts/texts.ts';
import {
  actorOf,
  type FormState,
  type Page,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';
import { originOf, runPath } from './list.tsx';
import { nodeText } from './nodes.ts';

/** Entries of each list of a report that the page shows. */
const SHOWN = 100;

/** Maximum number of names shown: the most frequent ones. */
const NAMES_SHOWN = 50;

const KINDS: readonly NameKind[] = ['types', 'features'];

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
      if (!isRepeatable(run)) return null;
      const id = await importTried(c.env, run, actorOf(visitor));
      if (id === null) return { why: texts.tooMany, status: 409 };
      return { did: 'import.started', with: String(run.id), next: runPath({ id }) };
    },
    approve: decision('import.approved', approve),
    cancel: decision('import.cancelled', cancel),
  },
});

/** Whether the file of an import that has only said what would change can be imported now: one at an address is fetched again. */
function isRepeatable({ options, state, url, source }: Import): boolean {
  return options.dryRun === true && state === 'finished' && url !== null && source === null;
}

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
  const { dryRun = false } = run.options;
  const isTried = dryRun && run.state === 'finished';
  const listings = await listingsIn(visitor, report);
  const isStopped = run.state === 'failed' && importView(run).done > 0;
  const isActive = run.endedAt === null && run.state !== 'held';
  const isRecent = run.endedAt !== null && run.endedAt > now - UNDO_DAYS * DAY_SECONDS;
  const isUndoable = isEditor && isRecent && !dryRun && importView(run).done > 0;
  return {
    title: texts.runTitles[isTried ? 'tried' : isStopped ? 'stopped' : run.state],
    lead: (
      <>
        {texts.runLead({ from: originOf(run, visitor) })} · <Ago seconds={run.createdAt} />
      </>
    ),
    notice: <Outcome run={run} />,
    actions: (
      <>
        {isUndoable && <ButtonLink href={undoPath(batchOf(run.id))} text={texts.undo} />}
        {isEditor && isRepeatable(run) && (
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
            columns={[texts.record]}
            rows={held.properties.map(({ id, ref, town }) => [
              <a href={propertyPath(id)}>{`${ref || id} ${town}`}</a>,
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

/** The listings that a report names, by their identifiers, as they are now. */
type Listings = ReadonlyMap<string, Pick<ListedRow, 'reference' | 'town'>>;

async function listingsIn(
  { db, account }: Visitor,
  report: StoredReport | null,
): Promise<Listings> {
  const rejected = report?.rejected_records.flatMap(({ id }) => id ?? []) ?? [];
  const withdrawn = report?.withdrawn_properties ?? [];
  const identifiers = [...rejected.slice(0, SHOWN), ...withdrawn.slice(0, SHOWN)];
  if (identifiers.length === 0) return new Map();
  const rows = await listProperties(db, account.id, { identifiers, order: 'reference' });
  return new Map(rows.map((row) => [row.identifier, row]));
}

/** A listing by its reference and town, with a link; one that does not exist, by its identifier. */
function Listing({ id, listings }: { readonly id: string; readonly listings: Listings }) {
  const row = listings.get(id);
  if (row === undefined) return <b>{id}</b>;
  return <Item href={propertyPath(id)} title={row.reference || id} note={row.town} />;
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
  const detail = run.reason ? (
    inWords(language, run.reason)
  ) : (
    // Of an import that ended before reasons were stored.
    <span lang="en">{run.detail}</span>
  );
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

interface ReportProps {
  readonly report: StoredReport;
  readonly listings: Listings;
  /** What the account has mapped its names to. */
  readonly known: ImportNames;
  readonly form: FormState;
}

function Report({ report, listings, known, form }: ReportProps) {
  const visitor = useVisitor();
  const { language, common } = visitor;
  const texts = useTexts('imports');
  const { properties, developments, units } = report;
  const counts = ['read', 'created', 'updated', 'unchanged', 'withdrawn', 'rejected'] as const;
  // The list begins with the last changes.
  const hrefOf = (id: string) =>
    !report.dry_run && (id === 'created' || id === 'updated') ? '/properties' : undefined;
  const nameless = report.interpreted.find(
    ({ node, interpretation }) => node === 'id' && interpretation === 'missing',
  );
  const others = { [common.developments]: developments, [texts.units]: units };
  return (
    <>
      <Figures
        figures={counts.map((id) => ({
          id,
          name: texts[id],
          value: properties[id],
          href: hrefOf(id),
        }))}
      />
      {Object.entries(others)
        .filter(([, { read }]) => read > 0)
        .map(([name, { read, created, updated }]) => (
          <p>
            <b>{name}</b>: {texts.written({ read, written: created + updated })}
          </p>
        ))}
      {Object.entries(report.in_other_sources).map(([source, count]) => (
        <Notice kind="warn">{texts.inSource({ count, source })}</Notice>
      ))}
      {nameless && <Notice kind="warn">{texts.nameless({ count: nameless.times })}</Notice>}
      <UnknownNames known={known} names={report.unknown_names} form={form} />
      <Section
        title={texts.rejectedRecords}
        columns={[texts.record, texts.problem]}
        rows={report.rejected_records.map(({ line, id, problems }) => [
          <>
            {id !== null && <Listing id={id} listings={listings} />}{' '}
            <span class="muted">{texts.line({ line })}</span>
          </>,
          problems
            .map(({ field, detail, ...problem }) =>
              // Without a code if it was stored before there were codes.
              [
                field && nodeText(field, visitor),
                problem.code ? inWords(language, problem) : detail,
              ]
                .filter(Boolean)
                .join(': '),
            )
            .join('; '),
        ])}
      />
      <Section
        title={texts.interpreted}
        columns={[texts.field, texts.example, texts.meaning, { numbers: texts.times }]}
        rows={report.interpreted.map(({ node, interpretation, times, example }) => [
          nodeText(node, visitor),
          example.text === ''
            ? '–'
            : texts.exampleOf({ text: example.text, as: textOf(texts.as, example.as) || '–' }),
          inWords(language, { code: interpretation }),
          formatNumber(times, language),
        ])}
      />
      <Section
        title={texts.ignored}
        columns={[texts.field, { numbers: texts.times }]}
        rows={report.ignored.map(({ name, times }) => [
          <code>{name}</code>,
          formatNumber(times, language),
        ])}
      />
      <Section
        title={texts.withdrawnListings}
        columns={[texts.record]}
        rows={report.withdrawn_properties.map((id) => [<Listing id={id} listings={listings} />])}
        total={properties.withdrawn}
      />
    </>
  );
}

type SectionProps = {
  title: string;
  columns: readonly Column[];
  rows: readonly (readonly Child[])[];
  total?: number;
};

/** A list of a report; nothing if it is empty. */
function Section({ title, columns, rows, total = rows.length }: SectionProps) {
  const { language } = useVisitor();
  const texts = useTexts('imports');
  if (rows.length === 0) return null;
  return (
    <TableCard
      title={title}
      more={formatNumber(total, language)}
      columns={columns}
      rows={rows.slice(0, SHOWN)}
    >
      {total > SHOWN && <p class="body muted">{texts.more({ count: total - SHOWN })}</p>}
    </TableCard>
  );
}

/** The names of a kind that a form gives codes to: `null` to leave a name unchanged, `undefined` for an unknown code. */
function typedNames(fields: URLSearchParams, kind: NameKind) {
  const typed = [...fields].filter(([field]) => field.startsWith(`${kind}:`));
  return typed.map(([field, text]) => {
    const code = text.trim() === '' ? null : (codeOf(kind, text.trim()) ?? undefined);
    return { field, name: field.slice(kind.length + 1), code };
  });
}

interface NamesProps extends Omit<ReportProps, 'report' | 'listings'> {
  readonly names: StoredReport['unknown_names'];
}

/** The names that an import did not understand, with what they mean to be filled in. */
function UnknownNames({ names, known, form: { typed, errors } }: NamesProps) {
  const { isEditor, language, common } = useVisitor();
  const texts = useTexts('imports');
  const rows = KINDS.flatMap((kind) =>
    names[kind].map(({ name, count }) => ({ kind, name, count })),
  );
  if (rows.length === 0) return null;
  const used = KINDS.filter((kind) => names[kind].length > 0);
  const choices = new Map(
    used.map((kind) => [kind, choicesOf(kind, feedLanguage(language).element)]),
  );
  const meaningOf = (kind: NameKind, name: string) =>
    typed?.get(`${kind}:${name}`) ?? choices.get(kind)?.get(known[kind]?.[name] ?? '') ?? '';
  return (
    <Card title={texts.unknown} flush more={formatNumber(rows.length, language)}>
      <p class="body muted">{texts.unknownLead}</p>
      <form method="post">
        <Table
          label={texts.unknown}
          columns={[texts.inFile, { numbers: texts.listings }, isEditor ? texts.means : '']}
          rows={rows.slice(0, NAMES_SHOWN).map(({ kind, name, count }) => [
            <>
              <b>{name}</b> <span class="tag">{texts.kinds[kind]}</span>
            </>,
            formatNumber(count, language),
            isEditor && (
              <CellInput
                name={`${kind}:${name}`}
                list={kind}
                value={meaningOf(kind, name)}
                autocomplete="off"
                placeholder={texts.asItIs}
                label={texts.meansOf({ name })}
                error={errors[`${kind}:${name}`]}
              />
            ),
          ])}
        />
        {isEditor && (
          <p class="body actions">
            <Button kind="primary" name="do" value="names" text={common.save} />
          </p>
        )}
      </form>
      {isEditor &&
        [...choices].map(([kind, all]) => (
          <datalist id={kind}>
            {sortedNames(new Set(all.values()), language).map((choice) => (
              <option value={choice} />
            ))}
          </datalist>
        ))}
    </Card>
  );
}
