import type { UnitStatus } from '../../api/units/schemas.ts';
import { listPropertyChanges, listUnitChanges, type PropertyChange } from '../../db/accounts/activity.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { formatMoney } from '../format.tsx';
import { propertyPath, unitPath } from '../paths.ts';
import { textOf } from '../texts/catalogue.ts';
import { HOME } from '../texts/texts.ts';
import type { Guest } from '../visit.ts';

/** Changes alike within these seconds are shown as one, if they are many. */
const TOGETHER_SECONDS = 300;
const MANY = 4;

/** Changes that are read for each that is shown, since many may be shown as one. */
const READ_FACTOR = 20;

/** The client of changes that are made in the console, in the history of units; a person's name follows. */
export const CONSOLE = 'console';

/** A change in words. */
export interface Change {
  readonly at: EpochSeconds;
  /** What was changed, and the page about it. */
  readonly subject: string;
  readonly href: string;
  /** The property that was changed; `null` for a unit that is none. */
  readonly identifier: string | null;
  readonly before: string;
  readonly after: string;
  /** Who made it; `null` if that is not known. */
  readonly who: string | null;
}

/** Which changes are asked for: by default those of all properties and units of an account. */
interface Wanted {
  /** Of a property: then no others, and no units. */
  readonly identifier?: string;
  /** Of a development: then only those of its units. */
  readonly development?: string;
  readonly days: number;
  readonly limit: number;
}

/** The last changes, newest first. */
export async function loadChanges(
  db: D1Database,
  accountId: number,
  guest: Guest,
  { identifier, development, days, limit }: Wanted,
): Promise<Change[]> {
  const since = guest.now - days * 86_400;
  const [properties, units] = await Promise.all([
    development === undefined ? listPropertyChanges(db, accountId, identifier ?? null, since, limit * READ_FACTOR) : [],
    identifier === undefined ? listUnitChanges(db, accountId, { development, since, limit: limit * READ_FACTOR }) : [],
  ]);
  const all = [
    ...properties.map((change) => propertyChange(change, guest)),
    ...units.map((change) => unitChange(change, guest)),
  ];
  const sorted = all.toSorted((a, b) => b.at - a.at);
  return (identifier === undefined ? grouped(sorted, guest) : sorted).slice(0, limit);
}

/** Changes alike that were made together, as by an import, are one. */
function grouped(changes: readonly Change[], { language }: Guest): Change[] {
  const groups = Map.groupBy(changes, ({ at, before, after, who }) =>
    JSON.stringify([Math.floor(at / TOGETHER_SECONDS), before, after, who]),
  );
  return [...groups.values()].flatMap((group) => {
    if (group.length < MANY) return group;
    const subject = HOME[language].severalListings({ count: group.length });
    return { ...group[0]!, subject, href: '/properties?order=changed', identifier: null };
  });
}

function propertyChange(change: PropertyChange, guest: Guest): Change {
  const { texts } = guest;
  const inWords = (value: string | null) => {
    if (change.field === 'status') return textOf(texts.statuses, value ?? '');
    return value === null ? texts.onRequest : formatMoney(Number(value), change.currency, guest.language);
  };
  const period = {
    sale_price: '',
    monthly_rent: texts.aMonth,
    low_season_rent: texts.aWeek,
    high_season_rent: texts.aWeek,
    status: '',
  };
  return {
    at: change.changedAt,
    subject: [change.reference, change.town].filter(Boolean).join(', '),
    href: propertyPath(change.identifier),
    identifier: change.identifier,
    before: inWords(change.before),
    after: `${inWords(change.after)} ${period[change.field]}`.trim(),
    who: change.person,
  };
}

type UnitChange = Awaited<ReturnType<typeof listUnitChanges>>[number];

function unitChange(change: UnitChange, guest: Guest): Change {
  const { texts, language } = guest;
  const pairs: [string, string][] = [
    [texts.unitStatuses[change.fromStatus as UnitStatus], texts.unitStatuses[change.toStatus as UnitStatus]],
    [
      formatMoney(change.fromPrice, change.currency ?? '', language),
      formatMoney(change.toPrice, change.currency ?? '', language),
    ],
  ];
  const changed = pairs.filter(([before, after]) => before !== after);
  return {
    at: change.changedAt,
    subject: `${change.developmentName} ${change.name}`,
    href: unitPath(change.development, change.name),
    identifier: change.identifier,
    before: changed.map(([before]) => before).join(', '),
    after: changed.map(([, after]) => after).join(', '),
    who: personOf(change.clientId),
  };
}

/** The name of whoever made a change of a unit: a person of the console or a client; empty for the account's password. */
export function personOf(clientId: string): string {
  return clientId === CONSOLE ? '' : clientId.startsWith(`${CONSOLE}:`) ? clientId.slice(CONSOLE.length + 1) : clientId;
}
