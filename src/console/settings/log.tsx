import {
  type ActivityFilter,
  BATCH_FIELD,
  LISTING_FIELD,
  type ListedActivity,
  listActivity,
  listActors,
  switchIn,
} from '../../accounts/activity.ts';
import type { Detail } from '../../db/schema.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { DAY_SECONDS, isoDate, isoTime, toSeconds } from '../../lib/time/time.ts';
import { startOfDay } from '../../lib/time/zones.ts';
import { RULES } from '../../rules/all.ts';
import { PORTALS } from '../../rules/portals.ts';
import { formatClock, formatDayName, formatTime } from '../format.ts';
import { Input } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Changed } from '../frame/parts.tsx';
import type { Handle } from '../pages.tsx';
import { movePath, propertyPath, UNDO_DAYS, undoPath, withQuery } from '../paths.ts';
import { fieldText } from '../properties/differences.ts';
import { textOf, textsOf, translated } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';

const PATH = '/settings/log';

/** The most entries that a page shows, and the most fields of each that are shown at once. */
const ENTRIES = 50;
const DETAILS = 5;

/** The parameters that an account states for all portals. */
const PARAMETERS = FORMATS.flatMap(({ feedParameters, accountParameters = [] }) =>
  feedParameters.filter(({ name }) => accountParameters.includes(name)),
);

/** Everybody, in the choice of a person; the account's password has no name. */
const EVERYBODY = '*';

/** Who did what, with the values before and after, of everybody or a person, at any time or on a day. */
export async function showLog(visitor: Visitor): Promise<Page> {
  const { c, db, account, common, timeZone } = visitor;
  const texts = textsOf(visitor, 'settings');
  const { who = EVERYBODY, day: given = '', before } = c.req.query();
  const isDay = /^\d{4}-\d\d-\d\d$/.test(given) && Number.isFinite(toSeconds(given));
  const day = isDay ? given : '';
  const filter: ActivityFilter = {
    person: who === EVERYBODY ? undefined : who,
    before: Number(before) || undefined,
    ...(isDay && {
      from: startOfDay(day, timeZone),
      to: startOfDay(isoDate(toSeconds(day) + DAY_SECONDS), timeZone),
    }),
  };
  const [found, people] = await Promise.all([
    listActivity(db, account.id, ENTRIES + 1, filter),
    listActors(db, account.id),
  ]);
  const entries = found.slice(0, ENTRIES);
  const isFiltered = isDay || who !== EVERYBODY;
  const named = people.map((name) => [name, name || texts.agencyPerson] as const);
  const last = entries.at(-1);
  const words = wordsOf(visitor);
  const days = Map.groupBy(entries, ({ happenedAt }) => formatDayName(happenedAt, visitor));
  return {
    title: texts.log,
    lead: texts.logLead,
    content: (
      <>
        <form class="bar" action={PATH}>
          <Input
            name="who"
            label={texts.logPerson}
            options={[[EVERYBODY, texts.everybody], ...named]}
            value={who}
          />
          <Input name="day" label={texts.logDay} type="date" value={day} />
          <Button text={texts.show} />
          {isFiltered && <ButtonLink href={PATH} text={common.showAll} />}
        </form>
        {entries.length === 0 && (
          <p class="muted">{isFiltered ? texts.nothingThen : texts.nobody}</p>
        )}
        {[...days].map(([name, ofDay]) => (
          <Card title={name}>
            <ol class="timeline by-day">
              {ofDay.map((entry) => (
                <Entry entry={entry} words={words} />
              ))}
            </ol>
          </Card>
        ))}
        {last !== undefined && found.length > ENTRIES && (
          <ButtonLink
            href={withQuery(PATH, { who, day, before: String(last.id) })}
            text={texts.earlier}
          />
        )}
      </>
    ),
  };
}

/** A page at whose address the log was before: a query that asks for entries of it leads to them. */
export function orLog(show: Handle): Handle {
  return async (visitor) => {
    const { who, day } = visitor.c.req.query();
    const isLog = who !== undefined || day !== undefined;
    return isLog ? visitor.c.redirect(withQuery(PATH, { who, day }), 301) : show(visitor);
  };
}

function Entry({ entry, words }: { readonly entry: ListedActivity; readonly words: Words }) {
  const visitor = useVisitor();
  const texts = useTexts('settings');
  const { happenedAt, person, action, subject, details } = entry;
  const all = (details ?? []).filter(([field]) => field !== BATCH_FIELD);
  const more = all.slice(DETAILS);
  const isListing = action === 'property.changed';
  return (
    <li>
      <time datetime={isoTime(happenedAt)} title={formatTime(happenedAt, visitor)}>
        {formatClock(happenedAt, visitor)}
      </time>
      <div>
        <b>{person || texts.agencyPerson}</b> {textOf(texts.actions, action)}{' '}
        {isListing ? <a href={propertyPath(subject)}>{subject}</a> : subject}
        {all.slice(0, DETAILS).map((detail) => (
          <ChangedField detail={detail} words={words} />
        ))}
        {more.length > 0 && (
          <details class="small">
            <summary>{texts.moreDetails({ count: more.length })}</summary>
            {more.map((detail) => (
              <ChangedField detail={detail} words={words} />
            ))}
          </details>
        )}{' '}
        <UndoLink entry={entry} />
      </div>
    </li>
  );
}

/** The way to undo a change of several listings, as long as that can be undone. */
function UndoLink({ entry: { action, details, happenedAt } }: { readonly entry: ListedActivity }) {
  const { now, isEditor, common } = useVisitor();
  const all = details ?? [];
  const batch = all.find(([field]) => field === BATCH_FIELD)?.[2];
  const moved = action === 'properties.portal' ? all.flatMap((one) => switchIn(one) ?? []) : [];
  const [first] = moved;
  const ids = moved.map(({ identifier }) => identifier);
  const path = batch ? undoPath(batch) : first && movePath(first.portal, !first.isOn, ids);
  if (!isEditor || path === undefined || happenedAt < now - UNDO_DAYS * DAY_SECONDS) return null;
  return (
    <a class="small" href={path}>
      {common.undo}
    </a>
  );
}

/** A field with its values before and after, codes of which are in words. */
function ChangedField({ detail, words }: { readonly detail: Detail; readonly words: Words }) {
  const [, before, after] = detail;
  const inWords = (value: string | null) =>
    value
      ? value
          .split(', ')
          .map((one) => textOf(words, one))
          .join(', ')
      : '—';
  const name = <FieldName detail={detail} />;
  return <Changed isQuiet name={name} before={inWords(before)} after={inWords(after)} />;
}

type Words = Readonly<Record<string, string>>;

/** What the codes in the values of settings are called. */
function wordsOf({ language, common }: Visitor): Words {
  const { values, scopes, events } = textsOf({ language }, 'settings');
  const { everyOptions, days } = textsOf({ language }, 'imports');
  const rules = RULES.map((rule) => [
    rule.code,
    translated(language, 'rules', rule.code, rule).fix,
  ]);
  return {
    ...Object.fromEntries(rules),
    ...PORTALS,
    ...common.statuses,
    ...everyOptions,
    ...days,
    ...scopes,
    ...events,
    ...values,
  };
}

/** What a field of the log is called: a portal, a listing, a setting, a parameter, or a field of the form of a property. */
function FieldName({ detail }: { readonly detail: Detail }) {
  const visitor = useVisitor();
  const { language } = visitor;
  const texts = useTexts('settings');
  const [field] = detail;
  const moved = switchIn(detail);
  if (moved) return <>{[moved.identifier, moved.portal].filter(Boolean).join(', ')}</>;
  if (field.startsWith(LISTING_FIELD)) {
    const id = field.slice(LISTING_FIELD.length);
    return <a href={propertyPath(id)}>{id}</a>;
  }
  const parameter = PARAMETERS.find(({ name }) => name === field);
  if (parameter) return <>{translated(language, 'parameters', field, parameter).label}</>;
  return <>{textOf(texts.logFields, field, '') || fieldText(field, visitor)}</>;
}
