import type { Context } from 'hono';
import { FileTooLarge } from '../../api/imports/files.ts';
import { importFile } from '../../api/imports/manage.ts';
import { DEFAULT_MAX_WITHDRAWN } from '../../api/imports/schemas.ts';
import { type Import, type ImportState, listImports } from '../../db/imports/imports.ts';
import { listSources, MAX_SOURCES, type Source } from '../../db/imports/sources.ts';
import type { AppEnv } from '../../env.ts';
import { MultipartError, readUpload } from '../../lib/http/multipart.ts';
import { Ago, formatNumber, formatTime } from '../format.tsx';
import { Choice, Submit, TextField } from '../frame/form.tsx';
import { ButtonLink, Card, Chip, Item, type Tone } from '../frame/parts.tsx';
import { Pager, Table } from '../frame/table.tsx';
import { may, recordDone } from '../guards.tsx';
import { query, withQuery } from '../paths.ts';
import { textOf } from '../texts/catalogue.ts';
import { IMPORTS } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';

const RUNS_SHOWN = 20;

/** The colours of the states of imports. */
export const STATE_TONES: Readonly<Record<ImportState, Tone>> = {
  receiving: 'info',
  fetching: 'info',
  validating: 'info',
  applying: 'info',
  held: 'warn',
  finished: 'good',
  unchanged: 'good',
  failed: 'bad',
  cancelled: 'none',
};

/** Uploading a file, the addresses that are read on a schedule, and the last imports. */
export async function showImports(c: Context<AppEnv>, visitor: Visitor, error?: string): Promise<Page> {
  const { account, language } = visitor;
  const texts = IMPORTS[language];
  const before = Number(c.req.query('before')) || Number.MAX_SAFE_INTEGER;
  const reading = Promise.all([
    listImports(c.env.DB, account.id, null, before, RUNS_SHOWN + 1),
    listSources(c.env.DB, account.id, null, MAX_SOURCES),
  ]);
  const [found, sources] = await reading;
  const runs = found.slice(0, RUNS_SHOWN);
  const heading = headingOf(runs[0]);
  const isEditor = may(visitor, 'editor');
  const addSource = isEditor && (
    <ButtonLink href="/imports/source" icon="plus">
      {texts.addSource}
    </ButtonLink>
  );
  const noSources = { icon: 'imports', text: texts.noSources, why: texts.noSourcesWhy, action: addSource } as const;
  return {
    title: texts.headings[heading],
    lead: texts.lead,
    actions: (heading === 'held' || heading === 'failed') && (
      <ButtonLink href={runPath(runs[0]!)} kind="primary">
        {texts.seeImport}
      </ButtonLink>
    ),
    ...(error !== undefined && { status: 422 }),
    content: (
      <div class="stack">
        {isEditor && (
          <Card title={texts.upload}>
            <UploadForm error={error} />
          </Card>
        )}
        <Card
          title={texts.sources}
          flush
          more={isEditor && sources.length > 0 && <a href="/imports/source">{texts.addSource}</a>}
          empty={sources.length === 0 && noSources}
        >
          <Sources sources={sources} />
        </Card>
        <Card
          title={texts.runs}
          flush
          empty={runs.length === 0 && { icon: 'clock', text: texts.noRuns, why: texts.noRunsWhy }}
        >
          <Runs runs={runs} />
          {(found.length > RUNS_SHOWN || c.req.query('before') !== undefined) && (
            <Pager
              text={texts.runsShown({ count: runs.length })}
              previous={c.req.query('before') === undefined ? undefined : '/imports'}
              next={found.length > RUNS_SHOWN ? withQuery('/imports', { before: String(runs.at(-1)!.id) }) : undefined}
              labels={{ previous: texts.latest, next: texts.earlier }}
            />
          )}
        </Card>
      </div>
    ),
  };
}

/** The path of an import. */
export function runPath({ id }: Pick<Import, 'id'>): string {
  return `/import?id=${id}`;
}

function headingOf(last: Import | undefined) {
  if (last === undefined) return 'none';
  if (last.state === 'held' || last.state === 'failed') return last.state;
  if (last.endedAt === null) return 'active';
  return last.state === 'cancelled' ? 'cancelled' : 'fine';
}

/** Receives a file, and leads to its import. */
export async function uploadFile(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  const texts = IMPORTS[visitor.language];
  try {
    const { fields, fileName, chunks } = await readUpload(c.req.raw);
    if (fileName === '') return await showImports(c, visitor, texts.noFile);
    const options = { format: null, strict: false, channel: null, maxWithdrawn: DEFAULT_MAX_WITHDRAWN };
    const id = await importFile(c.env, visitor.account.id, { ...options, replace: fields.has('replace') }, chunks);
    if (id === null) return await showImports(c, visitor, texts.tooMany);
    await recordDone(c, visitor, 'import.started', fileName.slice(0, 200));
    return c.redirect(runPath({ id }), 303);
  } catch (error) {
    if (error instanceof FileTooLarge) return { ...(await showImports(c, visitor, texts.tooLarge)), status: 413 };
    if (error instanceof MultipartError) return { ...(await showImports(c, visitor, texts.incomplete)), status: 400 };
    throw error;
  }
}

function UploadForm({ error }: { readonly error: string | undefined }) {
  const texts = useTexts(IMPORTS);
  return (
    <form method="post" action="/imports" enctype="multipart/form-data" class="stack close">
      <Choice name="replace" checked={false} aria-describedby="replace-hint">
        {texts.replace}
        <br />
        <span class="hint" id="replace-hint">
          {texts.replaceHint}
        </span>
      </Choice>
      <TextField
        field={{ name: 'file', label: texts.file, hint: texts.fileHint, error }}
        type="file"
        accept=".xml,.ndjson,.gz,application/xml,text/xml"
        required
      />
      <Submit>{texts.import}</Submit>
    </form>
  );
}

/** When a source is read, in words. */
export function scheduleText({ every, at }: Pick<Source, 'every' | 'at'>, { language }: Visitor): string {
  const texts = IMPORTS[language];
  const [day = '', time = day] = at.split(' ');
  const values = { at: time, minute: time.slice(-2), day: textOf(texts.days, day) };
  return texts.schedules[every](values);
}

function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const visitor = useVisitor();
  const texts = useTexts(IMPORTS);
  const nextOf = ({ enabled, nextRunAt }: Source) => {
    if (!enabled) return <Chip>{texts.off}</Chip>;
    return nextRunAt <= visitor.now ? texts.soon : formatTime(nextRunAt, visitor.language);
  };
  return (
    <Table
      label={texts.sources}
      columns={[[texts.name], [texts.schedule], [texts.next], [texts.lastTime]]}
      rows={sources.map((source) => [
        <Item href={`/imports/source?${query({ name: source.name })}`} title={source.name} note={source.shownUrl} />,
        scheduleText(source, visitor),
        nextOf(source),
        source.lastId !== null && <State id={source.lastId} state={source.lastState!} />,
      ])}
    />
  );
}

function State({ id, state }: Pick<Import, 'id' | 'state'>) {
  return (
    <a href={runPath({ id })}>
      <Chip tone={STATE_TONES[state]}>{useTexts(IMPORTS).states[state]}</Chip>
    </a>
  );
}

function Runs({ runs }: { readonly runs: readonly Import[] }) {
  const visitor = useVisitor();
  const texts = useTexts(IMPORTS);
  return (
    <Table
      label={texts.runs}
      columns={[[texts.when], [texts.from], [texts.records, 'num'], [texts.state]]}
      rows={runs.map(({ id, state, createdAt, source, records }) => [
        <a href={runPath({ id })}>
          <Ago seconds={createdAt} />
        </a>,
        source ?? texts.sentFile,
        records === null ? '–' : formatNumber(records, visitor.language),
        <State id={id} state={state} />,
      ])}
    />
  );
}
