import { DAY_SECONDS } from '../../lib/time/time.ts';
import { propertyTag, writeProperties } from '../../properties/api/write.ts';
import { readChanges } from '../../properties/store/history.ts';
import { type PastChange, type Undoing, undoingOf } from '../../properties/undo.ts';
import { definePage } from '../define-page.tsx';
import { ButtonForm } from '../frame/form.tsx';
import { ButtonLink, Item, TableCard } from '../frame/parts.tsx';
import { propertyPath, UNDO_DAYS } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import { actorOf } from '../visit.ts';
import { differencesOf } from './differences.ts';
import { readNames, titleOf } from './property.ts';

/** Properties that are written in one transaction. */
const PER_WRITE = 500;

/** Properties that a page shows. */
const SHOWN = 200;

type Undo = PastChange & Undoing;

/** What undoing a change would do, of one property or of several that were changed together: what was changed since stays. */
export const undo = definePage<readonly Undo[]>({
  find: async ({ c, db, account, now }) => {
    const { batch, id = '', change = '' } = c.req.query();
    const wanted = batch === undefined ? { property: id, change: Number(change) } : { batch };
    const changes = await readChanges(db, account.id, wanted, now - UNDO_DAYS * DAY_SECONDS);
    if (changes.length === 0 && batch === undefined) return null;
    return changes.map((one) => ({ ...one, ...undoingOf(one) }));
  },
  show: async (visitor, changes) => {
    const { common } = visitor;
    const texts = textsOf(visitor, 'undo');
    const names = await readNames(visitor);
    const left = changes.filter(({ patch }) => Object.keys(patch).length > 0);
    const shown = changes.filter(({ kept, patch }) => kept.length + Object.keys(patch).length > 0);
    // What somebody has changed since has a column of its own, if there is any.
    const isAllUndone = shown.every(({ kept }) => kept.length === 0);
    const rows = shown.slice(0, SHOWN).map(({ now, undone, after, before, kept }) => {
      const since = differencesOf(after, { ...after, ...pick(now, kept) }, names, visitor);
      return [
        <Item href={propertyPath(now.id)} title={titleOf(now, names) || now.ref} note={now.ref} />,
        differencesOf(now, undone, names, visitor).map((one) => (
          <div>
            {one.name}: <s>{one.before}</s> → <b>{one.after}</b>
          </div>
        )),
        kept.length > 0 && (
          <span class="muted">
            {before === null ? texts.workedOn : texts.keptBecause}
            {before !== null && since.map((one) => ` ${one.name}: ${one.after}.`)}
          </span>
        ),
      ];
    });
    return {
      title: left.length === 0 ? texts.nothing : texts.title({ count: left.length }),
      lead: texts.lead,
      content: (
        <>
          <TableCard
            title={common.properties}
            columns={[
              texts.property,
              texts.becomes,
              isAllUndone ? { hidden: texts.stays } : texts.stays,
            ]}
            rows={rows}
            more={shown.length > SHOWN && texts.more({ count: shown.length - SHOWN })}
            none={{ icon: 'check', text: texts.nothing }}
          />
          {left.length > 0 && (
            <ButtonForm buttons={[{ does: 'save', text: common.undo, kind: 'primary' }]} />
          )}
          {left.length === 0 && <ButtonLink href="/properties" text={common.properties} />}
        </>
      ),
    };
  },
  actions: {
    save: async (visitor, changes) => {
      const { c, account, now } = visitor;
      const left = changes.filter(({ patch }) => Object.keys(patch).length > 0);
      const refused: string[] = [];
      for (let start = 0; start < left.length; start += PER_WRITE) {
        const written = left.slice(start, start + PER_WRITE);
        const operations = written.map(({ now: document, patch }) => ({
          op: 'patch' as const,
          id: document.id,
          patch,
          if_match: propertyTag(document),
        }));
        const options = { actor: actorOf(visitor), atomic: false, now };
        const results = await writeProperties(c, account.id, operations, options);
        for (const [index, result] of results.entries())
          if ('problem' in result) refused.push(written[index]!.now.ref);
      }
      const kept = changes.filter((one) => one.kept.length > 0).map((one) => one.now.ref);
      const names = [...new Set([...refused, ...kept])].slice(0, 20);
      const [only] = changes;
      return {
        did: 'property.undone',
        with: changes.length === 1 ? only!.now.id : String(left.length),
        next: changes.length === 1 ? propertyPath(only!.now.id) : '/properties',
        flash: {
          kind: names.length > 0 ? 'warn' : 'good',
          messages: [
            { code: 'undone', values: { count: left.length - refused.length } },
            ...(names.length > 0 ? [{ code: 'notUndone' as const, values: { names } }] : []),
          ],
        },
      };
    },
  },
});

function pick<Value extends object>(value: Value, keys: readonly (keyof Value)[]): Partial<Value> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Partial<Value>;
}
