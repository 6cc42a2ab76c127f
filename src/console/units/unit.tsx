import type { Context } from 'hono';
import { readUnit, type Unit, unitProperty } from '../../db/units/units.ts';
import type { AppEnv } from '../../env.ts';
import { Ago } from '../format.tsx';
import { Fields, FormCard } from '../frame/fields.tsx';
import { Choice, Choices, Hidden } from '../frame/form.tsx';
import { Notice } from '../frame/parts.tsx';
import { may, notFoundPage } from '../guards.tsx';
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

const STATUS_OF = { saved: 200, unchanged: 200, edit: 200, conflict: 412, limited: 429, invalid: 422 } as const;

/** What has happened to a form that was sent, and what it goes on showing. */
interface Outcome {
  readonly kind: keyof typeof STATUS_OF;
  readonly typed?: TypedValues | undefined;
  readonly errors?: Readonly<Partial<Record<'status' | 'price' | 'directions', string>>>;
}

type ShownUnit = NonNullable<Awaited<ReturnType<typeof load>>>;

/** A unit with its history, and the property that it is, if it is one. */
async function load(c: Context<AppEnv>, { account }: Visitor) {
  const { development = '', name = '' } = c.req.query();
  const address = { accountId: account.id, development, name: name.normalize('NFC') };
  const reading = Promise.all([readUnit(c.env.DB, address, SHOWN_CHANGES), unitProperty(c.env.DB, address)]);
  const [found, property] = await reading;
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
    return unitPage(visitor, subject, isSaved ? { kind: 'saved' } : null);
  },
  actions: {
    edit: async ({ visitor, subject, fields }) =>
      unitPage(visitor, subject, { kind: 'edit', typed: readUnitForm(fields) }),
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
      return unitPage(visitor, subject, { kind: decision.kind, typed, errors });
    },
  },
});

async function afterSaving({ c, visitor, subject }: Sent<ShownUnit>, saved: Saved, typed?: TypedValues) {
  if (saved.kind === 'saved') return c.redirect(`${subject.path}&saved=${saved.version}`, 303);
  const current = await load(c, visitor);
  if (current === null) return notFoundPage(visitor);
  // A pointer is that of a field of the API, such as `/UntPrice`.
  const fieldOf = (pointer: string) => /^\/Unt(\w+)/.exec(pointer)?.[1]?.toLowerCase();
  const found = saved.kind === 'invalid' ? saved.errors : [];
  const errors = Object.fromEntries(found.map(({ pointer, detail }) => [fieldOf(pointer), detail]));
  return unitPage(visitor, current, { kind: saved.kind, typed, errors });
}

function crumbOf({ development }: Unit) {
  return [development, unitsPath(development)] as const;
}

/** A unit with a form to change it, and its history. */
function unitPage(visitor: Visitor, shown: ShownUnit, outcome: Outcome | null): Page {
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
    status: outcome === null ? 200 : STATUS_OF[outcome.kind],
    notice: outcome !== null && <OutcomeNotice kind={outcome.kind} shown={shown} />,
    content: (
      <div class="columns">
        {may(visitor, 'editor') && <UnitForm shown={shown} outcome={outcome} />}
        <ChangesCard title={texts.changes} none={[texts.noChanges, texts.noChangesWhy]} changes={changes} isOfOne />
      </div>
    ),
  };
}

function OutcomeNotice({
  kind,
  shown: { unit, history, currency, path },
}: {
  kind: Outcome['kind'];
  shown: ShownUnit;
}) {
  const texts = useTexts(UNITS);
  if (kind === 'edit') return null;
  if (kind !== 'saved') return <Notice kind={kind === 'unchanged' ? 'info' : 'bad'}>{texts[kind]}</Notice>;
  const [last] = history;
  if (last?.version !== unit.version) return <Notice kind="good">{texts.saved}</Notice>;
  return (
    <Notice kind="good" actions={<Undo path={path} versions={[{ version: String(unit.version) }]} />}>
      <p>{texts.saved}</p>
      <Changes from={valuesBefore(last)} to={valuesAfter(last)} currency={currency} />
    </Notice>
  );
}

function UnitForm({ shown: { unit, currency, path }, outcome }: { shown: ShownUnit; outcome: Outcome | null }) {
  const visitor = useVisitor();
  const { texts: common, language } = visitor;
  const texts = useTexts(UNITS);
  const typed = outcome?.typed ?? shownValues(unit, language);
  const current = outcome?.kind === 'conflict' ? stateOf(unit, currency, visitor) : null;
  const noteOf = (field: 'status' | 'price' | 'directions') =>
    outcome?.errors?.[field] ?? (current === null ? undefined : `${texts.currently} ${current[field] || '—'}`);
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
        errors={{ status: noteOf('status'), price: noteOf('price') }}
      />
      <Choices legend={texts.directions} id="directions" error={noteOf('directions')}>
        {[...codes].map((code) => (
          <Choice name="directions" value={code} checked={typed.directions.includes(code)}>
            {textOf(common.compass, code)}
          </Choice>
        ))}
      </Choices>
    </FormCard>
  );
}
