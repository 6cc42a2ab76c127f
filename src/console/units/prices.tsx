import { formatArea, formatDay, formatNumber } from '../format.ts';
import { Button, ButtonLink, Card, Table } from '../frame/parts.tsx';
import { notFoundPage } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { buildingOf } from './building.ts';
import { priceText, stateOf } from './form.ts';
import { loadUnits } from './loaded.ts';

/** The prices of what is not sold, for a customer: made for paper. */
export async function showPrices(visitor: Visitor): Promise<Page> {
  const { common, language, now, account } = visitor;
  const texts = textsOf(visitor, 'units');
  const loaded = await loadUnits(visitor);
  if (loaded === null) return notFoundPage(visitor);
  const { development, name, units, properties, next, crumbs } = loaded;
  const blocks = buildingOf(units, (unit) => properties.get(unit.name)?.floor ?? null);
  const placed = blocks.flatMap(({ floors }) =>
    floors.flatMap((floor) => floor.units.map((unit) => ({ unit, floor: floor.name }))),
  );
  const rows = placed
    .filter(({ unit }) => unit.status !== 4)
    .map(({ unit, floor }) => {
      const property = properties.get(unit.name);
      const currency = property?.currency;
      const state = stateOf(unit, currency, visitor);
      return [
        <b>{unit.name || '—'}</b>,
        floor ?? '',
        property?.beds ? formatNumber(property.beds, language) : '',
        formatArea(property?.builtArea, language),
        formatArea(property?.terraceArea, language),
        state.directions,
        unit.status === 1 ? (
          <b>{priceText(unit.price, currency, visitor)}</b>
        ) : (
          <span class="muted">{state.status}</span>
        ),
      ];
    });
  return {
    title: texts.priceListTitle({ name }),
    lead: texts.priceListLead({ agency: account.name, day: formatDay(now, visitor) }),
    crumbs,
    actions: (
      <Button type="button" icon="file" data-print hidden kind="primary" text={texts.print} />
    ),
    content: (
      <div class="paper stack">
        <Card title={name} flush>
          <Table
            label={texts.priceList}
            columns={[
              texts.unit,
              texts.columns.floor,
              { numbers: texts.columns.beds },
              { numbers: texts.columns.built_area },
              { numbers: texts.columns.terrace_area },
              texts.directions,
              { numbers: common.price },
            ]}
            rows={rows}
          />
        </Card>
        {next !== undefined && (
          <ButtonLink
            href={withQuery('/units/prices', { development, after: next })}
            text={common.next}
          />
        )}
      </div>
    ),
  };
}
