import { readSetting } from '../../accounts/accounts.ts';
import { readReportState, writeReportSettings } from '../../accounts/overview.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import { READER_KINDS } from '../../properties/restrictions.ts';
import { changeReader, newReader } from '../../readers/api/reader.ts';
import { PLACES, policyIn, policyText, WITHHOLDABLE } from '../../readers/policy.ts';
import { createReader } from '../../readers/readers.ts';
import {
  errorsByName,
  givenParameters,
  ParameterFields,
  parametersText,
  presetValues,
} from '../feed/parameters.tsx';
import { Fields, Submit } from '../frame/form.tsx';
import { Logo } from '../frame/icon.tsx';
import { Card } from '../frame/parts.tsx';
import { notFoundPage, pageOf } from '../pages.tsx';
import { portalPath } from '../paths.ts';
import { TEXTS, textOf } from '../texts/texts.ts';
import { type Page, useVisit, type Visitor, withTexts } from '../visit.ts';
import { formatName, type ListedPortal, PORTAL_LIST } from './catalogue.ts';
import { changing, findPortalReader, handOverPage, Steps, titleOf } from './change.tsx';
import { formatOf, portalView } from './portal.ts';

const MAX_TITLE_LENGTH = 100;

/** What a portal gets, as a form has it: feed parameters and what it is; title and `fixed` only if the form asks for them. */
type Contents = Pick<Read, 'given' | 'policy'> & Partial<Read>;
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
  return errorsByName(format.missing?.(parameters) ?? []);
}

/** What the account states for all portals of a format. */
async function statedFor({ db, account }: Visitor, format: FeedFormat) {
  const stated = await readSetting(db, account.id, 'formatSettings');
  return presetValues(stated[format.name] ?? '');
}

/** What a portal that is connected gets. */
export const contents = pageOf({
  find: findPortalReader,
  settings: ({ preset, fixed, policy }) => [preset, fixed, policy],
  show: async ({ visitor, subject }) => {
    const { texts, common, now } = withTexts(visitor, 'portals');
    const { preset, fixed, policy, name } = subject;
    const { title, format } = portalView(subject, [], now);
    const stored = { given: presetValues(preset), fixed, policy: policyIn(policy) };
    const stated = await statedFor(visitor, format);
    const form = { cancel: portalPath(name), button: common.save, format, preset, stated, stored };
    return {
      title: texts.changeTitle({ title }),
      crumbs: [[title, portalPath(name)]],
      content: <ContentsForm card={texts.contents} {...form} />,
    };
  },
  actions: {
    save: async (sent) => {
      const { visitor, subject, fields } = sent;
      const { format } = portalView(subject, [], visitor.now);
      const { given, policy, fixed } = readContents(fields, format);
      const missing = await missingIn(given, visitor, format);
      if (Object.keys(missing).length > 0) return { errors: missing };
      const change = { preset: parametersText(given), fixed, ...policy };
      const result = await changing(sent, (db, address) => changeReader(db, address, change));
      if (result === 'not found') return notFoundPage(visitor);
      if (result === 'fixed without preset')
        return { why: TEXTS[visitor.language].portals.notFixed };
      if (result !== 'changed') return { errors: errorsByName(result.errors) };
      return { did: 'portal.changed', with: titleOf(subject), next: portalPath(subject.name) };
    },
  },
});

/** Connecting a portal: choosing it from a list, what it gets, and then its address, which is shown once. */
export const connection = pageOf<ListedPortal | undefined>({
  find: async ({ c }) => PORTAL_LIST.find(({ id }) => id === c.req.query('portal')),
  show: ({ visitor, subject }) =>
    subject === undefined ? choicePage(visitor) : connectPage(visitor, subject),
  actions: {
    save: async (sent) => {
      const { visitor, subject: portal, fields } = sent;
      const { db, account } = visitor;
      const accountId = account.id;
      const format = formatOf(portal.format);
      const { title, given, policy } = readContents(fields, format);
      if (title === '') return { errors: { title: TEXTS[visitor.language].portals.calledMissing } };
      const called = { name: readerName(title), title, portal: portal.id };
      const feed = {
        preset: parametersText(given),
        fixed: false,
        channelId: null,
        policy: policyText(policy),
      };
      const created = newReader({ accountId, ...called, ...feed });
      if ('errors' in created) return { errors: errorsByName(created.errors) };
      const missing = await missingIn(given, visitor, format);
      if (Object.keys(missing).length > 0) return { errors: missing };
      let { reader } = created;
      const create = () => createReader(db, reader).finally(() => invalidateReaders(accountId));
      for (let count = 2; !(await create()); count++)
        reader = { ...reader, name: `${called.name}-${count}` };
      if (portal.rules !== null) await useRules(visitor, portal.rules);
      const next = handOverPage(sent, {
        ...reader,
        ...called,
        name: reader.name,
        key: created.key,
        isNew: true,
      });
      return { did: 'portal.connected', with: title, next };
    },
  },
});

function choicePage({ language }: Visitor): Page {
  const texts = TEXTS[language].portals;
  return {
    title: texts.connectTitle,
    lead: texts.connectLead,
    content: [
      <Steps current={1} />,
      <div class="pick">
        {PORTAL_LIST.map(({ id, names, about }) => (
          <a href={`/portals/connect?portal=${id}`}>
            <Logo of={{ title: names[language], portal: id }} />
            <span>
              <b>{names[language]}</b>
              <span class="muted small">{about[language]}</span>
            </span>
          </a>
        ))}
      </div>,
    ],
  };
}

async function connectPage(visitor: Visitor, subject: ListedPortal): Promise<Page> {
  const { db, account, language, texts } = withTexts(visitor, 'portals');
  const { id, preset, kind } = subject;
  const name = subject.names[language];
  const policy = { ...policyIn(await readSetting(db, account.id, 'policy')), kind };
  const stored = { given: presetValues(preset), policy, title: id === 'other' ? '' : name };
  const format = formatOf(subject.format);
  const stated = await statedFor(visitor, format);
  const form = { cancel: '/portals', button: texts.create, format, preset, stated, stored };
  return {
    title: subject.question?.[language] ?? texts.setUp({ title: name }),
    lead: texts.setUpLead,
    crumbs: [[texts.connect, '/portals/connect']],
    content: [<Steps current={2} />, <ContentsForm card={name} {...form} />],
  };
}

interface FormProps {
  readonly card: string;
  readonly cancel: string;
  readonly button: string;
  readonly format: FeedFormat;
  /** Parameters that name the format. */
  readonly preset: string;
  /** What the account states for all portals. */
  readonly stated: Readonly<Record<string, string>>;
  readonly stored: Contents;
}

function ContentsForm({ card, cancel, button, format, preset, stated, stored }: FormProps) {
  const { language, texts } = useVisit('portals');
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
        <Fields
          fields={{
            title: title === undefined ? undefined : called,
            kind: { options: kinds },
            place: { options: PLACES.map((one) => [one, texts.places[one]]) },
            withhold: { type: 'checkbox', options: withheld, chosen: policy.withhold },
          }}
          texts={texts.labels}
          values={{ title, kind: policy.kind ?? '', place: policy.place }}
        />
        <ParameterFields parameters={format.feedParameters} given={given} preset={stated} />
        <Fields
          fields={{ fixed: fixed === undefined ? undefined : { type: 'checkbox' } }}
          texts={{ fixed: texts.fixedLabel }}
          values={{ fixed: fixed ? '1' : '' }}
        />
      </Card>
      <Submit cancel={cancel} text={button} />
    </form>
  );
}

/** A name for the API, from what people call the reader: `a-place-in-the-sun`. */
function readerName(title: string): string {
  const plain = title.normalize('NFD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const name = plain.replaceAll(/[^a-z0-9.]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 36) || 'portal';
}

/** Checks the account's listings against a portal's rules from now on. */
async function useRules({ db, account }: Visitor, portal: string): Promise<void> {
  const { portals, muted } = await readReportState(db, account.id);
  if (!portals.includes(portal))
    await writeReportSettings(db, account.id, { portals: [...portals, portal], muted });
}
