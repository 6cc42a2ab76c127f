import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { Unit } from '../../db/units/units.ts';
import type { AppEnv } from '../../env.ts';
import { formatList } from '../format.tsx';
import { Hidden, OptionList, Submit } from '../frame/form.tsx';
import { ButtonLink, Card, Notice } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { notFoundPage, readForm } from '../guards.tsx';
import { unitsPath } from '../paths.ts';
import { UNITS } from '../texts/texts.ts';
import type { Crumb, Page, Visitor } from '../visit.ts';
import { reviewPage, stateOf, Undo } from './changes.tsx';
import { type Decision, decide, readUnitForm, shownValues, typedAgain, type UnitForm } from './form.ts';
import { type LoadedUnits, loadUnits } from './load.ts';
import { saveUnit } from './save.ts';

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
      const form = readUnitForm(fields, unit);
      return { unit, form, decision: decide(form, unit, visitor.language) };
    });
  const texts = UNITS[visitor.language];
  const kinds = new Set(entries.map(({ decision }) => decision.kind));
  if (kinds.has('edit')) return editPage(visitor, loaded, entries);
  if (kinds.has('invalid') || kinds.has('conflict')) {
    return { ...editPage(visitor, loaded, entries, <Notice kind="bad">{texts.invalid}</Notice>), status: 422 };
  }
  const changed = entries.filter(({ decision }) => 'values' in decision);
  if (changed.length === 0) return editPage(visitor, loaded, [], <Notice kind="info">{texts.unchanged}</Notice>);
  if (!kinds.has('review')) return save(c, visitor, loaded, changed);
  const { development, properties } = loaded;
  return reviewPage(visitor, {
    changes: changed.flatMap(({ unit, decision }) => {
      const currency = properties.get(unit.name)?.currency ?? '';
      return 'values' in decision ? [{ unit, currency, concern: null, ...decision }] : [];
    }),
    action: unitsPath(development, { edit: '1' }),
    crumbs: crumbsOf(visitor, loaded),
    isOfSeveral: true,
    isRefused: fields.has('reviewed'),
  });
}

function crumbsOf({ texts }: Visitor, { development, name }: LoadedUnits): Crumb[] {
  return [
    [texts.developments, '/developments'],
    [name, unitsPath(development)],
  ];
}

/** The table to edit several units; what was typed stays, and what is wrong stands at its field. */
export function editPage(visitor: Visitor, loaded: LoadedUnits, entries: readonly Entry[] = [], notice?: Child): Page {
  const { texts: common, language } = visitor;
  const texts = UNITS[language];
  const { development, name, units, properties, next } = loaded;
  const rows = units.map((unit) => {
    const entry = entries.find((one) => one.unit.name === unit.name);
    const typed = entry === undefined ? shownValues(unit, language) : typedAgain(entry.form, language);
    const note = entry && noteOf(entry, properties.get(unit.name)?.currency ?? '', visitor);
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
  });
  return {
    title: texts.editTitle({ name }),
    lead: texts.editLead,
    crumbs: crumbsOf(visitor, loaded),
    notice,
    content: (
      <form method="post" action={unitsPath(development, { edit: '1' })} class="stack">
        <Card title={texts.units} flush>
          <Table label={texts.units} columns={[[texts.unit], [common.status], [common.price]]} rows={rows} />
        </Card>
        <Submit
          cancel={unitsPath(development)}
          more={
            next !== undefined && (
              <ButtonLink href={unitsPath(development, { edit: '1', after: next })}>{common.next}</ButtonLink>
            )
          }
        >
          {texts.check}
        </Submit>
      </form>
    ),
  };
}

function noteOf({ decision, unit }: Entry, currency: string, visitor: Visitor): string | undefined {
  const texts = UNITS[visitor.language];
  if (decision.kind === 'invalid') return texts[decision.price];
  if (decision.kind !== 'conflict') return undefined;
  const { status, price } = stateOf(unit, currency, visitor);
  return texts.conflictAt({ now: `${status}, ${price}` });
}

/** Saves each change for itself, and offers to undo those that were saved. */
async function save(
  c: Context<AppEnv>,
  visitor: Visitor,
  loaded: LoadedUnits,
  entries: readonly Entry[],
): Promise<Page> {
  const saved: { readonly unit: Unit; readonly before: Unit }[] = [];
  const failed: string[] = [];
  for (const { unit, decision } of entries) {
    if (decision.kind !== 'save') continue;
    const result = await saveUnit(c, visitor, unit, decision.values);
    if (result.kind === 'saved') saved.push({ unit: { ...unit, version: result.version }, before: unit });
    else failed.push(unit.name);
  }
  const texts = UNITS[visitor.language];
  const action = unitsPath(loaded.development, { edit: '1' });
  const undo = saved.length > 0 && <Undo action={action} changes={saved} isOfSeveral text={visitor.texts.undo} />;
  const notice = (
    <Notice kind={failed.length === 0 ? 'good' : 'warn'} actions={undo}>
      {saved.length > 0 && <p>{texts.savedSeveral({ count: saved.length })}</p>}
      {failed.length > 0 && <p>{texts.failedSeveral({ names: formatList(failed, visitor.language) })}</p>}
    </Notice>
  );
  return editPage(visitor, (await loadUnits(c, visitor)) ?? loaded, [], notice);
}
