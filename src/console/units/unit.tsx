import type { Unit, UnitHistoryEntry } from '../../db/units.ts';
import { statusNames, Time } from '../format.tsx';
import { Notice, type Page, Table, type Visitor } from '../page.tsx';
import { unitPath, unitsPath } from '../paths.ts';
import { COMPASS_POINTS } from '../texts/texts.ts';
import { Changes, HiddenValues, stateOf } from './changes.tsx';
import { codesOf, type FormErrors, shownValues, type TypedValues, valuesAfter, valuesBefore } from './form.ts';
import { CONSOLE } from './save.ts';

/** A unit as its page shows it. */
export interface ShownUnit {
  readonly unit: Unit;
  /** Newest first. */
  readonly history: readonly UnitHistoryEntry[];
  /** Of its price; empty if the unit has no property. */
  readonly currency: string;
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
  const { texts, language } = visitor;
  const { unit, history } = shown;
  return {
    title: `${texts.unit} ${unit.name}`,
    status: outcome === null ? 200 : STATUS_OF[outcome.kind],
    content: (
      <>
        <p>
          <a href={unitsPath(unit.development)}>{unit.development}</a> · {texts.version} {unit.version} ·{' '}
          <Time seconds={unit.changedAt} language={language} />
        </p>
        {outcome !== null && <OutcomeNotice outcome={outcome} shown={shown} visitor={visitor} />}
        <UnitForm unit={unit} outcome={outcome} visitor={visitor} />
        <h2>{texts.history}</h2>
        {history.length === 0 ? <p>{texts.noChanges}</p> : <History entries={history} visitor={visitor} />}
      </>
    ),
  };
}

interface NoticeProps {
  readonly outcome: Outcome;
  readonly shown: ShownUnit;
  readonly visitor: Visitor;
}

function OutcomeNotice({ outcome, shown: { unit, history, currency }, visitor }: NoticeProps) {
  const { texts } = visitor;
  if (outcome.kind === 'edit') return null;
  if (outcome.kind === 'unchanged') return <Notice kind="good">{texts.unchanged}</Notice>;
  if (outcome.kind !== 'saved') return <Notice kind="bad">{texts[outcome.kind]}</Notice>;
  const [last] = history;
  return (
    <>
      <Notice kind="good">{texts.saved}</Notice>
      {last !== undefined && last.version === unit.version && (
        <>
          <Changes from={valuesBefore(last)} to={valuesAfter(last)} currency={currency} guest={visitor} />
          <form method="post" action={unitPath(unit.development, unit.name)}>
            <HiddenValues values={valuesBefore(last)} version={String(unit.version)} />
            <input type="hidden" name="sure" value="1" />
            <button type="submit" class="plain">
              {texts.undo}
            </button>
          </form>
        </>
      )}
    </>
  );
}

interface FormProps {
  readonly unit: Unit;
  readonly outcome: Outcome | null;
  readonly visitor: Visitor;
}

function UnitForm({ unit, outcome, visitor }: FormProps) {
  const { texts, language } = visitor;
  const typed = outcome !== null && 'typed' in outcome ? outcome.typed : shownValues(unit, language);
  const errors = outcome?.kind === 'invalid' ? outcome.errors : {};
  const current = outcome?.kind === 'conflict' ? stateOf(unit, visitor) : null;
  const compass: Readonly<Record<string, string>> = texts.compass;
  const codes = new Set([...COMPASS_POINTS, ...codesOf(unit.directions), ...typed.directions]);
  const noteOf = (field: keyof FormErrors) =>
    errors[field] ?? (current && `${texts.currently} ${current[field] || '—'}`);
  const described = (field: keyof FormErrors) => ({
    'aria-describedby': noteOf(field) ? `${field}-note` : undefined,
    'aria-invalid': errors[field] === undefined ? undefined : ('true' as const),
  });
  return (
    <form method="post" action={unitPath(unit.development, unit.name)} class="card">
      <input type="hidden" name="version" value={String(unit.version)} />
      <label>
        {texts.status}
        <select name="status" {...described('status')}>
          {Object.entries(statusNames(texts)).map(([code, name]) => (
            <option value={code} selected={code === typed.status}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <FieldNote field="status" text={noteOf('status')} />
      <label>
        {texts.price}
        <input
          name="price"
          inputmode="decimal"
          required
          autocomplete="off"
          value={typed.price}
          {...described('price')}
        />
      </label>
      <FieldNote field="price" text={noteOf('price')} />
      <fieldset {...described('directions')}>
        <legend>{texts.directions}</legend>
        {[...codes].map((code) => (
          <label class="choice">
            <input type="checkbox" name="directions" value={code} checked={typed.directions.includes(code)} />
            {compass[code] ?? code}
          </label>
        ))}
      </fieldset>
      <FieldNote field="directions" text={noteOf('directions')} />
      <button type="submit">{texts.checkValues}</button>
    </form>
  );
}

function FieldNote({ field, text }: { readonly field: string; readonly text: string | null | undefined }) {
  return text ? <small id={`${field}-note`}>{text}</small> : null;
}

interface HistoryProps {
  readonly entries: readonly UnitHistoryEntry[];
  readonly visitor: Visitor;
}

function History({ entries, visitor }: HistoryProps) {
  const { texts, language } = visitor;
  const inWords = (values: Parameters<typeof stateOf>[0]) => {
    const { status, price, directions } = stateOf(values, visitor);
    return [status, price, directions].filter(Boolean).join(' · ');
  };
  return (
    <Table
      label={texts.history}
      columns={[[texts.changedAt], [texts.client], [texts.from], [texts.to]]}
      rows={entries.map((entry) => [
        <Time seconds={entry.changedAt} language={language} />,
        entry.clientId === CONSOLE ? texts.consoleClient : entry.clientId,
        inWords(valuesBefore(entry)),
        inWords(valuesAfter(entry)),
      ])}
    />
  );
}
