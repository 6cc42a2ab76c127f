import { CellInput, Hidden, Submit } from '../frame/form.tsx';
import { ButtonLink, TableCard } from '../frame/parts.tsx';
import { unitPath, unitsPath } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import type { FormState, Page, Visitor } from '../visit.ts';
import { entriesOf, notesOf } from './edit.tsx';
import { shownText, shownValues, stateOf } from './form.ts';
import type { LoadedUnits } from './loaded.ts';

/** The table to edit several units; what was typed stays, and what is wrong stands at its field. */
export function tablePage(visitor: Visitor, loaded: LoadedUnits, form: FormState): Page {
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
    const { currency } = loaded.properties.get(unit.name) ?? {};
    const notes = notesOf(decision, stateOf(unit, currency, visitor), visitor);
    const label = unit.name || '—';
    return [
      <>
        <Hidden values={{ ...first, name: unit.name }} />
        <a href={unitPath(development, unit.name)}>
          <b>{label}</b>
        </a>
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
        <Submit cancel={unitsPath(development)} more={more} text={texts.reviewChanges} />
      </form>
    ),
  };
}
