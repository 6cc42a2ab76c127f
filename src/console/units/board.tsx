import { findDevelopment, listDevelopments } from '../../units/developments.ts';
import type { UnitStatus } from '../../units/schemas.ts';
import { listUnits, type Unit, unitProperties } from '../../units/units.ts';
import { definePage } from '../define-page.tsx';
import { formatNumber } from '../format.ts';
import { CellInput, Hidden, Submit } from '../frame/form.tsx';
import { ButtonLink, Chip, Item, TableCard, UNIT_TONES } from '../frame/parts.tsx';
import { ChangesCard, loadChanges } from '../home/changes.tsx';
import { unitPath, unitsPath, withQuery } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import { type Crumb, type FormState, type Page, useVisitor, type Visitor } from '../visit.ts';
import { currencyOf, entriesOf, notesOf, unitActions } from './edit.tsx';
import { shownText, shownValues, stateOf } from './form.ts';

const DEVELOPMENTS_PER_PAGE = 100;
/** Units on a page: a development rarely has more. */
const UNITS_PER_PAGE = 200;

const CHANGE_DAYS = 90;
const CHANGES_SHOWN = 20;

/** The order of the columns, as a sale proceeds. */
const STATUSES: readonly UnitStatus[] = [1, 2, 8, 4];

/** The account's developments. */
export async function showDevelopments(visitor: Visitor): Promise<Page> {
  const { c, db, account, common } = visitor;
  const texts = textsOf(visitor, 'units');
  const found = await listDevelopments(
    db,
    account.id,
    c.req.query('after') ?? null,
    DEVELOPMENTS_PER_PAGE + 1,
  );
  const shown = found.slice(0, DEVELOPMENTS_PER_PAGE);
  const action = <ButtonLink href="/docs" text={common.apiReference} />;
  const after = found.length > shown.length ? shown.at(-1)!.id : undefined;
  const none = { icon: 'developments', text: texts.none, why: texts.noneWhy, action } as const;
  const isWhole = found.length === shown.length && c.req.query('after') === undefined;
  const title = isWhole ? texts.developmentsTitle({ count: shown.length }) : common.developments;
  return {
    title: shown.length === 0 ? texts.none : title,
    lead: texts.developmentsLead,
    content: (
      <TableCard
        title={common.developments}
        none={none}
        columns={[texts.development, { numbers: texts.units }]}
        rows={shown.map(({ id, name, units }) => [
          <Item href={unitsPath(id)} title={name} note={id} />,
          texts.unitsOf({ count: units }),
        ])}
        next={
          after && <ButtonLink href={withQuery('/developments', { after })} text={common.next} />
        }
      />
    ),
  };
}

type LoadedUnits = NonNullable<Awaited<ReturnType<typeof loadUnits>>>;

/** The units of a development in the query; `null` if the account does not have it. */
async function loadUnits({ c, db, account }: Visitor) {
  const { development = '', after } = c.req.query();
  const [existing, found, properties] = await Promise.all([
    findDevelopment(db, account.id, development),
    listUnits(db, account.id, development, after ?? null, UNITS_PER_PAGE + 1),
    unitProperties(db, account.id, development),
  ]);
  if (existing === null || found === null) return null;
  const units = found.slice(0, UNITS_PER_PAGE);
  const next = found.length > UNITS_PER_PAGE ? units.at(-1)!.name : undefined;
  const { name, units: total } = existing;
  const crumbs: readonly Crumb[] = [{ name, href: unitsPath(development) }];
  return { development, name, total, units, properties, next, crumbs };
}

/** The units of a development as a board by status, or all of them to edit. */
export const units = definePage({
  find: loadUnits,
  show: (visitor, subject, form) => {
    const isEdited = visitor.c.req.query('edit') !== undefined && visitor.isEditor;
    return isEdited ? editPage(visitor, subject, form) : boardPage(visitor, subject);
  },
  actions: unitActions,
});

async function boardPage(visitor: Visitor, subject: LoadedUnits): Promise<Page> {
  const { development, name, total, units, next } = subject;
  const { isEditor, common } = visitor;
  const texts = textsOf(visitor, 'units');
  const changes = await loadChanges(visitor, {
    development,
    days: CHANGE_DAYS,
    limit: CHANGES_SHOWN,
  });
  const available = units.filter(({ status }) => status === 1).length;
  const gone = units.filter(({ status }) => status === 4 || status === 8).length;
  return {
    title: units.length < total ? name : texts.boardTitle({ name, count: available }),
    lead:
      units.length < total
        ? texts.unitsOf({ count: total })
        : texts.boardLead({ count: total, gone }),
    actions: isEditor && units.length > 0 && (
      <ButtonLink
        href={unitsPath(development, { edit: '1' })}
        icon="table"
        kind="primary"
        text={texts.editSeveral}
      />
    ),
    content: (
      <>
        <div class="board">
          {STATUSES.map((status) => (
            <Column status={status} loaded={subject} />
          ))}
        </div>
        {next !== undefined && (
          <ButtonLink href={unitsPath(development, { after: next })} text={common.next} />
        )}
        <ChangesCard
          title={texts.changes}
          none={texts.noChanges}
          noneWhy={texts.noChangesWhy}
          changes={changes}
        />
      </>
    ),
  };
}

function Column({ status, loaded }: { status: UnitStatus; loaded: LoadedUnits }) {
  const visitor = useVisitor();
  const { language, common } = visitor;
  const name = common.unitStatuses[status];
  const units = loaded.units.filter((unit) => unit.status === status);
  const noteOf = (unit: Unit, directions: string) => {
    const { floor, builtArea = null } = loaded.properties.get(unit.name) ?? {};
    const area = builtArea !== null && `${formatNumber(builtArea, language)} m²`;
    return [floor, directions, area].filter(Boolean).join(' · ');
  };
  return (
    <section aria-label={name}>
      <h2>
        <Chip tone={UNIT_TONES[status]}>{name}</Chip> {formatNumber(units.length, language)}
      </h2>
      {units.map((unit) => {
        const { price, directions } = stateOf(
          unit,
          loaded.properties.get(unit.name)?.currency ?? '',
          visitor,
        );
        return (
          <a class="unit" href={unitPath(unit.development, unit.name)}>
            <span>
              <span>{unit.name || '—'}</span> <span>{price}</span>
            </span>
            <span class="small muted">{noteOf(unit, directions)}</span>
          </a>
        );
      })}
    </section>
  );
}

/** The table to edit several units; what was typed stays, and what is wrong stands at its field. */
function editPage(visitor: Visitor, loaded: LoadedUnits, form: FormState): Page {
  const { language, common } = visitor;
  const texts = textsOf(visitor, 'units');
  const { development, name, units, next, crumbs } = loaded;
  const entries = form.typed === undefined ? [] : entriesOf(units, form.typed);
  const rows = units.map((unit) => {
    const shown = shownValues(unit, language);
    const first = {
      [`version:${unit.name}`]: shown.version,
      [`shown:${unit.name}`]: shownText(shown),
    };
    const { typed = shown, decision } =
      entries.find((one) => one.unit === unit && !one.typed.isLeft) ?? {};
    const notes = notesOf(decision, stateOf(unit, currencyOf(loaded, unit), visitor), visitor);
    const label = unit.name || '—';
    return [
      <>
        <Hidden values={{ ...first, name: unit.name }} />
        <b>{label}</b>
      </>,
      <CellInput
        name={`status:${unit.name}`}
        label={`${common.status}, ${label}`}
        options={Object.entries(common.unitStatuses)}
        value={typed.status}
        error={notes.status}
      />,
      <CellInput
        name={`price:${unit.name}`}
        inputmode="decimal"
        required
        autocomplete="off"
        label={`${common.price}, ${label}`}
        value={typed.price}
        error={notes.price}
      />,
    ];
  });
  const more = next !== undefined && (
    <ButtonLink href={unitsPath(development, { edit: '1', after: next })} text={common.next} />
  );
  return {
    title: texts.editTitle({ name }),
    lead: texts.editLead,
    crumbs,
    content: (
      <form method="post" class="stack" data-keep>
        <TableCard
          title={texts.units}
          columns={[texts.unit, common.status, common.price]}
          rows={rows}
        />
        <Submit cancel={unitsPath(development)} more={more} text={texts.check} />
      </form>
    ),
  };
}
