import { addressError, mayCallLocal } from '../../http/outbound.ts';
import { DEFAULT_MAX_WITHDRAWN, sourceSettings } from '../../imports/api/schemas.ts';
import { runSource, saveSource } from '../../imports/runs/manage.ts';
import { deleteSource, findSource, type Source } from '../../imports/runs/sources.ts';
import { isShortName } from '../../lib/short-name.ts';
import { ButtonForm, Deletion, Fields, Submit } from '../frame/form.tsx';
import { Card } from '../frame/parts.tsx';
import { pageOf, recordDone, type Sent, type Visit } from '../pages.tsx';
import { TEXTS } from '../texts/texts.ts';
import { type Page, type Visitor, withTexts } from '../visit.ts';
import { runPath, scheduleText } from './list.tsx';

const NEW = {
  name: '',
  url: '',
  every: 'day',
  day: 'mon',
  time: '03:30',
  maxWithdrawn: String(DEFAULT_MAX_WITHDRAWN),
  enabled: '1',
};

type Typed = Readonly<Record<keyof typeof NEW, string>>;

function valuesOf({ name, shownUrl, every, at, maxWithdrawn, enabled }: Source): Typed {
  const [time = '', day = 'mon'] = at.split(' ').toReversed();
  const given = { name, url: shownUrl, every, day, time };
  return { ...given, maxWithdrawn: String(maxWithdrawn), enabled: enabled ? '1' : '' };
}

/** An address that is read on a schedule, or the form for a new one. */
export const source = pageOf<Source | undefined>({
  find: async ({ c, db, account }) => {
    const name = c.req.query('name');
    return name === undefined ? undefined : findSource(db, { accountId: account.id, name });
  },
  settings: valuesOf,
  show: sourcePage,
  create: save,
  actions: {
    save,
    run: ({ visitor, subject }) => run(visitor, subject),
    delete: async ({ visitor, subject }) => {
      await deleteSource(visitor.db, subject);
      return { did: 'source.deleted', with: subject.name, next: '/imports' };
    },
  },
});

async function run({ c, language, now }: Visitor, source: Source) {
  const id = await runSource(c.env, source, now);
  if (id !== null) return c.redirect(runPath({ id }), 303);
  return { why: TEXTS[language].imports.alreadyRunning, status: 409 };
}

async function save({ visitor, subject, fields }: Sent<Source | undefined>) {
  const { c, db, account, texts, now } = withTexts(visitor, 'imports');
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
  if (invalid.has('max_withdrawn')) errors.maxWithdrawn = texts.maxWithdrawnInvalid;
  if (Object.keys(errors).length > 0 || !parsed.success) return { errors };
  const { url, max_withdrawn: maxWithdrawn, ...settings } = parsed.data;
  const isNew = await saveSource(c.env, address, { ...settings, maxWithdrawn }, url, now);
  if (isNew === 'masked') return { errors: { url: texts.urlMasked } };
  if (isNew === null) return { why: texts.tooManySources };
  await recordDone(visitor, 'source.saved', name);
  const stored = isNew && settings.enabled ? await findSource(db, address) : null;
  return stored === null ? c.redirect('/imports', 303) : run(visitor, stored);
}

function sourcePage({ visitor, subject: source }: Visit<Source | undefined>): Page {
  const { texts, common } = withTexts(visitor, 'imports');
  const name = { wide: true, required: true, maxlength: 40, autocomplete: 'off' } as const;
  const fields = {
    url: { wide: true, required: true, inputmode: 'url', autocomplete: 'off', spellcheck: false },
    name: source === undefined ? name : undefined,
    every: { options: Object.entries(texts.everyOptions) },
    day: { options: Object.entries(texts.days) },
    time: { type: 'time', required: true },
    maxWithdrawn: { inputmode: 'numeric' },
    enabled: { type: 'checkbox', wide: true },
  } as const;
  return {
    title: source?.name ?? texts.newSource,
    lead: source === undefined ? texts.newSourceLead : scheduleText(source, visitor),
    actions: source !== undefined && <ButtonForm buttons={[['run', texts.runNow]]} />,
    content: [
      <form method="post" class="stack" data-keep>
        <Card title={texts.source}>
          <div class="fields">
            <Fields fields={fields} texts={texts} values={source ? valuesOf(source) : NEW} />
          </div>
        </Card>
        <Submit name="do" value="save" cancel="/imports" text={common.save} />
      </form>,
      source !== undefined && <Deletion title={texts.delete} why={texts.deleteWhy} />,
    ],
  };
}
