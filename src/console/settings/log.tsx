import {
  type Activity,
  type ActivityFilter,
  BATCH_FIELD,
  listActivity,
  listActors,
  switchIn,
} from '../../accounts/activity.ts';
import type { Detail } from '../../db/schema.ts';
import { DAY_SECONDS, type EpochSeconds, isoDate, toSeconds } from '../../lib/time/time.ts';
import { startOfDay } from '../../lib/time/zones.ts';
import { Input } from '../frame/form.tsx';
import { Ago, Button, ButtonLink, Card } from '../frame/parts.tsx';
import { movePath, propertyPath, UNDO_DAYS, undoPath } from '../paths.ts';
import { fieldText } from '../properties/differences.ts';
import { textOf } from '../texts/texts.ts';
import { useTexts, useVisitor, type Visitor } from '../visit.ts';

/** The most entries that are shown. */
const ENTRIES = 50;

/** Details of an entry that are shown without unfolding the rest. */
const DETAILS_SHOWN = 5;

/** What is shown of the log of what people did. */
export interface Log {
  readonly entries: Awaited<ReturnType<typeof listActivity>>;
  readonly people: readonly string[];
  /** The person and the day that were asked for, as a query has them. */
  readonly who: string | undefined;
  readonly day: string | undefined;
}

/** Everybody, in the choice of a person; the account's password has no name. */
const EVERYBODY = '*';

/** The entries of the log that the query asks for: of a person, of a day. */
export async function loadLog({ c, db, account, timeZone }: Visitor): Promise<Log> {
  const { who, day } = c.req.query();
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day ?? '') && Number.isFinite(toSeconds(day!));
  const filter: ActivityFilter = {
    person: who === EVERYBODY ? undefined : who,
    ...(isDay && {
      from: startOfDay(day!, timeZone),
      to: startOfDay(isoDate(toSeconds(day!) + DAY_SECONDS), timeZone),
    }),
  };
  const [entries, people] = await Promise.all([
    listActivity(db, account.id, ENTRIES, filter),
    listActors(db, account.id),
  ]);
  return { entries, people, who, day: isDay ? day : undefined };
}

/** Who did what, with the values before and after, of a person or a day. */
export function LogCard({ log: { entries, people, who, day } }: { readonly log: Log }) {
  const texts = useTexts('settings');
  const isFiltered = day !== undefined || (who ?? EVERYBODY) !== EVERYBODY;
  const none = { icon: 'clock', text: isFiltered ? texts.nothingThen : texts.nobody } as const;
  const named = people.map((name) => [name, name || texts.agencyPerson] as const);
  return (
    <Card title={texts.log} id="log">
      <form class="bar" action="/settings#log">
        <Input
          name="who"
          label={texts.logPerson}
          options={[[EVERYBODY, texts.everybody], ...named]}
          value={who ?? EVERYBODY}
        />
        <Input name="day" label={texts.logDay} type="date" value={day ?? ''} />
        <Button text={texts.show} />
        {isFiltered && <ButtonLink href="/settings#log" text={texts.showAll} />}
      </form>
      {entries.length === 0 && <p class="muted">{none.text}</p>}
      <ol class="timeline">
        {entries.map(({ happenedAt, person, action, subject, details }) => (
          <li>
            <Ago seconds={happenedAt} />
            <div>
              <b>{person || texts.agencyPerson}</b> {textOf(texts.actions, action)}{' '}
              {action === 'property.changed' ? (
                <a href={propertyPath(subject)}>{subject}</a>
              ) : (
                subject
              )}
              <Details details={details ?? []} />
              <UndoLink action={action} details={details ?? []} at={happenedAt} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Details({ details }: { readonly details: readonly Detail[] }) {
  const texts = useTexts('properties');
  const all = details
    .filter(([field]) => field !== BATCH_FIELD)
    .map((detail) => <Changed detail={detail} />);
  const rest = all.slice(DETAILS_SHOWN);
  return (
    <>
      {all.slice(0, DETAILS_SHOWN)}
      {rest.length > 0 && (
        <details class="small">
          <summary>{texts.more({ count: rest.length })}</summary>
          {rest}
        </details>
      )}
    </>
  );
}

interface UndoProps extends Pick<Activity, 'action'> {
  readonly details: readonly Detail[];
  readonly at: EpochSeconds;
}

/** The way to undo a change of several listings, as long as that can be undone. */
function UndoLink({ action, details, at }: UndoProps) {
  const { now, isEditor, common } = useVisitor();
  const batch = details.find(([field]) => field === BATCH_FIELD)?.[2];
  const moved = action === 'properties.portal' ? details.flatMap((one) => switchIn(one) ?? []) : [];
  const [first] = moved;
  const ids = moved.map(({ identifier }) => identifier);
  const path = batch ? undoPath(batch) : first && movePath(first.portal, !first.isOn, ids);
  if (!isEditor || path === undefined || at < now - UNDO_DAYS * DAY_SECONDS) return null;
  return (
    <a class="small" href={path}>
      {common.undo}
    </a>
  );
}

/** A field with its values before and after. */
function Changed({ detail }: { readonly detail: Detail }) {
  const visitor = useVisitor();
  const texts = useTexts('settings');
  const [field, before, after] = detail;
  const moved = switchIn(detail);
  const name = moved
    ? [moved.identifier, moved.portal].filter(Boolean).join(', ')
    : textOf(texts.logFields, field, '');
  const inWords = (value: string | null) =>
    textOf({ ...visitor.common.statuses, ...texts.positions }, value ?? '') || '—';
  return (
    <div class="small muted">
      {name || fieldText(field, visitor)}: {inWords(before)} → {inWords(after)}
    </div>
  );
}
