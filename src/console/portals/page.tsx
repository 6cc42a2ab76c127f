import type { Child } from 'hono/jsx';
import { readSetting } from '../../accounts/accounts.ts';
import type { FormatSettings } from '../../db/schema.ts';
import { isoDate, toSeconds } from '../../lib/time/time.ts';
import { type ListedRow, listAll } from '../../properties/store/listings.ts';
import { listDeliveries } from '../../readers/deliveries.ts';
import { policyIn } from '../../readers/policy.ts';
import type { Reader } from '../../readers/readers.ts';
import { COUNTED_DAYS, listVisits, type RecordedVisit } from '../../readers/visits.ts';
import { definePage } from '../define-page.tsx';
import { presetValues, valueText } from '../feed/parameters.tsx';
import { formatDay, formatDuration, formatNumber, formatWhen } from '../format.ts';
import { Days, lastDays } from '../frame/days.tsx';
import { ActionCard, ButtonForm, Choice, Deletion } from '../frame/form.tsx';
import { Logo } from '../frame/icon.tsx';
import {
  Ago,
  ButtonLink,
  Card,
  Chip,
  Facts,
  Figures,
  Item,
  TableCard,
  type Todo,
  Todos,
} from '../frame/parts.tsx';
import { portalPath, withQuery } from '../paths.ts';
import { type Names, readNames } from '../properties/property.ts';
import { loadReport, whenChecked } from '../report/load.ts';
import { textOf, textsOf, translated } from '../texts/texts.ts';
import { type Page, useGuest, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { findPortal, formatName } from './catalogue.ts';
import { findPortalReader, portalActions } from './change.tsx';
import { ChangesCard, loadChanges } from './history.tsx';
import {
  type LeftOut,
  leftOutOf,
  loadPortals,
  type PortalView,
  portalView,
  STATE_TONES,
  withRefused,
} from './portal.ts';
import { rulesText } from './selection.tsx';
import { VisitTable } from './visits.tsx';

const DAYS_LISTED = 30;

/** The portals of an account with their visits. */
export async function showPortals(visitor: Visitor): Promise<Page> {
  const { isEditor } = visitor;
  const texts = textsOf(visitor, 'portals');
  const portals = await loadPortals(visitor);
  const connect = isEditor && (
    <ButtonLink href="/portals/connect" icon="plus" kind="primary" text={texts.connect} />
  );
  const none = { icon: 'portals', text: texts.none, why: texts.lead, action: connect } as const;
  return {
    title: portals.length === 0 ? texts.none : texts.title({ count: portals.length }),
    lead: texts.lead,
    actions: (
      <>
        <ButtonLink href="/feed" icon="eye" text={texts.preview} />
        {portals.length > 0 && connect}
      </>
    ),
    content: <PortalsCard portals={portals} none={none} />,
  };
}

/** The portals with their visits of the last days. */
export function PortalsCard({
  portals,
  none,
  more,
}: {
  portals: readonly PortalView[];
  none: Todo;
  more?: Child;
}) {
  const { language, now } = useGuest();
  const texts = useTexts('home');
  const today = isoDate(now);
  return (
    <TableCard
      title={texts.portals}
      none={none}
      more={more}
      columns={[texts.portal, texts.lastDays, texts.lastVisit, { numbers: texts.state }]}
      rows={portals.map((portal) => {
        const { name, title, format, reader, lastVisit, state } = portal;
        const days = lastDays(portal.days, today, DAYS_LISTED);
        const visited = days.filter(({ visits }) => visits > 0).length;
        return [
          <Item
            picture={<Logo of={portal} />}
            href={portalPath(name)}
            title={title}
            note={formatName(format, reader.preset, language)}
          />,
          <Days days={days} label={texts.days({ title, visited })} />,
          lastVisit !== null && <Ago seconds={lastVisit} />,
          <Chip tone={STATE_TONES[state]}>{texts.states[state]}</Chip>,
        ];
      })}
    />
  );
}

/** Visits that a portal's page shows. */
const VISITS_SHOWN = 5;

/** Seconds after which a page that waits for a first visit looks again. */
const REFRESH_SECONDS = 20;

/** A portal: how it comes, what it gets, and what is left out and why. */
export const portal = definePage({
  find: findPortalReader,
  show: portalPage,
  actions: portalActions,
});

async function portalPage(visitor: Visitor, subject: Reader): Promise<Page> {
  const { db, account, isEditor, language, now } = visitor;
  const texts = textsOf(visitor, 'portals');
  const { rules } = findPortal(subject.portal);
  const address = { accountId: account.id, name: subject.name };
  const [feeds, visits, changes, rows, report, settings, names] = await Promise.all([
    listDeliveries(db, account.id, [subject.name]),
    listVisits(db, address, now, VISITS_SHOWN),
    loadChanges(visitor, subject),
    listAll(db, account.id, policyIn(subject.policy).selection != null),
    loadReport(visitor, rules === null ? {} : { portal: rules }),
    readSetting(db, account.id, 'formatSettings'),
    readNames(visitor),
  ]);
  const [portal] = (await withRefused(visitor, [portalView(subject, feeds, now)], rows)) as [
    PortalView,
  ];
  const groups = Map.groupBy(rows, (row) => leftOutOf(portal, row));
  const listed = groups.get(null)?.length ?? 0;
  groups.delete(null);
  const { name, title, state, lastVisit, usualInterval } = portal;
  const [full, unchanged] = portal.days[isoDate(now)] ?? [0, 0];
  const toggle = subject.disabled
    ? { does: 'resume', text: texts.resume }
    : { does: 'pause', text: texts.pause };
  const checkedIn = report?.checkedIn ?? portal.refused.checkedIn;
  const reportPath = withQuery('/report', { portal: rules ?? undefined });
  const interval =
    usualInterval && texts.every({ interval: formatDuration(usualInterval, language) });
  const nothing = {
    icon: 'check',
    tone: 'good',
    text: texts.nothingLeftOut,
    why: texts.nothingLeftOutWhy,
  } as const;
  const ofAll = {
    note: texts.of({ all: rows.length }),
    href: withQuery('/properties', { portal: name }),
  };
  return {
    title: texts.headings[state]({
      title,
      when: lastVisit === null ? '' : formatWhen(lastVisit, visitor),
    }),
    lead: (
      <>
        <Chip tone={STATE_TONES[state]}>{textsOf(visitor, 'home').states[state]}</Chip>{' '}
        {texts.leads[state]}
      </>
    ),
    actions: (
      <>
        <ButtonLink
          href={withQuery('/feed', { portal: name })}
          icon="eye"
          text={texts.previewButton}
        />
        {isEditor && <ButtonForm buttons={[toggle]} />}
      </>
    ),
    checkedIn,
    content: (
      <div class="stack" data-refresh={state === 'never' ? REFRESH_SECONDS : undefined}>
        <Figures
          figures={[
            { id: 'sent', name: texts.sent, value: listed, ...ofAll },
            { id: 'left-out', name: texts.leftOut, value: rows.length - listed },
            {
              id: 'to-fix',
              name: texts.toFixFigure,
              value: report?.withErrors ?? 0,
              href: reportPath,
            },
            { id: 'visits', name: texts.visitsToday, value: full + unchanged, note: interval },
          ]}
        />
        <Deliveries portal={portal} visits={visits} />
        <div class="columns">
          <div class="stack">
            <Card
              title={texts.why}
              flush
              empty={groups.size === 0 && whenChecked(visitor, checkedIn, nothing)}
            >
              <Todos
                items={[...(groups as Map<LeftOut, ListedRow[]>)].map(([reason, left]) => {
                  const count = left.length;
                  const listPath = withQuery('/properties', { portal: `${name}:${reason}` });
                  return {
                    icon: 'info',
                    tone: reason === 'refused' ? 'warn' : 'info',
                    text: `${texts.reasons[reason]({ count })}: ${formatNumber(count, language)}`,
                    action: (
                      <ButtonLink
                        href={listPath}
                        text={textsOf(visitor, 'report').see({ count })}
                      />
                    ),
                  };
                })}
              />
            </Card>
            <ChangesCard reader={subject} changes={changes} names={names} />
          </div>
          <Contents portal={portal} settings={settings} names={names} />
        </div>
        {isEditor && (
          <div class="columns">
            <ActionCard title={texts.newKey} why={texts.newKeyWhy} does="key">
              <Choice name="close" checked={false} text={texts.closeOldKey} />
            </ActionCard>
            <Deletion title={texts.disconnect} why={texts.disconnectWhy} />
          </div>
        )}
      </div>
    ),
  };
}

interface DeliveriesProps {
  readonly portal: PortalView;
  /** The last ones. */
  readonly visits: readonly RecordedVisit[];
}

function Deliveries({ portal, visits }: DeliveriesProps) {
  const visitor = useVisitor();
  const { now } = visitor;
  const texts = useTexts('portals');
  const days = lastDays(portal.days, isoDate(now), COUNTED_DAYS);
  const visited = days.filter(({ visits }) => visits > 0).length;
  // They are counted by days of UTC.
  const dayName = (date: string) => formatDay(toSeconds(date), { ...visitor, timeZone: 'UTC' });
  return (
    <Card
      title={texts.deliveries}
      flush
      more={
        visits.length > 0 && (
          <a href={withQuery('/portal/visits', { name: portal.name })}>{texts.everyVisit}</a>
        )
      }
    >
      <div class="body stack close">
        <Days
          days={days}
          label={texts.daysLabel({ visited, count: COUNTED_DAYS })}
          titleOf={({ date, full, unchanged }) =>
            texts.day({ date: dayName(date), full, unchanged })
          }
        />
        <p class="ends small muted">
          <span>{dayName(days[0]!.date)}</span>
          <span>{texts.today}</span>
        </p>
        {visits.length === 0 && <p class="muted">{texts.noVisits}</p>}
      </div>
      {visits.length > 0 && <VisitTable visits={visits} />}
    </Card>
  );
}

interface ContentsProps {
  readonly portal: PortalView;
  readonly settings: FormatSettings;
  readonly names: Names;
}

function Contents({ portal, settings, names }: ContentsProps) {
  const { name, reader, format, parameters } = portal;
  const visitor = useVisitor();
  const { isEditor, language } = visitor;
  const texts = useTexts('portals');
  // What the preset says takes precedence over what the account has stated.
  const given = { ...presetValues(settings[format.name] ?? ''), ...presetValues(reader.preset) };
  const chosen = format.feedParameters.flatMap((parameter) => {
    const value = given[parameter.name];
    // The name of the format says its version.
    return value === undefined || parameter.name === 'FV'
      ? []
      : [
          [
            translated(language, 'parameters', parameter.name, parameter).label,
            valueText(parameter, value, language),
          ] as const,
        ];
  });
  const { kind, place, withhold } = parameters.policy;
  const withheld = withhold.map((one) => textOf(texts.withheld, one)).join(', ');
  return (
    <Card
      title={texts.contents}
      more={isEditor && <a href={withQuery('/portals/contents', { name })}>{texts.change}</a>}
    >
      <Facts
        kind="tall"
        facts={[
          [texts.format, formatName(format, reader.preset, language)],
          ...chosen,
          [texts.list, reader.channel],
          [texts.selection, rulesText(parameters.policy.selection, names, visitor)],
          [texts.labels.kind, kind === null ? texts.anyKind : texts.kinds[kind]],
          [texts.labels.place, texts.places[place]],
          [texts.labels.withhold, withheld],
          [texts.keys, formatNumber(reader.keys, language)],
          [texts.connected, <Ago seconds={reader.createdAt} />],
        ]}
      />
      {reader.fixed && <p class="muted">{texts.fixed}</p>}
    </Card>
  );
}
