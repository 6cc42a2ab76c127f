import { readSetting } from '../../accounts/accounts.ts';
import { BATCH_FIELD } from '../../accounts/activity.ts';
import { readReportState, writeReportSettings } from '../../accounts/overview.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import { folded } from '../../lib/folded.ts';
import { READER_KINDS } from '../../properties/restrictions.ts';
import { unknownNames } from '../../readers/api/known-names.ts';
import { changeReader, newReader } from '../../readers/api/reader.ts';
import { PLACES, type Policy, policyIn, policyText, WITHHOLDABLE } from '../../readers/policy.ts';
import { createReader, type Reader } from '../../readers/readers.ts';
import { definePage } from '../define-page.tsx';
import {
  errorsByName,
  givenParameters,
  ParameterFields,
  parametersText,
  presetValues,
} from '../feed/parameters.tsx';
import { SAVED } from '../flash.tsx';
import { Fields, Submit } from '../frame/form.tsx';
import { Logo } from '../frame/icon.tsx';
import { Button, Card } from '../frame/parts.tsx';
import { showOnce } from '../once/once.ts';
import { portalPath } from '../paths.ts';
import { type Names, readNames } from '../properties/property.ts';
import { textOf, textsOf, translated } from '../texts/texts.ts';
import {
  actorOf,
  type FormState,
  type Page,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';
import { formatName, type ListedPortal, PORTAL_LIST } from './catalogue.ts';
import { changing, findPortalReader, portalKey, Steps, titleOf } from './change.tsx';
import { lastChange } from './history.tsx';
import { formatOf, portalView } from './portal.ts';
import {
  type Choices,
  loadChoices,
  RulesFields,
  readRules,
  replacingRules,
  reviewOf,
  ruleErrors,
  rulesText,
} from './selection.tsx';

const MAX_TITLE_LENGTH = 100;

/** What a portal gets, as a form has it: feed parameters and what it is; title and `fixed` only if the form asks for them. */
type Contents = Pick<Read, 'given'> & Partial<Read> & { readonly policy: Policy };
type Read = ReturnType<typeof readContents>;

function readContents(fields: URLSearchParams, format: FeedFormat) {
  return {
    given: givenParameters(format.feedParameters, fields),
    policy: {
      kind: READER_KINDS.find((one) => one === fields.get('kind')) ?? null,
      place: PLACES.find((one) => one === fields.get('place')) ?? 'exact',
      withhold: fields.getAll('withhold') as readonly string[],
    },
    title: (fields.get('title') ?? '').trim().slice(0, MAX_TITLE_LENGTH),
    fixed: fields.has('fixed'),
  };
}

/** An error for each parameter that a format requires, by its name, unless it is given or the account states it. */
async function missingIn(given: Contents['given'], visitor: Visitor, format: FeedFormat) {
  const { parameters } = format.parse({ ...(await statedFor(visitor, format)), ...given });
  return errorsByName(format.missing?.(parameters) ?? [], visitor.language);
}

/** What the account states for all portals of a format. */
async function statedFor({ db, account }: Visitor, format: FeedFormat) {
  const stated = await readSetting(db, account.id, 'formatSettings');
  return presetValues(stated[format.name] ?? '');
}

/** What a portal that is connected gets. */
export const contents = definePage({
  find: findPortalReader,
  settings: ({ preset, fixed, policy }) => ({ preset, fixed, policy }),
  show: contentsPage,
  actions: {
    count: async (visitor, subject, fields) => {
      const { format } = portalView(subject, [], visitor.now);
      const { given, policy } = readContents(fields, format);
      const read = readRules(fields, visitor);
      fields.set('do', 'save');
      if ('errors' in read) return { errors: read.errors };
      const selection = read.rules;
      const after = stated(subject, parametersText(given), { ...policy, selection });
      const version = fields.get('version') ?? undefined;
      const form = { typed: fields, errors: {}, version };
      return contentsPage(visitor, subject, form, after);
    },
    save: async (visitor, subject, fields) => {
      const { format } = portalView(subject, [], visitor.now);
      const { given, policy, fixed } = readContents(fields, format);
      const read = readRules(fields, visitor);
      const missing = await missingIn(given, visitor, format);
      const errors = { ...missing, ...('errors' in read && read.errors) };
      if ('errors' in read || Object.keys(errors).length > 0) return { errors };
      const selection = replacingRules(read.rules);
      const change = { preset: parametersText(given), fixed, ...policy, selection };
      const result = await changing(visitor, subject, (db, address) =>
        changeReader(db, address, change, actorOf(visitor), subject),
      );
      if (result === 'not found') return null;
      if (result === 'changed since') return { why: visitor.common.conflict, status: 412 };
      if (result === 'fixed without preset') return { why: textsOf(visitor, 'portals').notFixed };
      if (result !== 'changed' && 'rules' in result)
        return { errors: ruleErrors(result.rules, visitor.language) };
      if (result !== 'changed') return { errors: errorsByName(result.errors, visitor.language) };
      const after = (await findPortalReader(visitor)) ?? subject;
      const names = await readNames(visitor);
      const [from, to] = [subject, after].map((reader) => contentsText(visitor, reader, names));
      const changed = Object.keys(to!).filter((name) => from![name] !== to![name]);
      const batch = await lastChange(visitor, subject);
      return {
        details: [
          ...(batch === null ? [] : [[BATCH_FIELD, null, batch] as const]),
          ...changed.map((name) => [name, from![name]!, to![name]!] as const),
        ],
        did: 'portal.changed',
        with: titleOf(subject),
        next: portalPath(subject.name),
        flash: SAVED,
      };
    },
  },
});

/** What a reader gets, in words, for the log. */
function contentsText(visitor: Visitor, { preset, policy }: Reader, names: Names) {
  const texts = textsOf(visitor, 'portals');
  const { kind, place, withhold, selection } = policyIn(policy);
  const withheld = withhold.map((one) => textOf(texts.withheld, one)).join(', ');
  const all: Readonly<Record<string, string>> = {
    preset,
    kind: kind === null ? texts.anyKind : texts.kinds[kind],
    place: texts.places[place],
    withhold: withheld,
    selection: rulesText(selection, names, visitor),
  };
  return all;
}

/** A reader with other contents. */
function stated(reader: Reader, preset: string, policy: Partial<Policy>): Reader {
  return { ...reader, preset, policy: policyText(policy) };
}

/** @param after what the form states, to be counted */
async function contentsPage(
  visitor: Visitor,
  subject: Reader,
  form: FormState,
  after?: Reader,
): Promise<Page> {
  const { common, now } = visitor;
  const texts = textsOf(visitor, 'portals');
  const { preset, fixed, policy, name } = subject;
  const { title, format } = portalView(subject, [], now);
  const stored = { given: presetValues(preset), fixed, policy: policyIn(policy) };
  const [ofAll, { rows, choices }] = await Promise.all([
    statedFor(visitor, format),
    loadChoices(visitor, await readNames(visitor)),
  ]);
  return {
    title: texts.changeTitle({ title }),
    notice: after && (await reviewOf(visitor, subject, after, rows)),
    crumbs: [{ name: title, href: portalPath(name) }],
    content: (
      <ContentsForm
        form={form}
        card={texts.contents}
        cancel={portalPath(name)}
        button={common.save}
        format={format}
        preset={preset}
        stated={ofAll}
        stored={stored}
        choices={choices}
      />
    ),
  };
}

/** Connecting a portal: choosing it from a list, what it gets, and then its address, which is shown once. */
export const connection = definePage<ListedPortal | undefined>({
  find: async ({ c }) => PORTAL_LIST.find(({ id }) => id === c.req.query('portal')),
  show: (visitor, portal, form) =>
    portal === undefined ? choicePage(visitor) : connectPage(visitor, portal, form),
  actions: {
    count: async (visitor, portal, fields) => {
      const { given, policy } = readContents(fields, formatOf(portal.format));
      const read = readRules(fields, visitor);
      fields.set('do', 'save');
      if ('errors' in read) return { errors: read.errors };
      const all = { ...policy, selection: read.rules };
      const form = { typed: fields, errors: {} };
      return connectPage(visitor, portal, form, { preset: parametersText(given), policy: all });
    },
    save: async (visitor, portal, fields) => {
      const { db } = visitor;
      const accountId = visitor.account.id;
      const format = formatOf(portal.format);
      const { title, given, policy } = readContents(fields, format);
      const read = readRules(fields, visitor);
      const named = { ...(title === '' && { title: textsOf(visitor, 'portals').calledMissing }) };
      const missing = await missingIn(given, visitor, format);
      const errors = { ...named, ...missing, ...('errors' in read && read.errors) };
      if ('errors' in read || Object.keys(errors).length > 0) return { errors };
      const unknown = await unknownNames(db, accountId, read.rules, null);
      if (unknown.length > 0) return { errors: ruleErrors(unknown, visitor.language) };
      const called = { name: readerName(title), title, portal: portal.id };
      const feed = {
        preset: parametersText(given),
        fixed: false,
        channelId: null,
        policy: policyText({ ...policy, selection: read.rules }),
      };
      const created = newReader({ accountId, ...called, ...feed });
      if ('errors' in created) return { errors: errorsByName(created.errors, visitor.language) };
      let { reader } = created;
      const create = () => createReader(db, reader).finally(() => invalidateReaders(accountId));
      for (let count = 2; !(await create()); count++)
        reader = { ...reader, name: `${called.name}-${count}` };
      if (portal.rules !== null) await useRules(visitor, portal.rules);
      const { name } = reader;
      const key = portalKey({ ...called, name, preset: feed.preset }, created.key, true);
      const next = await showOnce(visitor, key);
      return { did: 'portal.connected', with: title, next };
    },
  },
});

/** A portal that is not yet connected. */
const DRAFT = {
  name: '',
  preset: '',
  policy: '',
  fixed: false,
  channelId: null,
  channel: null,
  disabled: false,
  keys: 0,
  keysExpireAt: null,
} as const;

function choicePage({ language }: Visitor): Page {
  const texts = textsOf({ language }, 'portals');
  return {
    title: texts.connectTitle,
    lead: texts.connectLead,
    content: (
      <>
        <Steps current={1} />
        <div class="pick">
          {PORTAL_LIST.map((portal) => translated(language, 'portals', portal.id, portal)).map(
            ({ id, name, about }) => (
              <a href={`/portals/connect?portal=${id}`}>
                <Logo of={{ title: name, portal: id }} />
                <span>
                  <b>{name}</b>
                  <span class="muted small">{about}</span>
                </span>
              </a>
            ),
          )}
        </div>
      </>
    ),
  };
}

/** @param counted what the form states, to be counted; by default, what a portal gets that is connected as proposed */
async function connectPage(
  visitor: Visitor,
  subject: ListedPortal,
  form: FormState,
  counted?: Pick<Contents, 'policy'> & { readonly preset: string },
): Promise<Page> {
  const { db, account, language, now } = visitor;
  const texts = textsOf(visitor, 'portals');
  const { id, preset, kind } = subject;
  const { name, question } = translated(language, 'portals', id, subject);
  const policy = { ...policyIn(await readSetting(db, account.id, 'policy')), kind };
  const stored = { given: presetValues(preset), policy, title: id === 'other' ? '' : name };
  const format = formatOf(subject.format);
  const [ofAll, { rows, choices }] = await Promise.all([
    statedFor(visitor, format),
    loadChoices(visitor, await readNames(visitor)),
  ]);
  const proposed = counted ?? (form.typed === undefined ? { preset, policy } : undefined);
  const draft = { ...DRAFT, title: name, portal: id, createdAt: now, now };
  const after = proposed && stated(draft, proposed.preset, proposed.policy);
  return {
    title: question ?? texts.setUp({ title: name }),
    lead: texts.setUpLead,
    crumbs: [{ name: texts.connect, href: '/portals/connect' }],
    content: (
      <>
        <Steps current={2} />
        {after && (await reviewOf(visitor, null, after, rows))}
        <ContentsForm
          form={form}
          card={name}
          cancel="/portals"
          button={texts.create}
          format={format}
          preset={preset}
          stated={ofAll}
          stored={stored}
          choices={choices}
        />
      </>
    ),
  };
}

interface FormProps {
  readonly form: FormState;
  readonly card: string;
  readonly cancel: string;
  readonly button: string;
  readonly format: FeedFormat;
  /** Parameters that name the format. */
  readonly preset: string;
  /** What the account states for all portals. */
  readonly stated: Readonly<Record<string, string>>;
  readonly stored: Contents;
  /** For the rules. */
  readonly choices: Choices;
}

function ContentsForm(props: FormProps) {
  const { form, card, cancel, button, format, preset, stated, stored, choices } = props;
  const { language } = useVisitor();
  const texts = useTexts('portals');
  const { given, policy, title, fixed } = stored;
  const called = { required: true, maxlength: MAX_TITLE_LENGTH, autocomplete: 'off' } as const;
  const kinds = [
    ['', texts.anyKind],
    ...READER_KINDS.map((one) => [one, texts.kinds[one]] as const),
  ] as const;
  const withheld = WITHHOLDABLE.map((one) => [one, textOf(texts.withheld, one)] as const);
  return (
    <form method="post" class="stack" data-keep>
      <Card title={card} more={formatName(format, preset, language)}>
        <div class={title === undefined ? 'fields' : 'fields thirds'}>
          <Fields
            form={form}
            fields={{
              title: title === undefined ? undefined : called,
              kind: { options: kinds },
              place: { options: PLACES.map((one) => [one, texts.places[one]]) },
              withhold: { type: 'checkbox', options: withheld, chosen: policy.withhold },
            }}
            texts={texts.labels}
            values={{ title, kind: policy.kind ?? '', place: policy.place }}
          />
        </div>
        <ParameterFields
          form={form}
          parameters={format.feedParameters}
          given={given}
          preset={stated}
        />
        <Fields
          form={form}
          fields={{ fixed: fixed === undefined ? undefined : { type: 'checkbox' } }}
          texts={{ fixed: texts.fixedLabel }}
          values={{ fixed: fixed ? '1' : '' }}
        />
      </Card>
      <RulesFields form={form} rules={stored.policy.selection ?? null} choices={choices} />
      <Submit
        version={form.version}
        cancel={cancel}
        text={button}
        more={<Button name="do" value="count" text={texts.count} />}
      />
    </form>
  );
}

/** A name for the API, from what people call the reader: `a-place-in-the-sun`. */
function readerName(title: string): string {
  const name = folded(title)
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 36) || 'portal';
}

/** Checks the account's listings against a portal's rules from now on. */
async function useRules({ db, account }: Visitor, portal: string): Promise<void> {
  const { portals, muted } = await readReportState(db, account.id);
  if (!portals.includes(portal))
    await writeReportSettings(db, account.id, { portals: [...portals, portal], muted });
}
