import { readFormatSettings } from '../../db/accounts/formats.ts';
import { type ListedRow, listProperties } from '../../db/feed/listings.ts';
import { listDeliveries } from '../../db/readers/deliveries.ts';
import type { Reader } from '../../db/readers/readers.ts';
import type { FormatSettings } from '../../db/schema.ts';
import { isoTime } from '../../lib/time/time.ts';
import { policyIn } from '../../portfolio/policy.ts';
import { presetValues, valueText } from '../feed/parameters.tsx';
import { Ago, formatAgo, formatDay, formatDuration, formatNumber } from '../format.tsx';
import { Days, lastDays } from '../frame/days.tsx';
import {
  Button,
  ButtonLink,
  Card,
  Chip,
  Facts,
  type Figure,
  Figures,
  Links,
  Notice,
  type Todo,
  Todos,
} from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { may, notFoundPage } from '../guards.tsx';
import { portalPath, propertyPath, query } from '../paths.ts';
import { loadReport } from '../report/load.ts';
import { pageOf, type Visit } from '../subject.tsx';
import { textOf } from '../texts/catalogue.ts';
import { FEED, HOME, PORTAL_TEXTS } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor } from '../visit.ts';
import { findPortal, formatName } from './catalogue.ts';
import { findPortalReader, pausing } from './change.tsx';
import { type LeftOut, leftOutOf, type PortalView, portalView, STATE_TONES } from './portal.ts';
import { withRefused } from './refused.ts';

/** Days of visits that are kept. */
const DAYS_SHOWN = 90;

/** Properties that are looked at to say what is left out. */
const MAX_PROPERTIES = 20_000;

/** Seconds after which a page that waits for a first visit looks again. */
const REFRESH_SECONDS = 20;

/** What can have been done when the page of a portal is shown. */
const DONE = ['saved', 'pausedDone', 'resumedDone'] as const;

/** A portal: how it comes, what it gets, and what is left out and why. */
export const portal = pageOf({
  find: findPortalReader,
  show: portalPage,
  actions: { pause: pausing(true), resume: pausing(false) },
});

async function portalPage({ c, visitor, subject }: Visit<Reader>): Promise<Page> {
  const { account, language, now } = visitor;
  const { DB } = c.env;
  const { rules } = findPortal(subject.portal);
  const [feeds, { rows }, report, settings] = await Promise.all([
    listDeliveries(DB, account.id, [subject.name]),
    listProperties(DB, account.id, { order: 'changed' }, 0, MAX_PROPERTIES),
    loadReport(c, visitor, rules === null ? {} : { portal: rules }),
    readFormatSettings(DB, account.id),
  ]);
  const [portal] = await withRefused(c, visitor, [portalView(subject, feeds, now)], rows);
  if (portal === undefined) return notFoundPage(visitor);
  const texts = PORTAL_TEXTS[language];
  const groups = Map.groupBy(rows, (row) => leftOutOf(portal, row));
  const listed = groups.get(null)?.length ?? 0;
  groups.delete(null);
  const done = DONE.find((one) => one === c.req.query('done'));
  const { title, state, lastVisit, usualInterval } = portal;
  const when = lastVisit === null ? '' : formatAgo(lastVisit, now, language);
  const [full, unchanged] = portal.days[isoTime(now).slice(0, 10)] ?? [0, 0];
  const figures: Figure[] = [
    {
      ...{ id: 'sent', name: texts.sent, value: formatNumber(listed, language), note: texts.of({ all: rows.length }) },
      href: `/properties?${query({ portal: portal.name })}`,
    },
    { id: 'left-out', name: texts.leftOut, value: formatNumber(rows.length - listed, language) },
    {
      ...{ id: 'to-fix', name: texts.toFixFigure, value: formatNumber(report?.withErrors ?? 0, language) },
      href: `/report?${query({ portal: rules ?? undefined })}`,
    },
    {
      ...{ id: 'visits', name: texts.visitsToday, value: formatNumber(full + unchanged, language) },
      ...(usualInterval !== null && { note: texts.every({ interval: formatDuration(usualInterval, language) }) }),
    },
  ];
  return {
    title: texts.headings[state]({ title, when }),
    lead: (
      <>
        <Chip tone={STATE_TONES[state]}>{HOME[language].states[state]}</Chip> {texts.leads[state]}
      </>
    ),
    actions: <Actions portal={portal} />,
    notice: done && <Notice kind="good">{texts[done]}</Notice>,
    content: (
      <div class="stack" data-refresh={state === 'never' ? REFRESH_SECONDS : undefined}>
        <Figures figures={figures} />
        <Deliveries portal={portal} />
        <div class="columns">
          <WhyLeftOut leftOut={groups as Map<LeftOut, ListedRow[]>} portal={portal} />
          <Contents portal={portal} settings={settings} />
        </div>
        {may(visitor, 'editor') && (
          <p>
            <a class="small" href={`/portals/disconnect?${query({ name: portal.name })}`}>
              {texts.disconnect}
            </a>
          </p>
        )}
      </div>
    ),
  };
}

interface Props {
  readonly portal: PortalView;
}

function Actions({ portal: { name, reader } }: Props) {
  const visitor = useVisitor();
  const texts = useTexts(PORTAL_TEXTS);
  return (
    <>
      <ButtonLink href={`/feed?${query({ portal: name })}`} icon="eye">
        {texts.previewButton}
      </ButtonLink>
      {may(visitor, 'editor') && (
        <>
          <ButtonLink href={`/portals/key?${query({ name })}`} icon="key">
            {texts.newKey}
          </ButtonLink>
          <form method="post" action={portalPath(name)}>
            <Button icon={reader.disabled ? 'play' : 'pause'} name="do" value={reader.disabled ? 'resume' : 'pause'}>
              {reader.disabled ? texts.resume : texts.pause}
            </Button>
          </form>
        </>
      )}
    </>
  );
}

function Deliveries({ portal }: Props) {
  const { language, now } = useVisitor();
  const texts = useTexts(PORTAL_TEXTS);
  const days = lastDays(portal.days, isoTime(now).slice(0, 10), DAYS_SHOWN);
  const visited = days.filter(({ visits }) => visits > 0);
  const dayName = (date: string) => formatDay(Date.parse(date) / 1_000, now, language);
  return (
    <Card title={texts.deliveries} more={texts.days({ count: DAYS_SHOWN })}>
      <Days
        days={days}
        label={texts.daysLabel({ visited: visited.length, count: DAYS_SHOWN })}
        titleOf={({ date }) => {
          const [full, unchanged] = portal.days[date] ?? [0, 0];
          return texts.day({ date: dayName(date), full, unchanged });
        }}
      />
      <p class="ends small muted">
        <span>{dayName(days[0]!.date)}</span>
        <span>{texts.today}</span>
      </p>
      {visited.length === 0 ? (
        <p class="muted">{texts.noVisits}</p>
      ) : (
        <details>
          <summary>{texts.dayList}</summary>
          <Table
            label={texts.dayList}
            columns={[[texts.dayDate], [texts.dayFull, 'num'], [texts.daySame, 'num']]}
            rows={visited.toReversed().map(({ date }) => {
              const counts = portal.days[date] ?? [];
              return [dayName(date), ...counts.map((count) => formatNumber(count, language))];
            })}
          />
        </details>
      )}
    </Card>
  );
}

/** Identifiers that are named for each reason. */
const NAMED = 4;

function WhyLeftOut({ leftOut, portal }: Props & { readonly leftOut: ReadonlyMap<LeftOut, ListedRow[]> }) {
  const texts = useTexts(PORTAL_TEXTS);
  const { rules } = findPortal(portal.portal);
  const items = [...leftOut].map(([reason, rows]): Todo => {
    const names = rows.map(({ identifier }) => [identifier, propertyPath(identifier)] as const);
    const report = <ButtonLink href={`/report?${query({ portal: rules ?? undefined })}`}>{texts.seeReport}</ButtonLink>;
    return {
      icon: 'info',
      tone: reason === 'refused' ? 'warn' : 'info',
      text: texts.reasons[reason]({ count: rows.length }),
      why: <Links links={names.slice(0, NAMED)} hasMore={rows.length > NAMED} />,
      action: reason === 'refused' && report,
    };
  });
  return (
    <Card
      title={texts.why}
      flush
      empty={
        items.length === 0 && { icon: 'check', tone: 'good', text: texts.nothingLeftOut, why: texts.nothingLeftOutWhy }
      }
    >
      <Todos items={items} />
    </Card>
  );
}

function Contents({ portal, settings }: Props & { readonly settings: FormatSettings }) {
  const { name, reader, format } = portal;
  const visitor = useVisitor();
  const { language } = visitor;
  const texts = useTexts(PORTAL_TEXTS);
  // What the preset says takes precedence over what the account has stated.
  const given = { ...presetValues(settings[format.name] ?? ''), ...presetValues(reader.preset) };
  const { kind } = policyIn(reader.policy);
  const chosen = format.feedParameters.flatMap((parameter) => {
    const value = given[parameter.name];
    const question = textOf(FEED[language].questions, parameter.name);
    return value === undefined ? [] : [[question, valueText(parameter, value, language)] as const];
  });
  return (
    <Card
      title={texts.contents}
      more={may(visitor, 'editor') && <a href={`/portals/contents?${query({ name })}`}>{texts.change}</a>}
    >
      <Facts
        kind="tall"
        facts={[
          [texts.format, formatName(format, reader.preset, language)],
          ...(chosen.length === 0 ? [[texts.contents, texts.usual] as const] : chosen),
          [texts.selection, reader.channel ?? texts.allProperties],
          [texts.kindLabel, kind === null ? texts.anyKind : texts.kinds[kind]],
          [texts.keys, formatNumber(reader.keys, language)],
          [texts.connected, <Ago seconds={reader.createdAt} />],
        ]}
      />
      {reader.fixed && <p class="muted">{texts.fixed}</p>}
    </Card>
  );
}
