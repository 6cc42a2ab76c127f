import type { UnitWrite } from '../../properties/api/write.ts';
import type { UnitUndoing } from '../../units/batches.ts';
import { hasValues } from '../../units/units.ts';
import { UndoTable } from '../frame/form.tsx';
import { Item } from '../frame/parts.tsx';
import { unitPath } from '../paths.ts';
import { useTexts } from '../visit.ts';
import { Changes } from './edit.tsx';

/** Whether undoing does something with a unit. */
export function isUnitLeft({ now, undone }: UnitUndoing): boolean {
  return undone === null || !hasValues(now, undone);
}

/** The write that gives a unit its former values; none for one that is removed. */
export function restoringWrite({ now, undone }: UnitUndoing): UnitWrite[] {
  if (undone === null) return [];
  const { development, name, version } = now;
  const status = undone.status as UnitWrite['document']['status'];
  const directions = JSON.parse(undone.directions);
  const values = { status, price: undone.price, directions };
  return [{ version, document: { kind: 'unit', development, name, ...values } }];
}

/** What undoing does with units, and which of them stay as they are. */
export function UnitsUndone({
  units,
  most,
}: {
  readonly units: readonly UnitUndoing[];
  readonly most: number;
}) {
  const texts = useTexts('undo');
  const shown = units.filter((unit) => isUnitLeft(unit) || unit.isKept);
  if (shown.length === 0) return null;
  return (
    <UndoTable
      title={texts.units}
      column={texts.unit}
      rows={shown
        .slice(0, most)
        .map(({ now, undone, isKept, currency }) => [
          <Item href={unitPath(now.development, now.name)} title={now.name || '—'} />,
          undone === null ? (
            texts.removed
          ) : (
            <Changes from={now} to={undone} currency={currency ?? undefined} />
          ),
          isKept && <span class="muted">{texts.unitChanged}</span>,
        ])}
      more={shown.length > most && texts.more({ count: shown.length - most })}
    />
  );
}
