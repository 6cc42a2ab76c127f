import type { Development, Unit, UnitHistoryEntry } from '../../db/units.ts';
import type { FieldError } from '../../problem.ts';
import type { Directions, UnitStatus } from '../../units/change.ts';
import { formatNumber, statusNames, Time } from '../format.tsx';
import { Notice, type Page, Table, type Visitor } from '../page.tsx';
import { query, unitPath, unitsPath } from '../paths.ts';

/** Entries of a page, and one more where there is another page. */
export interface Entries<Entry> {
  readonly entries: readonly Entry[];
  /** The name after which the next page starts. */
  readonly next: string | undefined;
}

/** The account's developments. */
export function developmentsPage({ texts, language }: Visitor, { entries, next }: Entries<Development>): Page {
  return {
    title: texts.developments,
    content:
      entries.length === 0 ? (
        <p>{texts.noDevelopments}</p>
      ) : (
        <>
          <Table
            label={texts.developments}
            columns={[[texts.development], [texts.name], [texts.units, 'number']]}
            rows={entries.map(({ id, name, units }) => [
              <a href={unitsPath(id)}>{id}</a>,
              name,
              formatNumber(units, language),
            ])}
          />
          <Next text={texts.next} path={next && `/developments?${query({ after: next })}`} />
        </>
      ),
  };
}

/** The units of a development. */
export function unitsPage({ texts, language }: Visitor, development: string, { entries, next }: Entries<Unit>): Page {
  const names = statusNames(texts);
  return {
    title: `${texts.units}: ${development}`,
    content: (
      <>
        <Table
          label={texts.units}
          columns={[[texts.unit], [texts.status], [texts.price, 'number'], [texts.directions], [texts.changedAt]]}
          rows={entries.map((unit) => [
            <a href={unitPath(development, unit.name)}>{unit.name || '—'}</a>,
            names[unit.status as UnitStatus],
            formatNumber(unit.price, language),
            directionsText(unit.directions),
            <Time seconds={unit.changedAt} language={language} />,
          ])}
        />
        <Next text={texts.next} path={next && unitsPath(development, next)} />
      </>
    ),
  };
}

function Next({ text, path }: { readonly text: string; readonly path: string | undefined }) {
  return path === undefined ? null : (
    <p>
      <a href={path} rel="next">
        {text}
      </a>
    </p>
  );
}

/** What has happened to a form that was sent. */
export type Outcome =
  | { readonly kind: 'saved' | 'conflict' | 'limited' }
  | { readonly kind: 'invalid'; readonly given: UnitForm; readonly errors: readonly FieldError[] };

/** The fields of the form, as they were sent. */
export interface UnitForm {
  readonly status: string;
  readonly price: string;
  readonly directions: string;
  /** The version that the form was filled in with. */
  readonly version: string;
}

const STATUS_OF: Readonly<Record<Outcome['kind'], number>> = { saved: 200, conflict: 412, limited: 429, invalid: 422 };

/** A unit with a form to change it, and its history. */
export function unitPage(
  { texts, language }: Visitor,
  unit: Unit,
  history: readonly UnitHistoryEntry[],
  outcome: Outcome | null,
): Page {
  const given = outcome?.kind === 'invalid' ? outcome.given : null;
  const errorOf = (field: string) =>
    outcome?.kind === 'invalid'
      ? outcome.errors.find(({ pointer }) => pointer.startsWith(`/${field}`))?.detail
      : undefined;
  const names = statusNames(texts);
  const status = given?.status ?? String(unit.status);
  return {
    title: `${texts.unit} ${unit.name}`,
    status: outcome === null ? 200 : STATUS_OF[outcome.kind],
    content: (
      <>
        <p>
          <a href={unitsPath(unit.development)}>{unit.development}</a> · {texts.version} {unit.version} ·{' '}
          <Time seconds={unit.changedAt} language={language} />
        </p>
        {outcome !== null && <Notice kind={outcome.kind === 'saved' ? 'good' : 'bad'}>{texts[outcome.kind]}</Notice>}
        <form method="post" action={unitPath(unit.development, unit.name)} class="card">
          <input type="hidden" name="version" value={String(given?.version ?? unit.version)} />
          <label>
            {texts.status}
            <select name="status" {...described('status', errorOf('UntStatus'))}>
              {Object.entries(names).map(([code, name]) => (
                <option value={code} selected={code === status}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <FieldProblem field="status" detail={errorOf('UntStatus')} />
          <label>
            {texts.price}
            <input
              name="price"
              inputmode="decimal"
              required
              autocomplete="off"
              value={given?.price ?? String(unit.price)}
              {...described('price', errorOf('UntPrice'))}
            />
          </label>
          <FieldProblem field="price" detail={errorOf('UntPrice')} />
          <label>
            {texts.directions}
            <input
              name="directions"
              autocomplete="off"
              value={given?.directions ?? directionsText(unit.directions)}
              {...described('directions', errorOf('UntDirections') ?? texts.directionsHint)}
              aria-invalid={errorOf('UntDirections') === undefined ? undefined : 'true'}
            />
          </label>
          <small id="directions-note">{errorOf('UntDirections') ?? texts.directionsHint}</small>
          <button type="submit">{texts.save}</button>
        </form>
        <h2>{texts.history}</h2>
        {history.length === 0 ? (
          <p>{texts.noChanges}</p>
        ) : (
          <History entries={history} texts={texts} language={language} />
        )}
      </>
    ),
  };
}

function described(field: string, detail: string | undefined) {
  return detail === undefined ? {} : { 'aria-describedby': `${field}-note`, 'aria-invalid': 'true' as const };
}

function FieldProblem({ field, detail }: { readonly field: string; readonly detail: string | undefined }) {
  return detail === undefined ? null : <small id={`${field}-note`}>{detail}</small>;
}

type HistoryProps = Pick<Visitor, 'texts' | 'language'> & { readonly entries: readonly UnitHistoryEntry[] };

function History({ entries, texts, language }: HistoryProps) {
  const names = statusNames(texts);
  const state = (status: number, price: number, directions: string) =>
    [names[status as UnitStatus], formatNumber(price, language), directionsText(directions)]
      .filter(Boolean)
      .join(' · ');
  return (
    <Table
      label={texts.history}
      columns={[[texts.changedAt], [texts.client], [texts.from], [texts.to]]}
      rows={entries.map((entry) => [
        <Time seconds={entry.changedAt} language={language} />,
        entry.clientId === CONSOLE ? texts.consoleClient : entry.clientId,
        state(entry.fromStatus, entry.fromPrice, entry.fromDirections),
        state(entry.toStatus, entry.toPrice, entry.toDirections),
      ])}
    />
  );
}

/** The client of changes that are made here, in the history of units. */
export const CONSOLE = 'console';

/** Directions as they are shown and entered: codes separated by commas. */
export function directionsText(stored: string): string {
  return (JSON.parse(stored) as Directions).flat().join(', ');
}

/**
 * The update that a form requests, to be validated as any other. Directions that were not edited keep their nesting, which
 * the form does not show.
 */
export function updateOf({ status, price, directions }: UnitForm, unit: Unit): object {
  const number = price.trim().replace(',', '.');
  const codes = directions.split(',').map((code) => code.trim());
  return {
    UntName: unit.name,
    UntStatus: Number(status),
    UntPrice: /^-?\d{1,15}(\.\d{1,6})?$/.test(number) ? Number(number) : price,
    UntDirections:
      directions === directionsText(unit.directions)
        ? JSON.parse(unit.directions)
        : codes.filter((code) => code !== ''),
  };
}
