import type { Unit, UnitHistoryEntry } from '../../db/units.ts';
import { Ago } from '../format.tsx';
import { Choice, Select, TextField } from '../frame/form.tsx';
import { Card, Empty, Notice } from '../frame/parts.tsx';
import { may } from '../guards.tsx';
import { personOf } from '../history/changes.tsx';
import { ChangeList } from '../history/list.tsx';
import { propertyPath, unitPath, unitsPath } from '../paths.ts';
import { COMPASS_POINTS } from '../texts/common.ts';
import type { Page, Visitor } from '../visit.ts';
import { Changes, HiddenValues, stateOf } from './changes.tsx';
import { codesOf, type FormErrors, shownValues, type TypedValues, valuesAfter, valuesBefore } from './form.ts';
import { UNITS } from './texts.ts';

/** A unit as its page shows it. */
export interface ShownUnit {
  readonly unit: Unit;
  /** Newest first. */
  readonly history: readonly UnitHistoryEntry[];
  /** Of its price; empty if the unit has no property. */
  readonly currency: string;
  /** The property that it is; `null` if it is none. */
  readonly identifier: string | null;
}

/** What has happened to a form that was sent, and what it goes on showing. */
export type Outcome =
  | { readonly kind: 'saved' | 'unchanged' }
  | { readonly kind: 'edit' | 'conflict' | 'limited'; readonly typed: TypedValues }
  | { readonly kind: 'invalid'; readonly typed: TypedValues; readonly errors: FormErrors };

const STATUS_OF: Readonly<Record<Outcome['kind'], number>> = {
  saved: 200,
  unchanged: 200,
  edit: 200,
  conflict: 412,
  limited: 429,
  invalid: 422,
};

/** A unit with a form to change it, and its history. */
export function unitPage(visitor: Visitor, shown: ShownUnit, outcome: Outcome | null): Page {
  const { texts: common, language } = visitor;
  const texts = UNITS[language];
  const { unit, history, identifier, currency } = shown;
  const { status, price } = stateOf(unit, currency, visitor);
  return {
    title: `${unit.name || '—'}: ${status}, ${price}`,
    lead: (
      <>
        {texts.version({ count: unit.version })} · <Ago seconds={unit.changedAt} guest={visitor} />
        {identifier !== null && (
          <>
            {' · '}
            <a href={propertyPath(identifier)}>{texts.property}</a>
          </>
        )}
      </>
    ),
    crumbs: [
      [common.developments, '/developments'],
      [unit.development, unitsPath(unit.development)],
    ],
    status: outcome === null ? 200 : STATUS_OF[outcome.kind],
    notice: outcome !== null && <OutcomeNotice outcome={outcome} shown={shown} visitor={visitor} />,
    content: (
      <div class="columns">
        {may(visitor, 'editor') && (
          <Card title={texts.change}>
            <UnitForm shown={shown} outcome={outcome} visitor={visitor} />
          </Card>
        )}
        <Card title={texts.changes} flush>
          {history.length === 0 ? (
            <Empty icon="clock" title={texts.noChanges}>
              {texts.noChangesWhy}
            </Empty>
          ) : (
            <div class="body">
              <History shown={shown} visitor={visitor} />
            </div>
          )}
        </Card>
      </div>
    ),
  };
}

interface Props {
  readonly shown: ShownUnit;
  readonly visitor: Visitor;
}

function OutcomeNotice({ outcome, shown, visitor }: Props & { readonly outcome: Outcome }) {
  const texts = UNITS[visitor.language];
  const { unit, history, currency } = shown;
  if (outcome.kind === 'edit') return null;
  if (outcome.kind === 'unchanged') return <Notice kind="info">{texts.unchanged}</Notice>;
  if (outcome.kind !== 'saved') return <Notice kind="bad">{texts[outcome.kind]}</Notice>;
  const [last] = history;
  const canUndo = last !== undefined && last.version === unit.version;
  return (
    <Notice
      kind="good"
      actions={
        canUndo && (
          <form method="post" action={unitPath(unit.development, unit.name)}>
            <HiddenValues values={valuesBefore(last)} version={String(unit.version)} />
            <input type="hidden" name="sure" value="1" />
            <button type="submit" class="button">
              {visitor.texts.undo}
            </button>
          </form>
        )
      }
    >
      <p>{texts.saved}</p>
      {canUndo && <Changes from={valuesBefore(last)} to={valuesAfter(last)} currency={currency} guest={visitor} />}
    </Notice>
  );
}

function UnitForm({ shown: { unit, currency }, outcome, visitor }: Props & { readonly outcome: Outcome | null }) {
  const { texts: common, language } = visitor;
  const texts = UNITS[language];
  const typed = outcome !== null && 'typed' in outcome ? outcome.typed : shownValues(unit, language);
  const errors = outcome?.kind === 'invalid' ? outcome.errors : {};
  const current = outcome?.kind === 'conflict' ? stateOf(unit, currency, visitor) : null;
  const compass: Readonly<Record<string, string>> = common.compass;
  const codes = new Set([...COMPASS_POINTS, ...codesOf(unit.directions), ...typed.directions]);
  const noteOf = (field: keyof FormErrors) =>
    errors[field] ?? (current === null ? undefined : `${texts.currently} ${current[field] || '—'}`);
  const directionsNote = noteOf('directions');
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
      <fieldset class="field" aria-describedby={directionsNote && 'directions-error'}>
        <legend>{texts.directions}</legend>
        <div class="choices">
          {[...codes].map((code) => (
            <Choice name="directions" value={code} checked={typed.directions.includes(code)}>
              {compass[code] ?? code}
            </Choice>
          ))}
        </div>
        {directionsNote && (
          <span class="error" id="directions-error">
            {directionsNote}
          </span>
        )}
      </fieldset>
      <div class="actions">
        <button type="submit" class="button primary">
          {texts.check}
        </button>
      </div>
    </form>
  );
}

function History({ shown: { history, currency }, visitor }: Props) {
  const inWords = (values: Parameters<typeof stateOf>[0]) => {
    const { status, price, directions } = stateOf(values, currency, visitor);
    return [status, price, directions].filter(Boolean).join(' · ');
  };
  const changes = history.map((entry) => ({
    at: entry.changedAt,
    subject: '',
    href: '',
    identifier: null,
    before: inWords(valuesBefore(entry)),
    after: inWords(valuesAfter(entry)),
    who: personOf(entry.clientId),
  }));
  return <ChangeList changes={changes} guest={visitor} isOfOne />;
}
