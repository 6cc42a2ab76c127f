import { listDevelopments } from '../../units/developments.ts';
import type { UnitStatus } from '../../units/schemas.ts';
import type { Unit, UnitProperty } from '../../units/units.ts';
import { definePage } from '../define-page.tsx';
import { formatArea, formatNumber } from '../format.ts';
import { CellInput, FilterBar } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Item, Notice, TableCard, UNIT_TONES } from '../frame/parts.tsx';
import { ChangesCard, loadChanges } from '../home/changes.tsx';
import { type Query, unitPath, unitsPath, withQuery } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import { type FormState, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { type Block, buildingOf } from './building.ts';
import { unitActions } from './edit.tsx';
import { type BoardFilters, filtersIn, isMatching, menusOf } from './filters.ts';
import { PRICE_WAYS, priceText } from './form.ts';
import { type LoadedUnits, loadUnits } from './loaded.ts';
import { tablePage } from './table.tsx';

const DEVELOPMENTS_PER_PAGE = 100;

const CHANGE_DAYS = 90;
const CHANGES_SHOWN = 20;

/** The order of the filters, as a sale proceeds. */
const STATUSES: readonly UnitStatus[] = [1, 2, 8, 4];

/** The account's developments. */
export async function showDevelopments(visitor: Visitor): Promise<Page> {
  const { c, db, account, common, isEditor } = visitor;
  const texts = textsOf(visitor, 'units');
  const found = await listDevelopments(
    db,
    account.id,
    c.req.query('after') ?? null,
    DEVELOPMENTS_PER_PAGE + 1,
  );
  const shown = found.slice(0, DEVELOPMENTS_PER_PAGE);
  const add = isEditor && (
    <ButtonLink href="/developments/edit" icon="plus" kind="primary" text={texts.newDevelopment} />
  );
  const after = found.length > shown.length ? shown.at(-1)!.id : undefined;
  const none = { icon: 'developments', text: texts.none, why: texts.noneWhy, action: add } as const;
  const isWhole = found.length === shown.length && c.req.query('after') === undefined;
  const title = isWhole ? texts.developmentsTitle({ count: shown.length }) : common.developments;
  return {
    title: shown.length === 0 ? texts.none : title,
    lead: texts.developmentsLead,
    actions: shown.length > 0 && add,
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

/** The units of a development as the building stands, or as a table to edit. */
export const units = definePage({
  find: loadUnits,
  show: (visitor, subject, form) => {
    const isEdited = visitor.c.req.query('edit') !== undefined && visitor.isEditor;
    return isEdited ? tablePage(visitor, subject, form) : boardPage(visitor, subject, form);
  },
  actions: unitActions,
});

async function boardPage(visitor: Visitor, subject: LoadedUnits, form: FormState): Promise<Page> {
  const { development, name, total, units, properties, next } = subject;
  const { c, isEditor, common, language } = visitor;
  const texts = textsOf(visitor, 'units');
  const changes = await loadChanges(visitor, {
    development,
    days: CHANGE_DAYS,
    limit: CHANGES_SHOWN,
  });
  const numberOf = (status: UnitStatus) => units.filter((unit) => unit.status === status).length;
  const unlisted = units.filter((unit) => properties.get(unit.name)?.isListed !== true);
  const without = units.filter((unit) => !properties.has(unit.name));
  const isAll = units.length === total;
  const asked = filtersIn(c.req.query());
  const blocks = buildingOf(units, (unit) => properties.get(unit.name)?.floor ?? null);
  const board = (
    <div class="blocks">
      {blocks.map((block) => (
        <BlockCard block={block} loaded={subject} asked={asked} form={form} />
      ))}
    </div>
  );
  const add = withQuery('/units/add', { development });
  return {
    title: !isAll ? name : texts.boardTitle({ name, count: numberOf(1), total }),
    lead: !isAll
      ? texts.unitsOf({ count: total })
      : texts.boardLead({
          hold: numberOf(2),
          reserved: formatNumber(numberOf(8), language),
          sold: formatNumber(numberOf(4), language),
        }),
    actions: (
      <>
        {units.length > 0 && (
          <ButtonLink
            href={withQuery('/units/prices', { development })}
            icon="file"
            text={texts.priceList}
          />
        )}
        {isEditor && units.length > 0 && (
          <ButtonLink
            href={unitsPath(development, { edit: '1' })}
            icon="table"
            text={texts.editSeveral}
          />
        )}
        {isEditor && (
          <ButtonLink
            href={withQuery('/developments/edit', { id: development })}
            icon="edit"
            text={texts.editDevelopment}
          />
        )}
        {isEditor && <ButtonLink href={add} icon="plus" kind="primary" text={texts.addUnits} />}
      </>
    ),
    content: (
      <>
        {unlisted.length > 0 && (
          <Notice
            kind="warn"
            actions={
              isEditor &&
              (without.length > 0 ? (
                <ButtonLink
                  href={withQuery('/units/add', { development, of: 'unlisted' })}
                  text={texts.createListings}
                />
              ) : (
                <ButtonLink
                  href={withQuery('/properties', { q: name, status: 'Withdrawn' })}
                  text={texts.seeListings}
                />
              ))
            }
          >
            {texts.unlisted({ count: unlisted.length })}
          </Notice>
        )}
        {units.length === 0 ? (
          <Card
            title={texts.units}
            empty={{
              icon: 'developments',
              text: texts.noUnits,
              why: texts.noUnitsWhy,
              action: isEditor && <ButtonLink href={add} text={texts.addUnits} />,
            }}
          />
        ) : (
          <Filters loaded={subject} asked={asked} />
        )}
        {units.length > 0 &&
          (isEditor ? (
            <form method="post" class="stack selectable">
              {board}
              <UnitBar form={form} total={units.length} />
            </form>
          ) : (
            board
          ))}
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

/** What the units are filtered by: those that do not match are dimmed, and stay where they stand. */
function Filters({
  loaded: { development, units, properties },
  asked,
}: {
  readonly loaded: LoadedUnits;
  readonly asked: BoardFilters;
}) {
  const visitor = useVisitor();
  const { common, language } = visitor;
  const texts = useTexts('units');
  const values: Query = { development, ...asked };
  return (
    <FilterBar
      path="/units"
      clearPath={unitsPath(development)}
      values={values}
      menus={menusOf(units, properties, asked, visitor)}
    >
      {STATUSES.map((status) => {
        const isChosen = asked.status === String(status);
        const count = units.filter((unit) => unit.status === status).length;
        const to = isChosen ? undefined : String(status);
        return (
          <a
            class="tick"
            href={withQuery('/units', { ...values, status: to })}
            aria-current={isChosen ? 'true' : undefined}
          >
            <i class={`key ${UNIT_TONES[status]}`} aria-hidden="true">
              {texts.letters[status]}
            </i>
            {common.unitStatuses[status]} <b>{formatNumber(count, language)}</b>
          </a>
        );
      })}
    </FilterBar>
  );
}

/** The widest floor that keeps its units in one row. */
const MOST_IN_ROW = 6;

/** A part of the building: a row for each floor, a cell for each unit. */
function BlockCard({
  block: { name, floors, widest },
  loaded,
  asked,
  form,
}: {
  readonly block: Block<Unit>;
  readonly loaded: LoadedUnits;
  readonly asked: BoardFilters;
  readonly form: FormState;
}) {
  const texts = useTexts('units');
  const title = name.length > 2 ? name : texts.block({ name });
  return (
    <fieldset class={`card block of${Math.min(widest, MOST_IN_ROW)}`}>
      <legend class={name === '' ? 'vh' : undefined}>{name === '' ? loaded.name : title}</legend>
      {floors.map((floor) => (
        <div class="floor">
          <span title={floor.name === null ? undefined : texts.floor({ name: floor.name })}>
            {floor.name}
          </span>
          <div class="cells">
            {floor.units.map((unit) => (
              <Cell
                unit={unit}
                property={loaded.properties.get(unit.name)}
                isDimmed={!isMatching(unit, loaded.properties.get(unit.name), asked)}
                isChosen={form.typed?.getAll('unit').includes(unit.name) ?? false}
              />
            ))}
          </div>
        </div>
      ))}
    </fieldset>
  );
}

/** A unit on the board, to be ticked; its name leads to its page. */
function Cell({
  unit,
  property,
  isDimmed,
  isChosen,
}: {
  readonly unit: Unit;
  readonly property: UnitProperty | undefined;
  readonly isDimmed: boolean;
  readonly isChosen: boolean;
}) {
  const visitor = useVisitor();
  const { isEditor, common, language } = visitor;
  const texts = useTexts('units');
  const status = unit.status as UnitStatus;
  const statusText = common.unitStatuses[status];
  const price = priceText(unit.price, property?.currency, visitor);
  const { beds = 0, builtArea = null } = property ?? {};
  const facts = [beds > 0 && texts.beds({ count: beds }), formatArea(builtArea, language)];
  const note = facts.filter(Boolean).join(' · ');
  const name = unit.name || '—';
  const label = [name, statusText, price, note].filter(Boolean).join(', ');
  const content = (
    <>
      <a href={unitPath(unit.development, unit.name)} aria-label={isEditor ? undefined : label}>
        {name}
      </a>
      <i aria-hidden="true">{texts.letters[status]}</i>
      <b aria-hidden="true">{price}</b>
      <small class="muted" aria-hidden="true">
        {note || texts.noListing}
      </small>
    </>
  );
  const looks = `cell ${UNIT_TONES[status]}${status === 4 ? ' sold' : ''}${isDimmed ? ' dim' : ''}`;
  if (!isEditor) return <div class={looks}>{content}</div>;
  return (
    <label class={looks}>
      <input
        class="vh"
        type="checkbox"
        name="unit"
        value={unit.name}
        checked={isChosen}
        aria-label={label}
      />
      {content}
    </label>
  );
}

/** What can be done with the units that are ticked: it is reviewed before it is saved. */
function UnitBar({ form, total }: { readonly form: FormState; readonly total: number }) {
  const { common } = useVisitor();
  const texts = useTexts('units');
  const { ways } = useTexts('bulk');
  const { amount } = form.errors;
  return (
    <section class="bulk" aria-label={texts.chosen}>
      <b data-selected={String(total)}>
        {texts.chosen} <span role="status" />
      </b>
      <CellInput
        name="status"
        label={texts.newStatus}
        options={[['', texts.statusStays], ...Object.entries(common.unitStatuses)]}
        value={form.typed?.get('status') ?? ''}
      />
      <CellInput
        name="by"
        label={common.price}
        options={[['', texts.priceStays], ...PRICE_WAYS.map((way) => [way, ways[way]] as const)]}
        value={form.typed?.get('by') ?? ''}
      />
      <CellInput
        name="amount"
        label={texts.amount}
        placeholder={texts.amount}
        inputmode="decimal"
        autocomplete="off"
        value={form.typed?.get('amount') ?? ''}
        error={amount}
      />
      <Button name="do" value="several" kind="primary" text={texts.reviewChanges} />
    </section>
  );
}
