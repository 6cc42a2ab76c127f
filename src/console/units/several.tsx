import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { Unit, UnitValues } from '../../db/units.ts';
import type { AppEnv } from '../../env.ts';
import { formatList } from '../format.tsx';
import { Choice, Hidden, OptionList } from '../frame/form.tsx';
import { ButtonLink, Card, Notice } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { notFoundPage, readForm } from '../guards.tsx';
import { unitsPath } from '../paths.ts';
import type { Page, Visitor } from '../visit.ts';
import { Changes, stateOf } from './changes.tsx';
import { codesOf, type Decision, decide, shownValues, type UnitForm } from './form.ts';
import { type LoadedUnits, loadUnits } from './load.ts';
import { saveUnit } from './save.ts';
import { UNITS } from './texts.ts';

/** A unit with what a form says about it. */
interface Entry {
  readonly unit: Unit;
  readonly form: UnitForm;
  readonly decision: Decision;
}

/** Shows what was understood of the changes of several units, or saves what was shown. */
export async function changeUnits(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const loaded = await loadUnits(c, visitor);
  if (loaded === null) return notFoundPage(visitor);
  const fields = await readForm(c);
  const names = new Set(fields.getAll('name').map((name) => name.normalize('NFC')));
  const entries = loaded.units
    .filter(({ name }) => names.has(name))
    .map((unit): Entry => {
      const form = formOf(fields, unit);
      return { unit, form, decision: decide(form, unit, visitor.language) };
    });
  const changed = entries.filter(({ decision }) => decision.kind !== 'unchanged');
  const texts = UNITS[visitor.language];
  if (changed.length === 0) return editPage(visitor, loaded, null, <Notice kind="info">{texts.unchanged}</Notice>);
  if (
    changed.some(
      ({ decision }) => decision.kind === 'invalid' || decision.kind === 'conflict' || decision.kind === 'edit',
    )
  ) {
    const isEdited = changed.some(({ decision }) => decision.kind === 'edit');
    const page = editPage(visitor, loaded, entries, !isEdited && <Notice kind="bad">{texts.invalid}</Notice>);
    return { ...page, status: isEdited ? 200 : 422 };
  }
  if (changed.some(({ decision }) => decision.kind === 'review')) {
    return severalPage(visitor, loaded, changed, fields.has('reviewed'));
  }
  return save(c, visitor, loaded, changed);
}

/** The form of one unit in a form of several, whose fields have the unit's name appended. */
function formOf(fields: URLSearchParams, unit: Unit): UnitForm {
  const given = (field: string) => fields.get(`${field}:${unit.name}`) ?? '';
  const isReviewed = fields.has('reviewed');
  return {
    status: given('status'),
    price: given('price'),
    directions: isReviewed ? [unit.directions] : codesOf(unit.directions),
    version: given('version'),
    isReviewed,
    isSure: fields.has('sure'),
    isEdited: fields.has('edit'),
  };
}

/** The table to edit several units; what was typed stays, and what is wrong stands at its field. */
export function editPage(
  visitor: Visitor,
  loaded: LoadedUnits,
  entries: readonly Entry[] | null,
  notice?: Child,
): Page {
  const { texts: common, language } = visitor;
  const texts = UNITS[language];
  const { development, name, units, properties, next } = loaded;
  return {
    title: texts.editTitle({ name }),
    lead: texts.editLead,
    crumbs: [
      [common.developments, '/developments'],
      [name, unitsPath(development)],
    ],
    notice,
    content: (
      <form method="post" action={unitsPath(development, { edit: '1' })} class="stack">
        <Card title={texts.units} flush>
          <Table
            label={texts.units}
            columns={[[texts.unit], [common.status], [common.price]]}
            rows={units.map((unit) => {
              const entry = entries?.find((one) => one.unit.name === unit.name);
              const typed = entry === undefined ? shownValues(unit, language) : typedOf(entry, language);
              const note =
                entry === undefined ? undefined : noteOf(entry, properties.get(unit.name)?.currency ?? '', visitor);
              const label = unit.name || '—';
              return [
                <>
                  <Hidden values={{ name: unit.name, [`version:${unit.name}`]: String(unit.version) }} />
                  <b>{label}</b>
                </>,
                <select name={`status:${unit.name}`} aria-label={`${common.status}, ${label}`}>
                  <OptionList options={Object.entries(common.unitStatuses)} value={typed.status} />
                </select>,
                <>
                  <input
                    name={`price:${unit.name}`}
                    inputmode="decimal"
                    required
                    autocomplete="off"
                    aria-label={`${common.price}, ${label}`}
                    aria-invalid={note === undefined ? undefined : 'true'}
                    value={typed.price}
                  />
                  {note && <span class="error">{note}</span>}
                </>,
              ];
            })}
          />
        </Card>
        <div class="actions">
          <button type="submit" class="button primary">
            {texts.check}
          </button>
          <ButtonLink href={unitsPath(development)}>{common.cancel}</ButtonLink>
          {next !== undefined && (
            <ButtonLink href={unitsPath(development, { edit: '1', after: next })}>{common.next}</ButtonLink>
          )}
        </div>
      </form>
    ),
  };
}

function typedOf({ form, unit }: Entry, language: Visitor['language']) {
  if (!form.isReviewed) return form;
  return shownValues({ ...unit, status: Number(form.status), price: Number(form.price) }, language);
}

function noteOf({ decision, unit }: Entry, currency: string, visitor: Visitor): string | undefined {
  const texts = UNITS[visitor.language];
  if (decision.kind === 'invalid') return texts[decision.price];
  if (decision.kind !== 'conflict') return undefined;
  const { status, price } = stateOf(unit, currency, visitor);
  return texts.conflictAt({ now: `${status}, ${price}` });
}

/** What was understood of several changes. */
function severalPage(visitor: Visitor, loaded: LoadedUnits, entries: readonly Entry[], isRefused: boolean): Page {
  const { texts: common } = visitor;
  const texts = UNITS[visitor.language];
  const { development, name, properties } = loaded;
  const concerns = new Set(entries.flatMap(({ decision }) => (decision.kind === 'review' && decision.concern) || []));
  return {
    title: texts.reviewSeveral({ count: entries.length }),
    crumbs: [
      [common.developments, '/developments'],
      [name, unitsPath(development)],
    ],
    status: isRefused ? 422 : 200,
    notice: isRefused && <Notice kind="bad">{texts.sureMissing}</Notice>,
    content: (
      <Card title={texts.changes}>
        <form method="post" action={unitsPath(development, { edit: '1' })} class="stack close">
          <Hidden values={{ reviewed: '1' }} />
          {entries.flatMap(({ unit, decision }) => {
            if (!('values' in decision)) return [];
            const { values } = decision;
            return (
              <div>
                <HiddenUnit unit={unit} values={values} version={unit.version} />
                <h3>{unit.name}</h3>
                <Changes from={unit} to={values} currency={properties.get(unit.name)?.currency ?? ''} guest={visitor} />
              </div>
            );
          })}
          {concerns.size > 0 && (
            <>
              <p id="concern" class="error">
                {[...concerns].map((concern) => texts[concern]).join(' ')}
              </p>
              <Choice name="sure" checked={false} required describedBy="concern">
                {texts.sureSeveral}
              </Choice>
            </>
          )}
          <div class="actions">
            <button type="submit" class="button primary">
              {common.save}
            </button>
            <button type="submit" class="button" name="edit" value="1" formnovalidate>
              {texts.again}
            </button>
          </div>
        </form>
      </Card>
    ),
  };
}

function HiddenUnit({
  unit,
  values,
  version,
}: {
  readonly unit: Unit;
  readonly values: UnitValues;
  readonly version: number;
}) {
  const { name } = unit;
  const fields = {
    name,
    [`status:${name}`]: String(values.status),
    [`price:${name}`]: String(values.price),
    [`version:${name}`]: String(version),
  };
  return <Hidden values={fields} />;
}

/** Saves each change for itself, and offers to undo those that were saved. */
async function save(
  c: Context<AppEnv>,
  visitor: Visitor,
  loaded: LoadedUnits,
  entries: readonly Entry[],
): Promise<Page> {
  const saved: { readonly unit: Unit; readonly version: number }[] = [];
  const failed: string[] = [];
  for (const { unit, decision } of entries) {
    if (decision.kind !== 'save') continue;
    const result = await saveUnit(c, visitor, unit, decision.values);
    if (result.kind === 'saved') saved.push({ unit, version: result.version });
    else failed.push(unit.name);
  }
  const texts = UNITS[visitor.language];
  const undo = saved.length > 0 && (
    <form method="post" action={unitsPath(loaded.development, { edit: '1' })}>
      <Hidden values={{ reviewed: '1', sure: '1' }} />
      {saved.map(({ unit, version }) => (
        <HiddenUnit unit={unit} values={unit} version={version} />
      ))}
      <button type="submit" class="button">
        {visitor.texts.undo}
      </button>
    </form>
  );
  const now = await loadUnits(c, visitor);
  const notice = (
    <Notice kind={failed.length === 0 ? 'good' : 'warn'} actions={undo}>
      {saved.length > 0 && <p>{texts.savedSeveral({ count: saved.length })}</p>}
      {failed.length > 0 && <p>{texts.failedSeveral({ names: formatList(failed, visitor.language) })}</p>}
    </Notice>
  );
  return editPage(visitor, now ?? loaded, null, notice);
}
