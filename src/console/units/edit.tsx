import { mayUpdate } from '../../rate-limits.ts';
import type { Unit, UnitProperty, UnitValues } from '../../units/units.ts';
import { applyUpdates } from '../../units/update.ts';
import type { Action, Done, Refusal } from '../define-page.tsx';
import { type FlashMessage, UNCHANGED } from '../flash.tsx';
import { Choice, Hidden, Submit } from '../frame/form.tsx';
import { Button, Card, Notice } from '../frame/parts.tsx';
import { undoPath } from '../paths.ts';
import { asSentence, textsOf } from '../texts/texts.ts';
import {
  actorOf,
  type Crumb,
  type Guest,
  type Page,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';
import {
  type Concern,
  type Decision,
  decide,
  formOf,
  priceAfter,
  readBulk,
  readUnitForm,
  stateOf,
  UNIT_FIELDS,
  type UnitState,
} from './form.ts';

/** Units that a form changes: one, or several of a development. */
interface Shown {
  readonly units: readonly Unit[];
  /** The properties of the units, by the units' names. */
  readonly properties: ReadonlyMap<string, Pick<UnitProperty, 'currency' | 'isListed'>>;
  readonly crumbs: readonly Crumb[];
}

/** The outcome of a unit's update: it was saved, or somebody else had changed the unit, or there were too many changes. */
interface Saved {
  readonly unit: Unit;
  readonly kind: 'saved' | 'conflict' | 'limited';
}

/** The units of a form, each with what was entered for it: those that a form for several units names, otherwise all. */
export function entriesOf(units: readonly Unit[], fields: URLSearchParams) {
  const names = fields.getAll('name').map((name) => name.normalize('NFC'));
  const named = names.length === 0 ? units : units.filter(({ name }) => names.includes(name));
  return named.map((unit) => {
    const typed = readUnitForm(fields, unit);
    return {
      unit,
      typed,
      decision: decide(typed, unit, fields.has('reviewed'), fields.has('sure')),
    };
  });
}

/** What the buttons of a form of units do: show what was understood, save what was shown. */
export const unitActions = {
  edit: async () => ({ status: 200, why: '' }),
  several: async (visitor, subject, fields) => {
    const chosen = fields.getAll('unit').map((name) => name.normalize('NFC'));
    const units = subject.units.filter(({ name }) => chosen.includes(name));
    const texts = textsOf(visitor, 'units');
    if (units.length === 0) return { why: texts.noneChosen };
    const to = readBulk(fields);
    if (to === null) return { errors: { amount: texts.notNumber } };
    const isNegative = (unit: Unit) => priceAfter(unit, to) < 0;
    if (units.some(isNegative)) return { errors: { amount: texts.priceNegative } };
    return save(visitor, subject, formOf(units, to, visitor.language));
  },
  save,
} satisfies Readonly<Record<string, Action<Shown>>>;

async function save(
  visitor: Visitor,
  subject: Shown,
  fields: URLSearchParams,
): Promise<Done | Refusal | Page> {
  const texts = textsOf(visitor, 'units');
  const entries = entriesOf(subject.units, fields);
  const kinds = new Set(entries.map(({ decision }) => decision.kind));
  if (kinds.has('invalid')) return {};
  if (kinds.has('conflict')) return { status: 412, why: texts.conflict };
  const changes = entries.flatMap(({ unit, decision }) =>
    'values' in decision ? [{ unit, ...decision }] : [],
  );
  if (changes.length === 0) return { next: pathOf(visitor), flash: UNCHANGED };
  if (kinds.has('review')) return reviewPage(visitor, subject, fields, changes);
  const batch = `units:${crypto.randomUUID()}`;
  const results: Saved[] = [];
  for (const { unit, values } of changes)
    results.push(await saveUnit(visitor, unit, values, batch));
  return outcomeOf(visitor, subject, results, batch);
}

/** Path and query of the page that a form was sent to. */
function pathOf({ c }: Visitor): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

/** Which units were saved, with a form that undoes it, and which were not, and why. */
function outcomeOf(
  visitor: Visitor,
  { properties }: Shown,
  results: readonly Saved[],
  batch: string,
): Done | Refusal {
  const texts = textsOf(visitor, 'units');
  const of = (kind: Saved['kind']) => results.filter((result) => result.kind === kind);
  const saved = of('saved');
  const names = of('conflict').map(({ unit }) => unit.name);
  const isLimited = of('limited').length > 0;
  if (saved.length === 0)
    return isLimited ? { status: 429, why: texts.limited } : { status: 412, why: texts.conflict };
  const messages = savedMessages(
    saved.map(({ unit }) => unit.name),
    properties,
  );
  if (names.length > 0) messages.push({ code: 'unitsNotSaved', values: { names } });
  if (isLimited) messages.push({ code: 'unitsLimited' });
  const undo = { path: undoPath(batch), does: 'save', fields: {} };
  const kind = saved.length === results.length ? 'good' : 'warn';
  return { next: pathOf(visitor), flash: { kind, messages, undo } };
}

/** Names that a notice lists. */
const MOST_NAMED = 20;

/** Says that units were saved, and which of them no feed has, because no listing shows them. */
export function savedMessages(
  names: readonly string[],
  properties: Shown['properties'],
): FlashMessage[] {
  const unlisted = names.filter((name) => properties.get(name)?.isListed !== true);
  const values = { count: names.length };
  if (unlisted.length === 0) return [{ code: 'unitsSaved', values }];
  const shown = unlisted.slice(0, MOST_NAMED).map((name) => name || '—');
  return [
    { code: 'unitsStored', values },
    { code: 'unitsUnlisted', values: { names: shown } },
  ];
}

/** Updates a unit as the API does, unless somebody else has changed the unit since its given state. */
async function saveUnit(
  visitor: Visitor,
  unit: Unit,
  values: UnitValues,
  batch: string,
): Promise<Saved> {
  const { name, development, version } = unit;
  const { c, account } = visitor;
  const writer = { accountId: account.id, actor: actorOf(visitor), batch };
  if (!(await mayUpdate(c.env, writer, 1))) return { unit, kind: 'limited' };
  const [result] = await applyUpdates(c, writer, development, [{ name, values }], [version]);
  return { unit, kind: result === undefined || 'problem' in result ? 'conflict' : 'saved' };
}

/** Notes to fields, in words. */
export type Notes = Readonly<Partial<Record<keyof UnitValues, string>>>;

/** What is wrong with what was typed, in words, or what the values are now. */
export function notesOf(
  decision: Decision | undefined,
  now: UnitState,
  { language }: Guest,
): Notes {
  const texts = textsOf({ language }, 'units');
  if (decision?.kind === 'invalid') {
    const errors = Object.entries(decision.errors).map(([field, error]) => [
      field,
      typeof error === 'string' ? texts[error] : asSentence(language, error),
    ]);
    return Object.fromEntries(errors);
  }
  if (decision?.kind !== 'conflict') return {};
  const values = Object.entries(now).map(([field, value]) => [
    field,
    `${texts.currently} ${value || '—'}`,
  ]);
  return Object.fromEntries(values);
}

/** What a change changes, each field with its old value: `Price: €345,000, was €330,000`. */
export function Changes({
  from,
  to,
  currency,
}: {
  readonly from: UnitValues;
  readonly to: UnitValues;
  readonly currency: string | undefined;
}) {
  const visitor = useVisitor();
  const { common } = visitor;
  const texts = useTexts('units');
  const names = { status: common.status, price: common.price, directions: texts.directions };
  const before = stateOf(from, currency, visitor);
  const after = stateOf(to, currency, visitor);
  const changed = UNIT_FIELDS.filter((field) => from[field] !== to[field]);
  return (
    <ul class="changes">
      {changed.map((field) => (
        <li>
          {names[field]}: <strong>{after[field] || '—'}</strong>, {common.was}{' '}
          {before[field] || '—'}
        </li>
      ))}
    </ul>
  );
}

/** Why prices are to be confirmed, with the box that does; nothing if they need not. */
export function Concerns({ of }: { readonly of: readonly { readonly concern: Concern | null }[] }) {
  const texts = useTexts('units');
  const concerns = new Set(of.flatMap(({ concern }) => concern ?? []));
  if (concerns.size === 0) return null;
  return (
    <>
      <p id="concern" class="error">
        {[...concerns].map((concern) => texts[concern]).join(' ')}
      </p>
      <Choice
        name="sure"
        checked={false}
        required
        aria-describedby="concern"
        text={texts.sure({ count: of.length })}
      />
    </>
  );
}

type Change = { readonly unit: Unit } & Extract<Decision, { values: unknown }>;

/** What was understood of a form, before it is saved. */
function reviewPage(
  visitor: Visitor,
  subject: Shown,
  fields: URLSearchParams,
  changes: readonly Change[],
): Page {
  const { common } = visitor;
  const texts = textsOf(visitor, 'units');
  const typed = [...fields].filter(([name]) => !['reviewed', 'sure', 'do'].includes(name));
  const again = <Button name="do" value="edit" formnovalidate text={texts.again} />;
  const isUnsure = fields.has('reviewed');
  return {
    title: texts.review({ count: changes.length }),
    crumbs: subject.crumbs,
    status: isUnsure ? 422 : 200,
    notice: isUnsure && <Notice kind="bad">{texts.sureMissing}</Notice>,
    content: (
      <Card title={texts.changes}>
        <form method="post" class="stack close">
          <Hidden values={[...typed, ['reviewed', '1']]} />
          {changes.map(({ unit, values }) => (
            <div>
              <h3>{unit.name || '—'}</h3>
              <Changes
                from={unit}
                to={values}
                currency={subject.properties.get(unit.name)?.currency}
              />
            </div>
          ))}
          <Concerns of={changes} />
          <Submit more={again} text={common.save} />
        </form>
      </Card>
    ),
  };
}
