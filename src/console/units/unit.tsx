import type { Context } from 'hono';
import { readUnit, type Unit, unitProperties } from '../../db/units/units.ts';
import type { AppEnv } from '../../env.ts';
import { Ago } from '../format.tsx';
import { Fields, FormCard } from '../frame/fields.tsx';
import { Choice, Choices, Hidden } from '../frame/form.tsx';
import { Notice } from '../frame/parts.tsx';
import { may } from '../guards.tsx';
import { ChangesCard, personOf } from '../home/changes.tsx';
import { propertyPath, unitPath, unitsPath } from '../paths.ts';
import { pageOf, type Sent } from '../subject.tsx';
import { textOf } from '../texts/catalogue.ts';
import { COMPASS_POINTS, UNITS } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { Changes, reviewPage, stateOf, Undo } from './changes.tsx';
import { codesOf, decide, readUnitForm, shownValues, type TypedValues, valuesAfter, valuesBefore } from './form.ts';
import { type Saved, saveUnit, undoUnit } from './save.ts';

/** Changes in the history of a unit's page. */
const SHOWN_CHANGES = 20;

const STATUS_OF = { unchanged: 200, conflict: 412, limited: 429, invalid: 422 } as const;

/** What was typed, and what is wrong at fields, or what they are now. */
interface Retry {
  readonly typed?: TypedValues | undefined;
  readonly errors?: Readonly<Partial<Record<'status' | 'price' | 'directions', string>>>;
}

type ShownUnit = NonNullable<Awaited<ReturnType<typeof load>>>;

/** A unit with its history, and the property that it is, if it is one. */
async function load(c: Context<AppEnv>, { account }: Visitor) {
  const { development = '', name = '' } = c.req.query();
  const address = { accountId: account.id, development, name: name.normalize('NFC') };
  const [found, properties] = await Promise.all([
    readUnit(c.env.DB, address, SHOWN_CHANGES),
    unitProperties(c.env.DB, account.id, development, address.name),
  ]);
  const property = properties.get(address.name);
  if (found.kind !== 'unit') return null;
  const { unit, history } = found;
  return {
    unit,
    history,
    currency: property?.currency ?? '',
    identifier: property?.identifier,
    path: unitPath(development, unit.name),
  };
}

/** A unit: what was understood of its form is shown before it is saved, and what was saved can be undone. */
export const unit = pageOf({
  find: load,
  show: ({ c, visitor, subject }) => {
    const isSaved = c.req.query('saved') === String(subject.unit.version);
    return { ...unitPage(visitor, subject), notice: isSaved && <SavedNotice shown={subject} /> };
  },
  actions: {
    edit: async ({ visitor, subject, fields }) => unitPage(visitor, subject, { typed: readUnitForm(fields) }),
    undo: async (sent) => {
      const { c, visitor, subject, fields } = sent;
      return afterSaving(sent, await undoUnit(c, visitor, subject.unit, fields.get('version')));
    },
    save: async (sent) => {
      const { c, visitor, subject, fields } = sent;
      const { unit, currency, path } = subject;
      const typed = readUnitForm(fields);
      const decision = decide(typed, unit);
      if (decision.kind === 'save') return afterSaving(sent, await saveUnit(c, visitor, unit, decision.values), typed);
      if (decision.kind === 'review') {
        const crumbs = [crumbOf(unit), [unit.name, path] as const];
        return reviewPage(visitor, [{ unit, currency, ...decision }], fields, { path, crumbs });
      }
      const errors = decision.kind === 'invalid' ? { price: UNITS[visitor.language][decision.price] } : {};
      return unsavedPage(visitor, subject, decision.kind, { typed, errors });
    },
  },
});

async function afterSaving({ c, visitor, subject }: Sent<ShownUnit>, saved: Saved, typed?: TypedValues) {
  if (saved.kind === 'saved') return c.redirect(`${subject.path}&saved=${saved.version}`, 303);
  // A pointer is that of a field of the API, such as `/UntPrice`.
  const fieldOf = (pointer: string) => /^\/Unt(\w+)/.exec(pointer)?.[1]?.toLowerCase();
  const found = saved.kind === 'invalid' ? saved.errors : [];
  const errors = Object.fromEntries(found.map(({ pointer, detail }) => [fieldOf(pointer), detail]));
  return unsavedPage(visitor, (await load(c, visitor)) ?? subject, saved.kind, { typed, errors });
}

/** A unit whose form was not saved; after a change of somebody else, its values stand at the fields. */
function unsavedPage(visitor: Visitor, shown: ShownUnit, kind: keyof typeof STATUS_OF, { typed, errors }: Retry): Page {
  const texts = UNITS[visitor.language];
  const current = kind === 'conflict' ? Object.entries(stateOf(shown.unit, shown.currency, visitor)) : [];
  const now = Object.fromEntries(current.map(([field, value]) => [field, `${texts.currently} ${value || '—'}`]));
  return {
    ...unitPage(visitor, shown, { typed, errors: { ...now, ...errors } }),
    status: STATUS_OF[kind],
    notice: <Notice kind={kind === 'unchanged' ? 'info' : 'bad'}>{texts[kind]}</Notice>,
  };
}

function crumbOf({ development }: Unit) {
  return [development, unitsPath(development)] as const;
}

/** A unit with a form to change it, and its history. */
function unitPage(visitor: Visitor, shown: ShownUnit, retry: Retry = {}): Page {
  const texts = UNITS[visitor.language];
  const { unit, history, identifier, currency } = shown;
  const { status, price } = stateOf(unit, currency, visitor);
  const inWords = (values: Parameters<typeof stateOf>[0]) =>
    Object.values(stateOf(values, currency, visitor))
      .filter(Boolean)
      .join(' · ');
  const changes = history.map((entry) => ({
    ...{ at: entry.changedAt, subject: '', href: '', identifier: null, who: personOf(entry.clientId) },
    before: inWords(valuesBefore(entry)),
    after: inWords(valuesAfter(entry)),
  }));
  return {
    title: `${unit.name || '—'}: ${status}, ${price}`,
    lead: (
      <>
        {texts.version({ count: unit.version })} · <Ago seconds={unit.changedAt} />
        {identifier && ' · '}
        {identifier && <a href={propertyPath(identifier)}>{texts.property}</a>}
      </>
    ),
    crumbs: [crumbOf(unit)],
    content: (
      <div class="columns">
        {may(visitor, 'editor') && <UnitForm shown={shown} retry={retry} />}
        <ChangesCard title={texts.changes} none={[texts.noChanges, texts.noChangesWhy]} changes={changes} isOfOne />
      </div>
    ),
  };
}

function SavedNotice({ shown: { unit, history, currency, path } }: { readonly shown: ShownUnit }) {
  const { saved } = useTexts(UNITS);
  const [last] = history;
  if (last?.version !== unit.version) return <Notice kind="good">{saved}</Notice>;
  return (
    <Notice kind="good" actions={<Undo path={path} versions={[{ version: String(unit.version) }]} />}>
      <p>{saved}</p>
      <Changes from={valuesBefore(last)} to={valuesAfter(last)} currency={currency} />
    </Notice>
  );
}

function UnitForm({ shown: { unit, currency, path }, retry }: { shown: ShownUnit; retry: Retry }) {
  const { texts: common, language } = useVisitor();
  const texts = useTexts(UNITS);
  const { typed = shownValues(unit, language), errors } = retry;
  const codes = new Set([...COMPASS_POINTS, ...codesOf(unit.directions), ...typed.directions]);
  return (
    <FormCard title={texts.change} action={path} submit={texts.check}>
      <Hidden values={{ version: String(unit.version) }} />
      <Fields
        fields={{
          status: { options: Object.entries(common.unitStatuses) },
          price: { inputmode: 'decimal', required: true, autocomplete: 'off' },
        }}
        texts={{ status: common.status, price: `${common.price}${currency && ` (${currency})`}` }}
        values={{ status: typed.status, price: typed.price }}
        errors={errors}
      />
      <Choices legend={texts.directions} id="directions" error={errors?.directions}>
        {[...codes].map((code) => (
          <Choice name="directions" value={code} checked={typed.directions.includes(code)}>
            {textOf(common.compass, code)}
          </Choice>
        ))}
      </Choices>
    </FormCard>
  );
}
