import {
  listPropertyChanges,
  listUnitChanges,
  type PropertyChange,
  type UnitChange,
} from '../../accounts/activity.ts';
import { actorIn, clientIdOf } from '../../accounts/actor.ts';
import { DAY_SECONDS, type EpochSeconds } from '../../lib/time/time.ts';
import { formatMoney } from '../format.ts';
import { Logos, type PortalLogo } from '../frame/icon.tsx';
import { Ago, Card, type CardProps } from '../frame/parts.tsx';
import { propertyPath, UNDO_DAYS, unitPath, unitUndoPath, withQuery } from '../paths.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import { stateOf, UNIT_FIELDS, type UnitState } from '../units/form.ts';
import { type Guest, useGuest, useTexts, type Visitor } from '../visit.ts';

/** Similar changes within this time are shown as one, if there are at least `MIN_TOGETHER`. */
const TOGETHER_SECONDS = 300;
const MIN_TOGETHER = 4;

/** Changes that are read for each that is shown, since many may be shown as one. */
const READ_FACTOR = 20;

/** A change in words, with the page about what was changed. */
export interface Change {
  readonly at: EpochSeconds;
  readonly subject: string;
  readonly href: string;
  /** The identifier of the property, or of the unit's property. */
  readonly identifier: string | null;
  readonly before: string;
  readonly after: string;
  /** The name of who made it; `null` for the account's password. */
  readonly who: string | null;
  /** The page that undoes it, for a month. */
  readonly undo?: string | undefined;
  /** The portals, and whether they were sent it. */
  readonly logos?: readonly PortalLogo[];
}

/** Which changes are requested: of a property, of the units of a development, or of everything that an account has. */
type Wanted = { identifier?: string; development?: string; days: number; limit: number };

/** The last changes, newest first. */
export async function loadChanges(visitor: Visitor, wanted: Wanted): Promise<Change[]> {
  const { db, account, now } = visitor;
  const { identifier, development, days, limit: shown } = wanted;
  const since = now - days * DAY_SECONDS;
  const limit = shown * READ_FACTOR;
  const [properties, units] = await Promise.all([
    development === undefined
      ? listPropertyChanges(db, account.id, identifier ?? null, since, limit)
      : [],
    listUnitChanges(db, account.id, development ?? null, identifier ?? null, since, limit),
  ]);
  const all = [
    ...properties.map((change) => propertyChange(change, visitor)),
    ...units.map((change) => unitChange(change, visitor)),
  ].toSorted((a, b) => b.at - a.at);
  return (identifier === undefined ? grouped(all, visitor) : all).slice(0, shown);
}

/** Combines similar changes that were made together, as by an import. */
function grouped(changes: readonly Change[], { language }: Guest): Change[] {
  const groups = Map.groupBy(changes, ({ at, before, after, who }) =>
    JSON.stringify([Math.floor(at / TOGETHER_SECONDS), before, after, who]),
  );
  return [...groups.values()].flatMap((group) => {
    if (group.length < MIN_TOGETHER) return group;
    const subject = textsOf({ language }, 'home').severalListings({ count: group.length });
    return { ...group[0]!, subject, href: '/properties?order=changed', identifier: null };
  });
}

function propertyChange(change: PropertyChange, visitor: Visitor): Change {
  const { common, language } = visitor;
  const { identifier, reference, town, field, currency } = change;
  const inWords = (value: string | number | null) => {
    if (field === 'status') return textOf(common.statuses, String(value));
    return value === null ? common.onRequest : formatMoney(Number(value), currency, language);
  };
  const periods = {
    monthly_rent: common.aMonth,
    low_season_rent: common.aWeek,
    high_season_rent: common.aWeek,
  };
  return {
    at: change.changedAt,
    subject: [reference, town].filter(Boolean).join(', '),
    href: propertyPath(identifier),
    identifier,
    before: inWords(change.before),
    after: `${inWords(change.after)} ${textOf(periods, field, '')}`.trim(),
    who: whoMade(change),
    undo: isUndoable(change, visitor)
      ? withQuery('/undo', { id: identifier, change: String(change.change) })
      : undefined,
  };
}

/** Whether the visitor can undo a change. */
function isUndoable(
  { changedAt }: { readonly changedAt: EpochSeconds },
  visitor: Visitor,
): boolean {
  return visitor.isEditor && changedAt > visitor.now - UNDO_DAYS * DAY_SECONDS;
}

/** A change of a unit: what it changed, as it was and as it is. */
export function unitChange({ from, to, ...change }: UnitChange, guest: Visitor): Change {
  const before = stateOf(from, change.currency ?? undefined, guest);
  const after = stateOf(to, change.currency ?? undefined, guest);
  const changed = UNIT_FIELDS.filter((field) => before[field] !== after[field]);
  const inWords = (state: UnitState) => changed.map((field) => state[field] || '—').join(', ');
  return {
    at: change.changedAt,
    subject: `${change.developmentName} ${change.name}`,
    href: unitPath(change.development, change.name),
    identifier: change.identifier,
    before: inWords(before),
    after: inWords(after),
    who: whoMade(change),
    undo: isUndoable(change, guest)
      ? unitUndoPath(change.development, change.name, change.version)
      : undefined,
  };
}

/** The name of a person, a client, a source or the operator; `null` for the account's password, which says nothing of people. */
function whoMade({ actor: stored }: { readonly actor: string }): string | null {
  const actor = actorIn(stored);
  if ('name' in actor) return actor.name;
  return actor.kind === 'account' ? null : clientIdOf(actor);
}

/** `none` is shown if there are no changes; `isOfOne` says that all of them are about the subject of the page. */
interface ChangesProps extends CardProps {
  readonly none: string;
  readonly noneWhy: string;
  readonly changes: readonly Change[];
  readonly isOfOne?: true;
}

/** Changes as a time line. */
export function ChangesCard(props: ChangesProps) {
  const { title, more, none, noneWhy, changes, isOfOne } = props;
  const texts = useTexts('home');
  const { common } = useGuest();
  const portalsHave = (logos: readonly PortalLogo[]) =>
    texts.portalsHave({ some: logos.filter(({ isOff }) => !isOff).length, all: logos.length });
  return (
    <Card
      title={title}
      id="changes"
      more={more}
      empty={changes.length === 0 && { icon: 'clock', text: none, why: noneWhy }}
    >
      <ol class="timeline">
        {changes.map(({ at, subject, href, before, after, who, undo, logos = [] }) => (
          <li>
            <Ago seconds={at} />
            <div>
              {!isOfOne && (
                <a href={href}>
                  <b>{subject}</b>
                </a>
              )}{' '}
              {before} → <b>{after}</b> {who && <span class="muted">{texts.by({ who })}</span>}{' '}
              {isOfOne && undo && (
                <a class="small" href={undo}>
                  {common.undo}
                </a>
              )}
              <div>{logos.length > 0 && <Logos logos={logos} label={portalsHave(logos)} />}</div>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
