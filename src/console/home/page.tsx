import { lastTrouble } from '../../accounts/overview.ts';
import { listWebhooks, MAX_WEBHOOKS, type Webhook } from '../../changes/webhooks/webhooks.ts';
import { listImports } from '../../imports/runs/imports.ts';
import { DAY_SECONDS } from '../../lib/time/time.ts';
import {
  countProperties,
  listAll,
  listProperties,
  type PropertyGroup,
} from '../../properties/store/listings.ts';
import type { Report } from '../../rules/report.ts';
import { formatDay, formatDuration, formatNumber, formatWhen } from '../format.ts';
import {
  ButtonLink,
  Card,
  Facts,
  STATUS_TONES,
  Status,
  type Todo,
  Todos,
} from '../frame/parts.tsx';
import { aboutImports, ImportLink } from '../imports/list.tsx';
import { portalPath, withQuery } from '../paths.ts';
import { PortalsCard } from '../portals/page.tsx';
import { deliveredTo, loadPortals, type PortalState, type PortalView } from '../portals/portal.ts';
import { loadReport, whenChecked } from '../report/load.ts';
import { troubleOf } from '../settings/webhooks.tsx';
import { type AllTexts, STATUSES, textsOf } from '../texts/texts.ts';
import { type Guest, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { type Change, ChangesCard, loadChanges } from './changes.tsx';

/** The changes that are shown, and those with `?changes=all`. */
const CHANGES = { days: 7, limit: 12 };
const ALL_CHANGES = { days: 30, limit: 300 };
const IMPORTS_READ = 20;

/** A portal that has never fetched is mentioned this long after it was connected, an old key this long before it expires. */
const NEW_SECONDS = DAY_SECONDS;
const KEY_SECONDS = 7 * DAY_SECONDS;

/** Rules with errors that are listed: the rest is in the report. */
const MAX_RULES = 3;

/** What needs attention, the portals, the changes of the last days, and the portfolio at a glance. */
export async function showHome(visitor: Visitor): Promise<Page> {
  const { db, account, isEditor, language } = visitor;
  const texts = textsOf(visitor, 'home');
  const isAll = visitor.c.req.query('changes') === 'all';
  const [portals, groups, changes, webhooks, trouble, imports, report] = await Promise.all([
    loadPortals(visitor),
    listAll(db, account.id).then(countProperties),
    loadChanges(visitor, isAll ? ALL_CHANGES : CHANGES),
    listWebhooks(db, account.id, null, MAX_WEBHOOKS),
    lastTrouble(db, account.id),
    listImports(db, account.id, null, Number.MAX_SAFE_INTEGER, IMPORTS_READ),
    loadReport(visitor, {}),
  ]);
  const withLogos = await withPortals(visitor, changes, portals);
  const todos = [
    ...aboutImports(visitor, imports),
    ...attention(visitor, portals, webhooks, report),
  ];
  const last = changes[0]?.at;
  const lastChange =
    last === undefined ? '' : texts.lastChange({ when: formatWhen(last, visitor) });
  const why =
    trouble === null
      ? texts.nothingLately
      : texts.nothingSince({ since: formatDay(trouble, visitor) });
  const allWell = { icon: 'check', tone: 'good', text: texts.allWell, why } as const;
  const isNew = groups.length === 0;
  if (isNew)
    todos.push({
      icon: 'properties',
      text: texts.noProperties,
      why: texts.noPropertiesWhy,
      action: isEditor && <ImportLink />,
    });
  const noPortals = { icon: 'portals', text: texts.noPortals, why: texts.noPortalsWhy } as const;
  return {
    title: isNew ? texts.headings.new : headingOf(portals, texts.headings),
    lead: isNew
      ? texts.newLead
      : portals.length === 0
        ? texts.noneLead
        : `${texts.lead({ count: sumOf(groups.filter(isInFeeds)) })} ${lastChange}`,
    actions: isEditor && (
      <>
        <ButtonLink
          href="/property/edit"
          icon="plus"
          kind={isNew ? 'primary' : undefined}
          text={texts.addProperty}
        />
        {!isNew && (
          <ButtonLink href="/portals/connect" icon="portals" kind="primary" text={texts.connect} />
        )}
      </>
    ),
    checkedIn: report?.checkedIn,
    content: (
      <>
        <Card
          title={texts.attention}
          flush
          more={todos.length > 0 && formatNumber(todos.length, language)}
          empty={todos.length === 0 && whenChecked(visitor, report?.checkedIn, allWell)}
        >
          <Todos items={todos} />
        </Card>
        <PortalsCard
          portals={portals}
          none={noPortals}
          more={<a href="/portals">{texts.allPortals}</a>}
        />
        <div class="columns">
          <ChangesCard
            title={texts.changes}
            more={!isAll && <a href="/?changes=all#changes">{texts.lastDays}</a>}
            none={texts.noChanges}
            noneWhy={texts.noChangesWhy}
            changes={withLogos}
          />
          <Portfolio groups={groups} />
        </div>
      </>
    ),
  };
}

function headingOf(portals: readonly PortalView[], headings: AllTexts['home']['headings']): string {
  const number = (...states: PortalState[]) =>
    portals.filter(({ state }) => states.includes(state)).length;
  const ok = number('onTime');
  const expected = number('onTime', 'overdue', 'never');
  if (portals.length === 0) return headings.none;
  if (expected === 0) return headings.paused;
  if (expected === number('never')) return headings.waiting({ count: expected });
  return ok === expected ? headings.all({ count: ok }) : headings.some({ ok, count: expected });
}

/** What needs the agency's attention, the most urgent first. */
function attention(
  guest: Guest,
  portals: readonly PortalView[],
  webhooks: readonly Webhook[],
  report: Report | null,
): Todo[] {
  const { language, now } = guest;
  const texts = textsOf(guest, 'home');
  const when = (seconds: number) => formatWhen(seconds, guest);
  const link = (href: string, text: string) => <ButtonLink href={href} text={text} />;
  const todos: Todo[] = [];
  for (const { title, name, state, lastVisit, usualInterval, reader } of portals) {
    const { createdAt, keysExpireAt } = reader;
    const action = link(portalPath(name), texts.seePortal);
    if (state === 'overdue' && lastVisit !== null) {
      const why = texts.overdueWhy({ interval: formatDuration(usualInterval ?? 0, language) });
      todos.push({
        icon: 'portals',
        tone: 'bad',
        text: texts.overdue({ title, when: when(lastVisit) }),
        why,
        action,
      });
    }
    if (state === 'never' && now - createdAt > NEW_SECONDS) {
      const why = texts.neverWhy({ when: when(createdAt) });
      todos.push({ icon: 'clock', text: texts.neverCame({ title }), why, action });
    }
    if (keysExpireAt !== null && keysExpireAt - now < KEY_SECONDS) {
      const text = texts.keyEnds({ title, when: formatDay(keysExpireAt, guest) });
      todos.push({ icon: 'key', tone: 'warn', text, why: texts.keyWhy, action });
    }
  }
  for (const webhook of webhooks) {
    const why = troubleOf(webhook, guest);
    if (why === null) continue;
    const { name, disabledBecause } = webhook;
    const isOff = disabledBecause !== null;
    const text = (isOff ? texts.webhookOff : texts.webhookFails)({ name });
    const action = link(withQuery('/settings/webhook', { name }), texts.seeWebhook);
    todos.push({ icon: 'webhook', tone: isOff ? 'bad' : 'warn', text, why, action });
  }
  const errors = (report?.rules ?? []).filter(({ severity }) => severity === 'error');
  const worst = errors.toSorted((a, b) => b.properties - a.properties).slice(0, MAX_RULES);
  for (const { code, properties, fix, explanation } of worst) {
    const action = link(
      withQuery('/properties', { finding: code }),
      texts.seeListings({ count: properties }),
    );
    const text = texts.listingsWith({ count: properties, fix });
    todos.push({ icon: 'report', tone: 'warn', text, why: explanation, action });
  }
  return todos;
}

/** Changes with the portals that may be sent them. */
async function withPortals(
  { db, account }: Visitor,
  changes: readonly Change[],
  portals: readonly PortalView[],
) {
  const identifiers = [...new Set(changes.flatMap(({ identifier }) => identifier ?? []))];
  const rows = await listProperties(db, account.id, { identifiers, order: 'changed' });
  const active = portals.filter(({ state }) => state !== 'paused');
  return changes.map((change) => {
    const row = rows.find(({ identifier }) => identifier === change.identifier);
    return row
      ? {
          ...change,
          logos: active.map((one) => ({ ...one, isOff: deliveredTo(one, row) === null })),
        }
      : change;
  });
}

function isInFeeds({ status, forSale, forLongTerm, forShortTerm }: PropertyGroup): boolean {
  return status !== 'Withdrawn' && status !== 'Sold' && forSale + forLongTerm + forShortTerm > 0;
}

function sumOf(groups: readonly PropertyGroup[]): number {
  return groups.reduce((sum, { properties }) => sum + properties, 0);
}

/** The width of the bar: about its pixels on the narrowest screen. The gap between two segments, and the narrowest one. */
const BAR = 300;
const GAP = 2;
const NARROWEST = 2;

/** The segments of a bar: each can be seen, however small its share is. */
export function segmentsOf(numbers: readonly number[]): { x: number; width: number }[] {
  const total = numbers.reduce((sum, number) => sum + number, 0);
  const shared = BAR - numbers.length * (NARROWEST + GAP) + GAP;
  let end = -GAP;
  return numbers.map((number) => {
    const x = end + GAP;
    const width = NARROWEST + Math.floor((shared * number) / total);
    end = x + width;
    return { x, width };
  });
}

/** The portfolio in numbers, each of which leads to the properties that it counts; and as a bar. */
function Portfolio({ groups }: { groups: readonly PropertyGroup[] }) {
  const { common, language } = useVisitor();
  const texts = useTexts('home');
  const link = (properties: number, filter: Readonly<Record<string, string>>) => (
    <a href={withQuery('/properties', filter)}>{formatNumber(properties, language)}</a>
  );
  const byStatus = STATUSES.map((status) => ({
    status,
    number: sumOf(groups.filter((one) => one.status === status)),
  }));
  const statuses = byStatus.filter(({ number }) => number > 0);
  const shown = groups.filter(isInFeeds);
  const ofOffer = (flag: 'forSale' | 'forLongTerm' | 'forShortTerm', offer: string) =>
    link(sumOf(shown.filter((group) => group[flag] === 1)), { offer });
  if (groups.length === 0) return null;
  const parts = statuses.filter(({ status }) => status in STATUS_TONES);
  const segments = segmentsOf(parts.map(({ number }) => number));
  return (
    <Card title={texts.portfolio} more={<a href="/properties">{texts.allProperties}</a>}>
      <svg class="split" viewBox={`0 0 ${BAR} 1`} preserveAspectRatio="none" aria-hidden="true">
        {segments.map(({ x, width }, index) => (
          <rect class={STATUS_TONES[parts[index]!.status]} x={x} width={width} height="1" />
        ))}
      </svg>
      <Facts
        kind="short"
        facts={[
          ...statuses.map(
            ({ status, number }) => [<Status status={status} />, link(number, { status })] as const,
          ),
          [common.forSale, ofOffer('forSale', 'sale')],
          [common.longTerm, ofOffer('forLongTerm', 'long')],
          [common.shortTerm, ofOffer('forShortTerm', 'short')],
        ]}
      />
    </Card>
  );
}
