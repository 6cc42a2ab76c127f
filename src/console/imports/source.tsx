import type { Context } from 'hono';
import type * as z from 'zod';
import { runSource, saveSource } from '../../api/imports/manage.ts';
import { DEFAULT_MAX_WITHDRAWN, sourceSettings } from '../../api/imports/schemas.ts';
import { deleteSource, findSource, type Source } from '../../db/imports/sources.ts';
import type { AppEnv } from '../../env.ts';
import { addressError, mayCallLocal } from '../../http/outbound.ts';
import { isShortName } from '../../lib/short-name.ts';
import { Choice, Deletion, Select, Submit, TextField } from '../frame/form.tsx';
import { Button, Card, Notice } from '../frame/parts.tsx';
import { notFoundPage, readForm, recordDone } from '../guards.tsx';
import { withQuery } from '../paths.ts';
import { IMPORTS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { runPath, scheduleText } from './list.tsx';

/** What the form has, as it is typed. */
type Typed = Readonly<Record<'name' | 'url' | 'every' | 'day' | 'time' | 'maxWithdrawn' | 'enabled', string>>;

type Errors = Readonly<Partial<Record<keyof Typed, string>>>;

const NEW: Typed = {
  name: '',
  url: '',
  every: 'day',
  day: 'mon',
  time: '03:30',
  maxWithdrawn: String(DEFAULT_MAX_WITHDRAWN),
  enabled: '1',
};

/** An address that is read on a schedule, or the form for a new one. */
export async function showSource(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const source = await find(c, visitor);
  if (source === undefined) return notFoundPage(visitor);
  return sourcePage(visitor, source, source === null ? NEW : typedOf(source));
}

/** The source that the query names; `null` without a name, `undefined` if the account has none with it. */
async function find(c: Context<AppEnv>, { account }: Visitor): Promise<Source | null | undefined> {
  const name = c.req.query('name');
  if (name === undefined) return null;
  return (await findSource(c.env.DB, { accountId: account.id, name })) ?? undefined;
}

function typedOf({ name, shownUrl, every, at, maxWithdrawn, enabled }: Source): Typed {
  const [time = '', day = 'mon'] = at.split(' ').toReversed();
  const given = { name, url: shownUrl, every, day, time };
  return { ...given, maxWithdrawn: String(maxWithdrawn), enabled: enabled ? '1' : '' };
}

/** Creates or changes a source, reads it now, or deletes it. */
export async function changeSource(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  const source = await find(c, visitor);
  if (source === undefined) return notFoundPage(visitor);
  const fields = await readForm(c);
  const action = fields.get('do');
  if (action === 'save') return save(c, visitor, source, fields);
  if (source === null) return notFoundPage(visitor);
  if (action === 'run') return run(c, visitor, source);
  if (action !== 'delete' || !fields.has('sure')) {
    return { ...sourcePage(visitor, source, typedOf(source), {}, visitor.texts.sureMissing), status: 422 };
  }
  await deleteSource(c.env.DB, source);
  await recordDone(c, visitor, 'source.deleted', source.name);
  return c.redirect('/imports', 303);
}

async function run(c: Context<AppEnv>, visitor: Visitor, source: Source): Promise<Page | Response> {
  const id = await runSource(c.env, source, visitor.now);
  if (id !== null) return c.redirect(runPath({ id }), 303);
  const running = IMPORTS[visitor.language].alreadyRunning;
  return { ...sourcePage(visitor, source, typedOf(source), {}, running), status: 409 };
}

async function save(
  c: Context<AppEnv>,
  visitor: Visitor,
  source: Source | null,
  fields: URLSearchParams,
): Promise<Page | Response> {
  const texts = IMPORTS[visitor.language];
  const names = Object.keys(NEW) as (keyof Typed)[];
  const typed = Object.fromEntries(names.map((name) => [name, (fields.get(name) ?? '').trim()])) as Typed;
  const name = source?.name ?? typed.name;
  const address = { accountId: visitor.account.id, name };
  const { format = null, strict = false, channel = null } = source ?? {};
  const parsed = sourceSettings.safeParse({
    ...{ url: typed.url, format, strict, channel, every: typed.every, enabled: typed.enabled !== '' },
    at: typed.every === 'week' ? `${typed.day} ${typed.time}` : typed.time,
    max_withdrawn: /^\d{1,3}$/.test(typed.maxWithdrawn) ? Number(typed.maxWithdrawn) : -1,
  });
  const isKept = source !== null && typed.url === source.shownUrl;
  const isTaken = source === null && (await findSource(c.env.DB, address)) !== null;
  const errors: Errors = {
    ...(!isShortName(name) && { name: texts.nameInvalid }),
    ...(isTaken && { name: texts.nameTaken }),
    ...(!isKept && addressError(typed.url, mayCallLocal(c.env)) !== null && { url: texts.urlInvalid }),
    ...errorsOf(parsed.error, texts),
  };
  if (Object.keys(errors).length > 0 || !parsed.success) {
    return { ...sourcePage(visitor, source, typed, errors, visitor.texts.invalid), status: 422 };
  }
  const { url, max_withdrawn: maxWithdrawn, ...settings } = parsed.data;
  const saving = saveSource(c.env, address, { ...settings, maxWithdrawn }, url, visitor.now);
  const isNew = await saving;
  if (isNew === null) return { ...sourcePage(visitor, source, typed, {}, texts.tooManySources), status: 422 };
  await recordDone(c, visitor, 'source.saved', name);
  const stored = isNew && settings.enabled ? await findSource(c.env.DB, address) : null;
  return stored === null ? c.redirect('/imports', 303) : run(c, visitor, stored);
}

function errorsOf(error: z.ZodError | undefined, texts: (typeof IMPORTS)['en']): Errors {
  const invalid = new Set(error?.issues.map(({ path }) => path[0]));
  return {
    ...(invalid.has('at') && { time: texts.atInvalid }),
    ...(invalid.has('max_withdrawn') && { maxWithdrawn: texts.maxWithdrawnInvalid }),
    ...(invalid.has('url') && { url: texts.urlInvalid }),
  };
}

function sourcePage(
  visitor: Visitor,
  source: Source | null,
  typed: Typed,
  errors: Errors = {},
  problem: string | null = null,
): Page {
  const { language, texts: common } = visitor;
  const texts = IMPORTS[language];
  const action = withQuery('/imports/source', { name: source?.name });
  return {
    title: source === null ? texts.newSource : source.name,
    lead: source === null ? texts.newSourceLead : scheduleText(source, visitor),
    notice: problem !== null && <Notice kind="bad">{problem}</Notice>,
    actions: source !== null && (
      <form method="post" action={action}>
        <Button name="do" value="run">
          {texts.runNow}
        </Button>
      </form>
    ),
    content: (
      <div class="stack">
        <form method="post" action={action} class="stack" data-keep>
          <Card title={texts.source}>
            <div class="fields">
              <TextField
                field={{ name: 'url', label: texts.url, hint: texts.urlHint, error: errors.url, wide: true }}
                value={typed.url}
                required
                inputmode="url"
                autocomplete="off"
                spellcheck={false}
              />
              {source === null && (
                <TextField
                  field={{ name: 'name', label: texts.name, hint: texts.nameHint, error: errors.name, wide: true }}
                  value={typed.name}
                  required
                  maxlength={40}
                  autocomplete="off"
                />
              )}
              <Select
                field={{ name: 'every', label: texts.every }}
                value={typed.every}
                options={Object.entries(texts.everyOptions)}
              />
              <Select
                field={{ name: 'day', label: texts.day, hint: texts.dayHint }}
                value={typed.day}
                options={Object.entries(texts.days)}
              />
              <TextField
                field={{ name: 'time', label: texts.at, hint: texts.atHint, error: errors.time }}
                type="time"
                value={typed.time}
                required
              />
              <TextField
                field={{
                  ...{ name: 'maxWithdrawn', label: texts.maxWithdrawn, hint: texts.maxWithdrawnHint },
                  error: errors.maxWithdrawn,
                }}
                value={typed.maxWithdrawn}
                inputmode="numeric"
              />
              <div class="wide">
                <Choice name="enabled" checked={typed.enabled !== ''}>
                  {texts.enabled}
                </Choice>
              </div>
            </div>
          </Card>
          <Submit name="do" value="save" cancel="/imports">
            {common.save}
          </Submit>
        </form>
        {source !== null && (
          <Card title={texts.delete}>
            <Deletion why={texts.deleteWhy} action={action} />
          </Card>
        )}
      </div>
    ),
  };
}
