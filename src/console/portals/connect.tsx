import type { Context } from 'hono';
import { newReader } from '../../api/readers/new-reader.ts';
import { readerPolicyOf } from '../../db/accounts/accounts.ts';
import { readReportState, writeReportSettings } from '../../db/accounts/reports.ts';
import { createReader, findReader } from '../../db/readers/readers.ts';
import type { AppEnv } from '../../env.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { invalidateReaders } from '../../feed/manifest/manifest-cache.ts';
import { changedPolicy } from '../../portfolio/policy.ts';
import type { ReaderKind } from '../../portfolio/restrictions.ts';
import { fileOf, givenParameters, parametersText } from '../feed/form.ts';
import { ParameterFields, presetValues } from '../feed/parameters.tsx';
import { Hidden, Submit, TextField } from '../frame/form.tsx';
import { Logo } from '../frame/logo.tsx';
import { Card, Notice } from '../frame/parts.tsx';
import { readForm, recordDone } from '../guards.tsx';
import { PORTAL_TEXTS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { findPortal, formatName, type ListedPortal, PORTAL_LIST } from './catalogue.ts';
import { handOverPage, Steps } from './hand-over.tsx';
import { chosenKind, KindField } from './kind.tsx';
import { formatOf } from './portal.ts';

/** Names that are tried for a new reader before giving up. */
const MAX_NAMES = 50;

const MAX_TITLE_LENGTH = 100;

/** The portals to choose from, or what the chosen one gets. */
export async function showConnect(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const chosen = PORTAL_LIST.find(({ id }) => id === c.req.query('portal'));
  return chosen === undefined ? choicePage(visitor) : contentsPage(visitor, chosen, null);
}

function choicePage(visitor: Visitor): Page {
  const { language, texts: common } = visitor;
  const texts = PORTAL_TEXTS[language];
  return {
    title: texts.connectTitle,
    lead: texts.connectLead,
    crumbs: [[common.portals, '/portals']],
    content: (
      <>
        <Steps current={1} />
        <div class="pick">
          {PORTAL_LIST.map((portal) => (
            <a href={`/portals/connect?portal=${portal.id}`}>
              <Logo sign={{ title: portal.names[language], portal: portal.id }} />
              <span>
                <b>{portal.names[language]}</b>
                <span class="muted small">{portal.about[language]}</span>
              </span>
            </a>
          ))}
        </div>
      </>
    ),
  };
}

interface Typed {
  readonly title: string;
  readonly given: Readonly<Record<string, string>>;
  readonly kind: ReaderKind | null;
  readonly errors: { readonly title?: string; readonly parameters?: readonly ParameterError[] };
}

function contentsPage(visitor: Visitor, portal: ListedPortal, typed: Typed | null): Page {
  const { language, texts: common } = visitor;
  const texts = PORTAL_TEXTS[language];
  const name = portal.names[language];
  const format = formatOf(portal.format);
  const given = typed?.given ?? presetValues(portal.preset);
  return {
    title: texts.setUp({ title: name }),
    lead: texts.setUpLead,
    crumbs: [
      [common.portals, '/portals'],
      [texts.connect, '/portals/connect'],
    ],
    status: typed === null ? 200 : 422,
    notice: typed !== null && <Notice kind="bad">{common.invalid}</Notice>,
    content: (
      <>
        <Steps current={2} />
        <form method="post" action="/portals/connect" class="stack">
          <Hidden values={{ portal: portal.id }} />
          <Card title={name} more={formatName(format, portal.preset)}>
            <div class="stack">
              <TextField
                field={{ name: 'title', label: texts.calledLabel, hint: texts.calledHint, error: typed?.errors.title }}
                value={typed?.title ?? name}
                required
                maxlength={MAX_TITLE_LENGTH}
                autocomplete="off"
              />
              <KindField value={typed === null ? portal.kind : typed.kind} visitor={visitor} />
              <ParameterFields
                format={format}
                given={given}
                preset={{}}
                errors={typed?.errors.parameters ?? []}
                language={language}
              />
            </div>
          </Card>
          <Submit cancel="/portals">{texts.create}</Submit>
        </form>
      </>
    ),
  };
}

/** Creates a reader for the chosen portal, and shows its address once. */
export async function connectPortal(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, language } = visitor;
  const texts = PORTAL_TEXTS[language];
  const fields = await readForm(c);
  const portal = findPortal(fields.get('portal'));
  const format = formatOf(portal.format);
  const title = (fields.get('title') ?? '').trim().slice(0, MAX_TITLE_LENGTH);
  const given = givenParameters(format, (name) => fields.getAll(name));
  const kind = chosenKind(fields);
  const retry = (errors: Typed['errors']) => contentsPage(visitor, portal, { title, given, kind, errors });
  if (title === '') return retry({ title: texts.calledMissing });
  const request = {
    accountId: account.id,
    preset: parametersText(given),
    fixed: false,
    channelId: null,
    policy: changedPolicy(await readerPolicyOf(c.env.DB, account.id), { kind }),
    portal: portal.id,
    title,
  };
  for (let attempt = 1; attempt <= MAX_NAMES; attempt++) {
    const created = newReader({ ...request, name: readerName(title, attempt) });
    const errors = 'errors' in created ? created.errors : (format.missing?.(format.parse(given).parameters) ?? []);
    if ('errors' in created || errors.length > 0) {
      return retry({ parameters: errors });
    }
    const { reader, key } = created;
    const isStored = await createReader(c.env.DB, reader).finally(() => invalidateReaders(account.id));
    if (!isStored) continue;
    if (portal.rules !== null) await useRules(c.env.DB, account.id, portal.rules);
    await recordDone(c, visitor, 'portal.connected', title);
    const stored = await findReader(c.env.DB, reader);
    if (stored === null) break;
    return handOverPage(c, visitor, { reader: stored, key, file: fileOf(format), isNew: true });
  }
  return retry({ title: texts.calledMissing });
}

/** A name for the API, from what people call the reader: `a-place-in-the-sun`, `kyero-2`. */
function readerName(title: string, attempt: number): string {
  const plain = title.normalize('NFD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const name =
    plain
      .replaceAll(/[^a-z0-9.]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 36) || 'portal';
  return attempt === 1 ? name : `${name}-${attempt}`;
}

/** Checks the account's listings against a portal's rules from now on. */
async function useRules(db: D1Database, accountId: number, portal: string): Promise<void> {
  const { portals, muted } = await readReportState(db, accountId);
  if (!portals.includes(portal)) await writeReportSettings(db, accountId, { portals: [...portals, portal], muted });
}
