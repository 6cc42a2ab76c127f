import type { Context } from 'hono';
import { countProperties, lastTrouble, type PropertyGroup } from '../../db/accounts/overview.ts';
import { listProperties } from '../../db/feed/listings.ts';
import { listImports } from '../../db/imports/imports.ts';
import { listWebhooks } from '../../db/news/webhooks.ts';
import type { AppEnv } from '../../env.ts';
import { formatAgo, formatDay, formatNumber } from '../format.tsx';
import { ButtonLink, Card, Facts, Todos } from '../frame/parts.tsx';
import { STATUS_TONES, Status } from '../frame/status.tsx';
import { may } from '../guards.tsx';
import { type Change, loadChanges } from '../history/changes.tsx';
import { ChangesCard, type ShownChange } from '../history/list.tsx';
import { aboutImports } from '../imports/attention.tsx';
import { query } from '../paths.ts';
import { PortalTable } from '../portals/list.tsx';
import { heldBy, loadPortals, type PortalView } from '../portals/portal.ts';
import { loadReport } from '../report/load.ts';
import { HOME, STATUSES } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { attention } from './attention.tsx';

const CHANGES_SHOWN = 12;
const CHANGE_DAYS = 7;
const MAX_WEBHOOKS = 100;
const IMPORTS_READ = 20;

/** What needs attention, the portals, the changes of the last days, and the portfolio at a glance. */
export async function showHome(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, language, now } = visitor;
  const texts = HOME[language];
  const { DB } = c.env;
  const reading = Promise.all([
    loadPortals(DB, account.id, now),
    countProperties(DB, account.id),
    loadChanges(DB, account.id, visitor, { days: CHANGE_DAYS, limit: CHANGES_SHOWN }),
    listWebhooks(DB, account.id, null, MAX_WEBHOOKS),
    lastTrouble(DB, account.id),
    listImports(DB, account.id, null, Number.MAX_SAFE_INTEGER, IMPORTS_READ),
  ]);
  const [[portals, groups, changes, webhooks, trouble, imports], report] = await Promise.all([
    reading,
    loadReport(c, visitor, {}),
  ]);
  const shown = await withPortals(DB, account.id, changes, portals);
  const todos = [...aboutImports(visitor, imports), ...attention(visitor, portals, report, webhooks)];
  const seen = portals.filter(({ state }) => state === 'onTime' || state === 'overdue').length;
  const fine = portals.filter(({ state }) => state === 'onTime').length;
  const awaited = portals.filter(({ state }) => state === 'never').length;
  const inFeeds = totalOf(groups.filter(isInFeeds));
  const last = changes[0]?.at;
  const { headings } = texts;
  const ofSeen = fine === seen ? headings.all({ count: fine }) : headings.some({ ok: fine, count: seen });
  const ofOthers = awaited > 0 ? headings.waiting({ count: awaited }) : headings.paused;
  const heading = seen > 0 ? ofSeen : ofOthers;
  const since = trouble === null ? null : formatDay(trouble, now, language);
  const nothingSince = since === null ? texts.nothingLately : texts.nothingSince({ since });
  const lastChange = last === undefined ? '' : texts.lastChange({ ago: formatAgo(last, now, language) });
  return {
    title: portals.length === 0 ? headings.none : heading,
    lead: portals.length === 0 ? texts.noneLead : `${texts.lead({ count: inFeeds })} ${lastChange}`,
    actions: may(visitor, 'editor') && (
      <>
        <ButtonLink href="/property/edit" icon="plus">
          {texts.addProperty}
        </ButtonLink>
        <ButtonLink href="/portals/connect" icon="portals" kind="primary">
          {texts.connect}
        </ButtonLink>
      </>
    ),
    content: (
      <div class="stack">
        <Card
          title={texts.attention}
          flush
          more={todos.length > 0 && formatNumber(todos.length, language)}
          empty={todos.length === 0 && { icon: 'check', tone: 'good', text: texts.allWell, why: nothingSince }}
        >
          <Todos items={todos} />
        </Card>
        <Card
          title={texts.portals}
          flush
          more={<a href="/portals">{texts.allPortals}</a>}
          empty={portals.length === 0 && { icon: 'portals', text: texts.noPortals, why: texts.noPortalsWhy }}
        >
          <PortalTable portals={portals} />
        </Card>
        <div class="columns">
          <ChangesCard title={texts.changes} none={[texts.noChanges, texts.noChangesWhy]} changes={shown} />
          <Portfolio groups={groups} />
        </div>
      </div>
    ),
  };
}

/** Which portals were sent each change. */
async function withPortals(
  db: D1Database,
  accountId: number,
  changes: readonly Change[],
  portals: readonly PortalView[],
): Promise<ShownChange[]> {
  const identifiers = [...new Set(changes.flatMap(({ identifier }) => identifier ?? []))];
  const { rows } =
    identifiers.length === 0
      ? { rows: [] }
      : await listProperties(db, accountId, { identifiers, order: 'changed' }, 0, identifiers.length);
  const active = portals.filter(({ state }) => state !== 'paused');
  return changes.map((change) => {
    const row = rows.find(({ identifier }) => identifier === change.identifier);
    const signs = row === undefined ? [] : active.map((portal) => ({ ...portal, isOff: heldBy(portal, row) === null }));
    return { ...change, signs };
  });
}

/** Whether feeds show properties of a group. */
function isInFeeds({ status, forSale, forLongTerm, forShortTerm }: PropertyGroup): boolean {
  return status !== 'Withdrawn' && status !== 'Sold' && forSale + forLongTerm + forShortTerm > 0;
}

function totalOf(groups: readonly PropertyGroup[]): number {
  return groups.reduce((sum, { properties }) => sum + properties, 0);
}

/** The portfolio in numbers; each leads to the properties that it counts. */
function Portfolio({ groups }: { readonly groups: readonly PropertyGroup[] }) {
  const { texts: common, language } = useVisitor();
  const texts = useTexts(HOME);
  const link = (properties: number, filter: Readonly<Record<string, string>>) => (
    <a href={`/properties?${query(filter)}`}>{formatNumber(properties, language)}</a>
  );
  const byStatus = STATUSES.map((status) => ({
    status,
    count: totalOf(groups.filter((group) => group.status === status)),
  })).filter(({ count }) => count > 0);
  const offers = [
    ['sale', common.forSale, 'forSale'],
    ['long', common.longTerm, 'forLongTerm'],
    ['short', common.shortTerm, 'forShortTerm'],
  ] as const;
  const inFeeds = groups.filter(isInFeeds);
  return (
    <Card
      title={texts.portfolio}
      more={<a href="/properties">{texts.allProperties}</a>}
      empty={groups.length === 0 && { icon: 'properties', text: texts.noProperties, why: texts.noPropertiesWhy }}
    >
      <div class="stack close">
        <Split parts={byStatus.filter(({ status }) => status in STATUS_TONES)} />
        <Facts
          kind="short"
          facts={[
            ...byStatus.map(({ status, count }) => [<Status status={status} />, link(count, { status })] as const),
            ...offers.map(
              ([offer, name, flag]) =>
                [name, link(totalOf(inFeeds.filter((group) => group[flag] === 1)), { offer })] as const,
            ),
          ]}
        />
      </div>
    </Card>
  );
}

/** Parts of a whole as a bar; the numbers stand below. */
function Split({ parts }: { readonly parts: readonly { readonly status: string; readonly count: number }[] }) {
  const total = Math.max(
    1,
    parts.reduce((sum, { count }) => sum + count, 0),
  );
  let x = 0;
  return (
    <svg class="split" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ status, count }) => {
        const width = (100 * count) / total;
        x += width;
        return <rect class={STATUS_TONES[status]} x={x - width} width={Math.max(0, width - 0.7)} height="10" />;
      })}
    </svg>
  );
}
