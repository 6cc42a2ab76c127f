import type { Context } from 'hono';
import { readUnit, type Unit, type UnitHistoryEntry, unitProperty } from '../../db/units/units.ts';
import type { AppEnv } from '../../env.ts';
import { Ago } from '../format.tsx';
import { Choice, Choices, Select, Submit, TextField } from '../frame/form.tsx';
import { Card, Notice } from '../frame/parts.tsx';
import { may, notFoundPage, readForm } from '../guards.tsx';
import { personOf } from '../history/changes.tsx';
import { ChangesCard } from '../history/list.tsx';
import { propertyPath, unitPath, unitsPath } from '../paths.ts';
import { textOf } from '../texts/catalogue.ts';
import { COMPASS_POINTS, UNITS } from '../texts/texts.ts';
import { type Crumb, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { Changes, reviewPage, stateOf, Undo } from './changes.tsx';
import {
  codesOf,
  decide,
  readUnitForm,
  shownValues,
  type TypedValues,
  typedAgain,
  valuesAfter,
  valuesBefore,
} from './form.ts';
import { saveUnit } from './save.ts';

/** Changes in the history of a unit's page. */
const SHOWN_CHANGES = 20;

/** A unit as its page shows it. */
interface ShownUnit {
  readonly unit: Unit;
  /** Newest first. */
  readonly history: readonly UnitHistoryEntry[];
  /** Of its price; empty if the unit has no property. */
  readonly currency: string;
  /** The property that it is; `null` if it is none. */
  readonly identifier: string | null;
}

const STATUS_OF = { saved: 200, unchanged: 200, edit: 200, conflict: 412, limited: 429, invalid: 422 } as const;

/** What has happened to a form that was sent, and what it goes on showing. */
interface Outcome {
  readonly kind: keyof typeof STATUS_OF;
  readonly typed?: TypedValues;
  /** By field. */
  readonly errors?: Readonly<Partial<Record<'status' | 'price' | 'directions', string>>>;
}

/** The page of a unit. */
export async function showUnit(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const shown = await load(c, visitor);
  if (shown === null) return notFoundPage(visitor);
  const isSaved = c.req.query('saved') === String(shown.unit.version);
  return unitPage(visitor, shown, isSaved ? { kind: 'saved' } : null);
}

/** Shows what was understood of a form, or saves what was shown. */
export async function changeUnit(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  const form = readUnitForm(await readForm(c));
  const shown = await load(c, visitor);
  if (shown === null) return notFoundPage(visitor);
  const { unit, currency } = shown;
  const { development, name } = unit;
  const typed = typedAgain(form, visitor.language);
  const decision = decide(form, unit, visitor.language);
  switch (decision.kind) {
    case 'invalid': {
      const errors = { price: UNITS[visitor.language][decision.price] };
      return unitPage(visitor, shown, { kind: 'invalid', typed, errors });
    }
    case 'review': {
      const changes = [{ unit, currency, ...decision }];
      const action = unitPath(development, name);
      const crumbs: Crumb[] = [...crumbsOf(visitor, development), [name, action]];
      return reviewPage(visitor, { changes, action, crumbs, isOfSeveral: false, isRefused: form.isReviewed });
    }
    case 'save': {
      const saved = await saveUnit(c, visitor, unit, decision.values);
      if (saved.kind === 'saved') {
        return c.redirect(unitPath(development, name, { saved: String(saved.version) }), 303);
      }
      if (saved.kind === 'invalid') {
        const fields = { UntStatus: 'status', UntPrice: 'price', UntDirections: 'directions' } as const;
        const errors = saved.errors.map(({ pointer, detail }) => [
          fields[pointer.split('/')[1] as keyof typeof fields],
          detail,
        ]);
        return unitPage(visitor, shown, { kind: 'invalid', typed, errors: Object.fromEntries(errors) });
      }
      const current = await load(c, visitor);
      return current === null ? notFoundPage(visitor) : unitPage(visitor, current, { kind: saved.kind, typed });
    }
    default:
      return unitPage(visitor, shown, { kind: decision.kind, typed });
  }
}

async function load(c: Context<AppEnv>, { account }: Visitor): Promise<ShownUnit | null> {
  const { development = '', name = '' } = c.req.query();
  const address = { accountId: account.id, development, name: name.normalize('NFC') };
  const reading = Promise.all([readUnit(c.env.DB, address, SHOWN_CHANGES), unitProperty(c.env.DB, address)]);
  const [found, property] = await reading;
  if (found.kind !== 'unit') return null;
  const { unit, history } = found;
  return { unit, history, currency: property?.currency ?? '', identifier: property?.identifier ?? null };
}

function crumbsOf({ texts }: Visitor, development: string): Crumb[] {
  return [
    [texts.developments, '/developments'],
    [development, unitsPath(development)],
  ];
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
    at: entry.changedAt,
    subject: '',
    href: '',
    identifier: null,
    before: inWords(valuesBefore(entry)),
    after: inWords(valuesAfter(entry)),
    who: personOf(entry.clientId),
  }));
  return {
    title: `${unit.name || '—'}: ${status}, ${price}`,
    lead: (
      <>
        {texts.version({ count: unit.version })} · <Ago seconds={unit.changedAt} />
        {identifier !== null && ' · '}
        {identifier !== null && <a href={propertyPath(identifier)}>{texts.property}</a>}
      </>
    ),
    crumbs: crumbsOf(visitor, unit.development),
    status: outcome === null ? 200 : STATUS_OF[outcome.kind],
    notice: outcome !== null && <OutcomeNotice kind={outcome.kind} shown={shown} />,
    content: (
      <div class="columns">
        {may(visitor, 'editor') && (
          <Card title={texts.change}>
            <UnitForm shown={shown} outcome={outcome} />
          </Card>
        )}
        <ChangesCard title={texts.changes} none={[texts.noChanges, texts.noChangesWhy]} changes={changes} isOfOne />
      </div>
    ),
  };
}

interface Props {
  readonly shown: ShownUnit;
}

function OutcomeNotice({ kind, shown }: Props & Pick<Outcome, 'kind'>) {
  const visitor = useVisitor();
  const texts = useTexts(UNITS);
  const { unit, history, currency } = shown;
  if (kind === 'edit') return null;
  if (kind !== 'saved') return <Notice kind={kind === 'unchanged' ? 'info' : 'bad'}>{texts[kind]}</Notice>;
  const [last] = history;
  if (last?.version !== unit.version) return <Notice kind="good">{texts.saved}</Notice>;
  const before = valuesBefore(last);
  const undo = (
    <Undo
      action={unitPath(unit.development, unit.name)}
      changes={[{ unit, before }]}
      isOfSeveral={false}
      text={visitor.texts.undo}
    />
  );
  return (
    <Notice kind="good" actions={undo}>
      <p>{texts.saved}</p>
      <Changes from={before} to={valuesAfter(last)} currency={currency} />
    </Notice>
  );
}

function UnitForm({ shown: { unit, currency }, outcome }: Props & { readonly outcome: Outcome | null }) {
  const visitor = useVisitor();
  const { texts: common, language } = visitor;
  const texts = useTexts(UNITS);
  const typed = outcome?.typed ?? shownValues(unit, language);
  const current = outcome?.kind === 'conflict' ? stateOf(unit, currency, visitor) : null;
  const noteOf = (field: 'status' | 'price' | 'directions') =>
    outcome?.errors?.[field] ?? (current === null ? undefined : `${texts.currently} ${current[field] || '—'}`);
  const codes = new Set([...COMPASS_POINTS, ...codesOf(unit.directions), ...typed.directions]);
  return (
    <form method="post" action={unitPath(unit.development, unit.name)} class="stack close">
      <input type="hidden" name="version" value={String(unit.version)} />
      <Select
        field={{ name: 'status', label: common.status, error: noteOf('status') }}
        value={typed.status}
        options={Object.entries(common.unitStatuses)}
      />
      <TextField
        field={{ name: 'price', label: `${common.price}${currency && ` (${currency})`}`, error: noteOf('price') }}
        inputmode="decimal"
        required
        autocomplete="off"
        value={typed.price}
      />
      <Choices legend={texts.directions} id="directions" error={noteOf('directions')}>
        {[...codes].map((code) => (
          <Choice name="directions" value={code} checked={typed.directions.includes(code)}>
            {textOf(common.compass, code)}
          </Choice>
        ))}
      </Choices>
      <Submit>{texts.check}</Submit>
    </form>
  );
}
