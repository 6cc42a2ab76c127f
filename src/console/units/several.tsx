import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { findDevelopment } from '../../db/units/developments.ts';
import { listUnits, type Unit, unitProperties } from '../../db/units/units.ts';
import type { AppEnv } from '../../env.ts';
import { formatList } from '../format.tsx';
import { Hidden, OptionList, Submit } from '../frame/form.tsx';
import { ButtonLink, Notice } from '../frame/parts.tsx';
import { TableCard } from '../frame/table.tsx';
import { unitsPath } from '../paths.ts';
import type { Action, Sent } from '../subject.tsx';
import { UNITS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { reviewPage, stateOf, Undo } from './changes.tsx';
import { type Decision, decide, readUnitForm, shownValues, type TypedValues } from './form.ts';
import { saveUnit, undoUnit } from './save.ts';

/** Units on a page: a development rarely has more. */
const UNITS_PER_PAGE = 200;

/** Some units of a development. */
export type LoadedUnits = NonNullable<Awaited<ReturnType<typeof loadUnits>>>;

/** The units of a development in the query; `null` if the account does not have it. */
export async function loadUnits(c: Context<AppEnv>, { account }: Visitor) {
  const { development = '', after } = c.req.query();
  const { DB } = c.env;
  const [existing, found, properties] = await Promise.all([
    findDevelopment(DB, account.id, development),
    listUnits(DB, account.id, development, after ?? null, UNITS_PER_PAGE + 1),
    unitProperties(DB, account.id, development),
  ]);
  if (existing === null || found === null) return null;
  const units = found.slice(0, UNITS_PER_PAGE);
  const next = found.length > UNITS_PER_PAGE ? units.at(-1)!.name : undefined;
  return { development, name: existing.name, units, properties, next };
}

/** A unit with what a form says about it. */
interface Entry {
  readonly unit: Unit;
  readonly typed: TypedValues;
  readonly decision: Decision;
}

/** The units that a form names, with what it says about them. */
function entriesOf({ subject, fields }: Sent<LoadedUnits>): Entry[] {
  const names = new Set(fields.getAll('name').map((name) => name.normalize('NFC')));
  const named = subject.units.filter(({ name }) => names.has(name));
  return named.map((unit) => {
    const form = readUnitForm(fields, unit);
    return { unit, typed: form, decision: decide(form, unit) };
  });
}

/** Shows what was understood of the changes of several units, saves what was shown, or undoes what was saved. */
export const UNITS_ACTIONS = {
  edit: async (sent) => editPage(sent.visitor, sent.subject, entriesOf(sent)),
  undo: async (sent) => {
    const { c, visitor, fields } = sent;
    return saved(sent, entriesOf(sent), ({ unit }) => undoUnit(c, visitor, unit, fields.get(`version:${unit.name}`)));
  },
  save: async (sent) => {
    const { c, visitor, subject, fields } = sent;
    const texts = UNITS[visitor.language];
    const entries = entriesOf(sent);
    const kinds = new Set(entries.map(({ decision }) => decision.kind));
    if (kinds.has('invalid') || kinds.has('conflict')) {
      return { ...editPage(visitor, subject, entries, <Notice kind="bad">{texts.invalid}</Notice>), status: 422 };
    }
    const changed = entries.flatMap(({ unit, decision }) =>
      'values' in decision ? [{ unit, concern: null, ...decision }] : [],
    );
    if (changed.length === 0) return editPage(visitor, subject, [], <Notice kind="info">{texts.unchanged}</Notice>);
    if (!kinds.has('review')) return saved(sent, changed, ({ unit, values }) => saveUnit(c, visitor, unit, values));
    const changes = changed.map((change) => ({ ...change, currency: currencyOf(subject, change.unit) }));
    const { development, name } = subject;
    const path = unitsPath(development, { edit: '1' });
    return reviewPage(visitor, changes, fields, { path, crumbs: [[name, unitsPath(development)]] });
  },
} satisfies Readonly<Record<string, Action<LoadedUnits>>>;

/** The table after each change was saved for itself, with a button to undo those that were. */
async function saved<Change extends { readonly unit: Unit }>(
  { c, visitor, subject }: Sent<LoadedUnits>,
  changes: readonly Change[],
  save: (change: Change) => ReturnType<typeof saveUnit>,
): Promise<Page> {
  const versions: Record<string, string>[] = [];
  const failed: string[] = [];
  for (const change of changes) {
    const { name } = change.unit;
    const result = await save(change);
    if (result.kind === 'saved') versions.push({ name, [`version:${name}`]: String(result.version) });
    else failed.push(name);
  }
  const texts = UNITS[visitor.language];
  const undo = versions.length > 0 && <Undo path={unitsPath(subject.development, { edit: '1' })} versions={versions} />;
  const notice = (
    <Notice kind={failed.length === 0 ? 'good' : 'warn'} actions={undo}>
      {versions.length > 0 && <p>{texts.savedSeveral({ count: versions.length })}</p>}
      {failed.length > 0 && <p>{texts.failedSeveral({ names: formatList(failed, visitor.language) })}</p>}
    </Notice>
  );
  return editPage(visitor, (await loadUnits(c, visitor)) ?? subject, [], notice);
}

function currencyOf({ properties }: LoadedUnits, { name }: Unit): string {
  return properties.get(name)?.currency ?? '';
}

/** The table to edit several units; what was typed stays, and what is wrong stands at its field. */
export function editPage(visitor: Visitor, loaded: LoadedUnits, entries: readonly Entry[] = [], notice?: Child): Page {
  const { texts: common, language } = visitor;
  const texts = UNITS[language];
  const { development, name, units, next } = loaded;
  const rows = units.map((unit) => {
    const entry = entries.find((one) => one.unit.name === unit.name);
    const typed = entry?.typed ?? shownValues(unit, language);
    const note = noteOf(entry?.decision, stateOf(unit, currencyOf(loaded, unit), visitor), texts);
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
  const more = next !== undefined && (
    <ButtonLink href={unitsPath(development, { edit: '1', after: next })}>{common.next}</ButtonLink>
  );
  return {
    title: texts.editTitle({ name }),
    lead: texts.editLead,
    crumbs: [[name, unitsPath(development)]],
    notice,
    content: (
      <form method="post" action={unitsPath(development, { edit: '1' })} class="stack">
        <TableCard title={texts.units} columns={[[texts.unit], [common.status], [common.price]]} rows={rows} />
        <Submit cancel={unitsPath(development)} more={more}>
          {texts.check}
        </Submit>
      </form>
    ),
  };
}

function noteOf(decision: Decision | undefined, now: ReturnType<typeof stateOf>, texts: (typeof UNITS)['en']) {
  if (decision?.kind === 'invalid') return texts[decision.price];
  return decision?.kind === 'conflict' ? texts.conflictAt({ now: `${now.status}, ${now.price}` }) : undefined;
}
