import { addressError, mayCallLocal } from '../../http/outbound.ts';
import { DEFAULT_MAX_WITHDRAWN, sourceSettings } from '../../imports/api/schemas.ts';
import { runSource, saveSource } from '../../imports/runs/manage.ts';
import { deleteSource, findSource, type Source } from '../../imports/runs/sources.ts';
import { isShortName } from '../../lib/short-name.ts';
import { timeZones } from '../../lib/time/zones.ts';
import { type Done, definePage, type Refusal } from '../define-page.tsx';
import { SAVED } from '../flash.tsx';
import { ButtonForm, Deletion, Fields, Submit } from '../frame/form.tsx';
import { Card } from '../frame/parts.tsx';
import { textsOf } from '../texts/texts.ts';
import type { FormState, Page, Visitor } from '../visit.ts';
import { runPath, scheduleText } from './list.tsx';

const NEW = {
  name: '',
  url: '',
  every: 'day',
  day: 'mon',
  time: '03:30',
  timeZone: 'UTC',
  maxWithdrawn: String(DEFAULT_MAX_WITHDRAWN),
  copyPictures: '',
  enabled: '1',
};

type Typed = Readonly<Record<keyof typeof NEW, string>>;

function valuesOf(source: Source): Typed {
  const { name, shownUrl, every, at, timeZone, maxWithdrawn, copyPictures, enabled } = source;
  const [time = '', day = 'mon'] = at.split(' ').toReversed();
  const given = { name, url: shownUrl, every, day, time, timeZone };
  const checked = { copyPictures: copyPictures ? '1' : '', enabled: enabled ? '1' : '' };
  return { ...given, maxWithdrawn: String(maxWithdrawn), ...checked };
}

/** An address that is read on a schedule, or the form for a new one. */
export const source = definePage<Source | undefined>({
  find: async ({ c, db, account }) => {
    const name = c.req.query('name');
    return name === undefined ? undefined : findSource(db, { accountId: account.id, name });
  },
  settings: (source) => {
    const { copyPictures, enabled } = source;
    return { ...valuesOf(source), copyPictures, enabled };
  },
  show: sourcePage,
  create: save,
  actions: {
    save,
    run,
    delete: async ({ db }, source) => {
      await deleteSource(db, source);
      return { did: 'source.deleted', with: source.name, next: '/imports' };
    },
  },
});

async function run(visitor: Visitor, source: Source): Promise<Done | Refusal> {
  const id = await runSource(visitor.c.env, source, visitor.now);
  if (id !== null) return { next: runPath({ id }) };
  return { why: textsOf(visitor, 'imports').alreadyRunning, status: 409 };
}

async function save(
  visitor: Visitor,
  subject: Source | undefined,
  fields: URLSearchParams,
): Promise<Done | Refusal> {
  const { c, db, account, now } = visitor;
  const texts = textsOf(visitor, 'imports');
  const entries = Object.keys(NEW).map((name) => [name, (fields.get(name) ?? '').trim()]);
  const typed: Typed = Object.fromEntries(entries);
  const name = subject?.name ?? typed.name;
  const address = { accountId: account.id, name };
  const { format = null, strict = false, channel = null } = subject ?? {};
  const parsed = sourceSettings.safeParse({
    format,
    strict,
    channel,
    url: typed.url,
    every: typed.every,
    time_zone: typed.timeZone || subject?.timeZone || visitor.timeZone,
    copy_pictures: typed.copyPictures !== '',
    enabled: typed.enabled !== '',
    at: typed.every === 'week' ? `${typed.day} ${typed.time}` : typed.time,
    max_withdrawn: /^\d{1,3}$/.test(typed.maxWithdrawn) ? Number(typed.maxWithdrawn) : -1,
  });
  const invalid = new Set(parsed.error?.issues.map(({ path }) => path[0]));
  const isTaken = subject === undefined && (await findSource(db, address)) !== null;
  const isBadUrl = invalid.has('url') || addressError(typed.url, mayCallLocal(c.env)) !== null;
  const errors: Record<string, string> = {};
  if (isTaken) errors.name = texts.nameTaken;
  if (!isShortName(name)) errors.name = texts.nameInvalid;
  if (isBadUrl) errors.url = texts.urlInvalid;
  if (invalid.has('at')) errors.time = texts.timeInvalid;
  if (invalid.has('time_zone')) errors.timeZone = textsOf(visitor, 'settings').timeZoneInvalid;
  if (invalid.has('max_withdrawn')) errors.maxWithdrawn = texts.maxWithdrawnInvalid;
  if (Object.keys(errors).length > 0 || !parsed.success) return { errors };
  const { url, time_zone: timeZone, max_withdrawn: maxWithdrawn, ...rest } = parsed.data;
  const { copy_pictures: copyPictures, ...others } = rest;
  const origin = c.env.PUBLIC_ORIGIN || new URL(c.req.url).origin;
  const settings = { ...others, timeZone, maxWithdrawn, copyPictures, origin };
  const isNew = await saveSource(c.env, address, settings, url, now);
  if (isNew === 'masked') return { errors: { url: texts.urlMasked } };
  if (isNew === null) return { why: texts.tooManySources };
  const did = { did: 'source.saved', with: name };
  const stored = isNew && settings.enabled ? await findSource(db, address) : null;
  if (stored === null) return { ...did, next: '/imports', flash: SAVED };
  const started = await run(visitor, stored);
  return 'next' in started ? { ...did, ...started } : { ...did, next: '/imports' };
}

function sourcePage(visitor: Visitor, source: Source | undefined, form: FormState): Page {
  const { common } = visitor;
  const texts = textsOf(visitor, 'imports');
  const name = { wide: true, required: true, maxlength: 40, autocomplete: 'off' } as const;
  const fields = {
    url: { wide: true, required: true, inputmode: 'url', autocomplete: 'off', spellcheck: false },
    name: source === undefined ? name : undefined,
    every: { options: Object.entries(texts.everyOptions) },
    day: { options: Object.entries(texts.days) },
    time: { type: 'time', required: true },
    timeZone: { options: timeZones().map((zone) => [zone, zone] as const) },
    maxWithdrawn: { inputmode: 'numeric' },
    copyPictures: { type: 'checkbox', wide: true },
    enabled: { type: 'checkbox', wide: true },
  } as const;
  return {
    title: source?.name ?? texts.newSource,
    lead: source === undefined ? texts.newSourceLead : scheduleText(source, visitor),
    actions: source !== undefined && <ButtonForm buttons={[{ does: 'run', text: texts.runNow }]} />,
    content: (
      <>
        <form method="post" class="stack" data-keep>
          <Card title={texts.source}>
            <div class="fields">
              <Fields
                form={form}
                fields={fields}
                texts={texts}
                values={source ? valuesOf(source) : { ...NEW, timeZone: visitor.timeZone }}
              />
            </div>
          </Card>
          <Submit version={form.version} cancel="/imports" text={common.save} />
        </form>
        {source !== undefined && <Deletion title={texts.delete} why={texts.deleteWhy} />}
      </>
    ),
  };
}
