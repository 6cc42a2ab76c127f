import { writeThenInvalidate } from '../../feed/invalidation/invalidate.ts';
import { DAY_SECONDS } from '../../lib/time/time.ts';
import { ProblemError } from '../../problem.ts';
import { propertyTag, writeProperties } from '../../properties/api/write.ts';
import { readChanges } from '../../properties/store/history.ts';
import { type PastChange, type Undoing, undoingOf } from '../../properties/undo.ts';
import {
  readUnitChanges,
  removeUnits,
  type UnitUndoing,
  undoingOfUnit,
} from '../../units/batches.ts';
import type { Unit } from '../../units/units.ts';
import { definePage } from '../define-page.tsx';
import { UndoEnd, UndoTable } from '../frame/form.tsx';
import { Changed, Item } from '../frame/parts.tsx';
import { propertyPath, UNDO_DAYS, unitPath, unitsPath } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import { isUnitLeft, restoringWrite, UnitsUndone } from '../units/undone.tsx';
import { actorOf } from '../visit.ts';
import { differencesOf } from './differences.ts';
import { readNames, titleOf } from './property.ts';

/** Properties that are written in one transaction. */
const PER_WRITE = 500;

/** Properties that a page shows. */
const SHOWN = 200;

type Undo = PastChange & Undoing;

/** What was changed together, and what undoing that does. */
interface Undos {
  readonly properties: readonly Undo[];
  readonly units: readonly UnitUndoing[];
}

/** Whether undoing removes the property: listings of units that nobody has worked on go with their units. */
function isRemoved({ before, isTouched, now }: Undo): boolean {
  return before === null && !isTouched && now.unit !== null && now.status === 'Withdrawn';
}

const keyOf = ({ development, name }: Pick<Unit, 'development' | 'name'>) =>
  JSON.stringify([development, name]);

/** Whether it is all about units: listings are only those of units. */
function isOfUnits({ properties, units }: Undos): boolean {
  return units.length > 0 && properties.every(({ now }) => now.unit !== null);
}

const isLeft = (undo: Undo) => isRemoved(undo) || Object.keys(undo.patch).length > 0;

/** What undoing a change would do, of one property or of all that was changed together: what was changed since stays. */
export const undo = definePage<Undos>({
  find: async ({ c, db, account, now }) => {
    const { batch, id = '', change = '', development = '', unit } = c.req.query();
    const number = Number(change);
    const since = now - UNDO_DAYS * DAY_SECONDS;
    const [changes, changed] = await Promise.all([
      readChanges(db, account.id, batch ? { batch } : { property: id, change: number }, since),
      readUnitChanges(
        db,
        account.id,
        batch ? { batch } : { development, unit: unit ?? '', version: number },
        since,
      ),
    ]);
    if (changes.length + changed.length === 0 && !batch) return null;
    const properties = changes.map((one) => ({ ...one, ...undoingOf(one) }));
    const staying = new Set(
      properties
        .filter((one) => !isRemoved(one))
        .flatMap(({ now: { unit } }) => unit && keyOf(unit)),
    );
    const units = changed.map((one) => undoingOfUnit(one, staying.has(keyOf(one.now))));
    return { properties, units };
  },
  show: async (visitor, undos) => {
    const { properties, units } = undos;
    const { common } = visitor;
    const texts = textsOf(visitor, 'undo');
    const names = await readNames(visitor);
    const left = properties.filter(isLeft);
    const leftUnits = units.filter(isUnitLeft);
    const shown = properties.filter((one) => isLeft(one) || one.kept.length > 0);
    const rows = shown.slice(0, SHOWN).map((one) => {
      const { now, undone, after, before, kept } = one;
      const since = differencesOf(after, { ...after, ...pick(now, kept) }, names, visitor);
      return [
        <Item href={propertyPath(now.id)} title={titleOf(now, names) || now.ref} note={now.ref} />,
        isRemoved(one)
          ? texts.removed
          : differencesOf(now, undone, names, visitor).map((each) => <Changed {...each} />),
        kept.length > 0 && (
          <span class="muted">
            {before === null ? texts.workedOn : texts.keptBecause}
            {before !== null && since.map((one) => ` ${one.name}: ${one.after}.`)}
          </span>
        ),
      ];
    });
    const isNothing = left.length + leftUnits.length === 0;
    const title = isOfUnits(undos)
      ? texts.unitsTitle({ count: leftUnits.length })
      : texts.title({ count: left.length });
    return {
      title: isNothing ? texts.nothing : title,
      lead: texts.lead,
      content: (
        <>
          <UnitsUndone units={units} most={SHOWN} />
          {(rows.length > 0 || units.length === 0) && (
            <UndoTable
              title={common.properties}
              column={texts.property}
              rows={rows}
              more={shown.length > SHOWN && texts.more({ count: shown.length - SHOWN })}
            />
          )}
          <UndoEnd
            isLeft={!isNothing}
            href={pathAfter(undos)}
            text={isOfUnits(undos) ? common.developments : common.properties}
          />
        </>
      ),
    };
  },
  actions: {
    save: async (visitor, undos) => {
      const { properties, units } = undos;
      const { c, db, account, now } = visitor;
      const left = properties.filter(isLeft);
      const refused: string[] = [];
      const restored = units.filter(isUnitLeft).flatMap(restoringWrite);
      for (let start = 0; start === 0 || start < left.length; start += PER_WRITE) {
        const written = left.slice(start, start + PER_WRITE);
        const operations = written.map((one) => {
          const { id } = one.now;
          const how = { id, if_match: propertyTag(one.now) };
          return isRemoved(one)
            ? { op: 'delete' as const, purge: true, ...how }
            : { op: 'patch' as const, patch: one.patch, ...how };
        });
        const options = { actor: actorOf(visitor), atomic: false, now };
        const own = start === 0 ? restored : [];
        const results = await writeProperties(c, account.id, operations, {
          ...options,
          units: own,
        }).catch((error) => {
          if (error instanceof ProblemError) return null;
          throw error;
        });
        if (results === null) return { why: visitor.common.conflict, status: 412 };
        for (const [index, result] of results.entries())
          if ('problem' in result) refused.push(written[index]!.now.ref);
      }
      const created = units.filter(({ undone }) => undone === null).map((one) => one.now);
      const removing = removeUnits(db, account.id, created);
      const removed = await writeThenInvalidate(c, account.id, removing, (gone) => ({
        changed: gone.length > 0,
      }));
      const staying = created.map(({ name }) => name).filter((name) => !removed.includes(name));
      const keptUnits = units.filter(({ isKept }) => isKept).map((one) => one.now.name);
      const kept = properties.filter((one) => one.kept.length > 0).map((one) => one.now.ref);
      const all = new Set([...refused, ...kept, ...staying, ...keptUnits]);
      const names = [...all].slice(0, 20);
      const [only] = properties;
      const ofUnits = isOfUnits(undos);
      const count = ofUnits ? restored.length + removed.length : left.length - refused.length;
      return {
        did: ofUnits ? 'units.undone' : 'property.undone',
        with: !ofUnits && properties.length === 1 ? only!.now.id : String(count),
        next: pathAfter(undos),
        flash: {
          kind: names.length > 0 ? 'warn' : 'good',
          messages: [
            { code: ofUnits ? 'unitsUndone' : 'undone', values: { count } },
            ...(names.length > 0 ? [{ code: 'notUndone' as const, values: { names } }] : []),
          ],
        },
      };
    },
  },
});

/** The page about what was changed. */
function pathAfter(undos: Undos): string {
  const { properties, units } = undos;
  if (isOfUnits(undos)) {
    const { development, name } = units[0]!.now;
    return units.length === 1 ? unitPath(development, name) : unitsPath(development);
  }
  return properties.length === 1 ? propertyPath(properties[0]!.now.id) : '/properties';
}

function pick<Value extends object>(value: Value, keys: readonly (keyof Value)[]): Partial<Value> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Partial<Value>;
}
