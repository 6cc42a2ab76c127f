import { FileTooLarge } from '../../imports/runs/files.ts';
import { type Import, type ImportState, listImports } from '../../imports/runs/imports.ts';
import { importFile } from '../../imports/runs/manage.ts';
import {
  listSources,
  MAX_SOURCES,
  type Schedule,
  type Source,
} from '../../imports/runs/sources.ts';
import { MultipartError, readUpload } from '../../lib/http/multipart.ts';
import { recordDone } from '../define-page.tsx';
import { formatNumber, formatTime } from '../format.ts';
import { FormCard } from '../frame/form.tsx';
import {
  Ago,
  ButtonLink,
  Chip,
  Item,
  Notice,
  TableCard,
  type Todo,
  type Tone,
} from '../frame/parts.tsx';
import { withQuery } from '../paths.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import { type Guest, type Page, UNSENT, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { ONCE_FIELDS, ONCE_VALUES, optionsIn } from './options.ts';

const RUNS_SHOWN = 20;

type ShownState = ImportState | 'tried';

/** The colours of the states of imports, except those under way. */
const STATE_TONES: Readonly<Partial<Record<ShownState, Tone>>> = {
  held: 'warn',
  finished: 'good',
  unchanged: 'good',
  failed: 'bad',
  cancelled: 'none',
};

/** Importing a file once, the addresses that are read on a schedule, and the last imports. */
export async function showImports(visitor: Visitor, form = UNSENT): Promise<Page> {
  const { c, db, account, isEditor } = visitor;
  const texts = textsOf(visitor, 'imports');
  const { before } = c.req.query();
  const [found, sources] = await Promise.all([
    listImports(db, account.id, null, Number(before) || Number.MAX_SAFE_INTEGER, RUNS_SHOWN + 1),
    listSources(db, account.id, null, MAX_SOURCES),
  ]);
  const runs = found.slice(0, RUNS_SHOWN);
  const next =
    found.length > RUNS_SHOWN
      ? withQuery('/imports', { before: String(runs.at(-1)!.id) })
      : undefined;
  const [last] = runs;
  const heading = headingOf(last);
  const isWanted = heading === 'held' || heading === 'failed' || heading === 'tried';
  return {
    title: texts.headings[heading],
    lead: texts.lead,
    actions: last && isWanted && (
      <ButtonLink href={runPath(last)} kind="primary" text={texts.seeImport} />
    ),
    content: (
      <>
        {isEditor && (
          <FormCard
            form={form}
            title={texts.upload}
            enctype="multipart/form-data"
            submit={texts.send}
            kind={isWanted ? undefined : 'primary'}
            fields={{
              ...ONCE_FIELDS,
              // Last: the upload is read up to its file.
              file: { type: 'file', accept: '.xml,.ndjson,.gz,application/xml,text/xml' },
            }}
            texts={texts}
            values={ONCE_VALUES}
            more={<ButtonLink href="/imports/once" text={texts.once} />}
          />
        )}
        <Sources sources={sources} />
        <TableCard
          title={texts.runs}
          none={{ icon: 'clock', text: texts.noRuns, why: texts.noRunsWhy }}
          columns={[texts.when, texts.from, { numbers: texts.records }, texts.state]}
          rows={runs.map((run) => [
            <a href={runPath(run)}>
              <Ago seconds={run.createdAt} />
            </a>,
            originOf(run, visitor),
            run.records === null ? '–' : formatNumber(run.records, visitor.language),
            <State id={run.id} state={shownState(run)} />,
          ])}
          next={next && <ButtonLink href={next} text={texts.earlier} />}
        />
      </>
    ),
  };
}

/** The path of an import. */
export function runPath({ id }: Pick<Import, 'id'>): string {
  return `/import?id=${id}`;
}

/** The way to the first import. */
export function ImportLink() {
  const texts = useTexts('imports');
  return <ButtonLink href="/imports" icon="imports" text={texts.headings.none} />;
}

/** Where the file of an import came from. */
export function originOf(
  { source, url, options }: Pick<Import, 'source' | 'url' | 'options'>,
  { language }: Guest,
): string {
  const { sentFile, fetchedFile } = textsOf({ language }, 'imports');
  return source ?? options.fileName ?? (url === null ? sentFile : fetchedFile);
}

/** The state of an import; that of one that has only said what would change is one more. */
export function shownState({ state, options }: Pick<Import, 'state' | 'options'>): ShownState {
  return state === 'finished' && options.dryRun ? 'tried' : state;
}

function headingOf(last: Import | undefined) {
  if (last === undefined) return 'none';
  if (shownState(last) === 'tried') return 'tried';
  if (last.state === 'held' || last.state === 'failed') return last.state;
  if (last.endedAt === null) return 'active';
  return last.state === 'cancelled' ? 'cancelled' : 'fine';
}

/** What needs attention in the last imports: the latest one of each source, if it is held or has failed. */
export function aboutImports(guest: Guest, imports: readonly Import[]): Todo[] {
  const texts = textsOf(guest, 'imports');
  const latest = [...Map.groupBy(imports, ({ source }) => source).values()].map(
    ([first]) => first!,
  );
  return latest.flatMap((run) => {
    const { state, code } = run;
    if (state !== 'held' && state !== 'failed') return [];
    const text = texts.attention[state]({ from: originOf(run, guest) });
    const action = <ButtonLink href={runPath(run)} text={texts.seeImport} />;
    const why = textOf(texts.failures, code ?? '', '');
    return [
      { icon: 'imports', tone: state === 'held' ? 'warn' : 'bad', text, why, action } as const,
    ];
  });
}

/** Receives a file, and leads to its import. */
export async function uploadFile(visitor: Visitor): Promise<Page | Response> {
  const { c, account, common } = visitor;
  const texts = textsOf(visitor, 'imports');
  let typed = new URLSearchParams();
  const refuse = async (file: string, status = 422) => {
    const page = await showImports(visitor, { typed, errors: { file } });
    return { ...page, status, notice: <Notice kind="bad">{common.invalid}</Notice> };
  };
  try {
    const { fields, fileName, chunks } = await readUpload(c.req.raw);
    typed = fields;
    if (fileName === '') return await refuse(texts.noFile);
    const id = await importFile(c.env, account.id, optionsIn(visitor, fields, fileName), chunks);
    if (id === null) return await refuse(texts.tooMany);
    await recordDone(visitor, { did: 'import.started', with: fileName.slice(0, 200) });
    return c.redirect(runPath({ id }), 303);
  } catch (error) {
    if (error instanceof FileTooLarge) return refuse(texts.tooLarge, 413);
    if (error instanceof MultipartError) return refuse(texts.incomplete, 400);
    throw error;
  }
}

/** When a source is read, in words. */
export function scheduleText({ every, at, timeZone }: Schedule, visitor: Visitor): string {
  const texts = textsOf(visitor, 'imports');
  const [day = '', time = day] = at.split(' ');
  const zone = timeZone === visitor.timeZone ? '' : ` (${timeZone})`;
  const values = { at: `${time}${zone}`, minute: time.slice(-2), day: textOf(texts.days, day) };
  return texts.schedules[every](values);
}

function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const visitor = useVisitor();
  const { isEditor } = visitor;
  const texts = useTexts('imports');
  const nextOf = ({ enabled, nextRunAt }: Source) => {
    if (!enabled) return <Chip>{texts.off}</Chip>;
    return nextRunAt <= visitor.now ? texts.soon : formatTime(nextRunAt, visitor);
  };
  const action = isEditor && (
    <ButtonLink href="/imports/source" icon="plus" text={texts.addSource} />
  );
  return (
    <TableCard
      title={texts.sources}
      more={isEditor && <a href="/imports/source">{texts.addSource}</a>}
      none={{ icon: 'imports', text: texts.noSources, why: texts.noSourcesWhy, action }}
      columns={[texts.name, texts.schedule, texts.next, texts.lastTime]}
      rows={sources.map((source) => [
        <Item
          href={withQuery('/imports/source', { name: source.name })}
          title={source.name}
          note={source.shownUrl}
        />,
        scheduleText(source, visitor),
        nextOf(source),
        source.lastId !== null && <State id={source.lastId} state={source.lastState!} />,
      ])}
    />
  );
}

function State({ id, state }: Pick<Import, 'id'> & { readonly state: ShownState }) {
  return (
    <a href={runPath({ id })}>
      <Chip tone={STATE_TONES[state] ?? 'info'}>{useTexts('imports').states[state]}</Chip>
    </a>
  );
}
