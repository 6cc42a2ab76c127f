import type { Context } from 'hono';
import { countProperties, lastTrouble, type PropertyGroup } from '../../db/accounts/overview.ts';
import { listProperties } from '../../db/feed/listings.ts';
import { listImports } from '../../db/imports/imports.ts';
import { listWebhooks } from '../../db/news/webhooks.ts';
import type { AppEnv } from '../../env.ts';
import { formatAgo, formatDay, formatNumber } from '../format.tsx';
import { ButtonLink, Card, Facts, STATUS_TONES, Status, Todos } from '../frame/parts.tsx';
import { may } from '../guards.tsx';
import { aboutImports } from '../imports/list.tsx';
import { query } from '../paths.ts';
import { PortalTable } from '../portals/page.tsx';
import { heldBy, loadPortals, type PortalState, type PortalView } from '../portals/portal.ts';
import { loadReport } from '../report/load.ts';
import { HOME, STATUSES } from '../texts/texts.ts';
import { type Page, useVisit, type Visitor, withTexts } from '../visit.ts';
import { attention } from './attention.tsx';
import { type Change, ChangesCard, loadChanges } from './changes.tsx';

const CHANGES_SHOWN = 12;
const CHANGE_DAYS = 7;
const MAX_WEBHOOKS = 100;
const IMPORTS_READ = 20;

/** What needs attention, the portals, the changes of the last days, and the portfolio at a glance. */
export async function showHome(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, language, now, texts } = withTexts(visitor, HOME);
  const { DB } = c.env;
  const [portals, groups, changes, webhooks, trouble, imports, report] = await Promise.all([
    loadPortals(DB, account.id, now),
    countProperties(DB, account.id),
    loadChanges(DB, account.id, visitor, { days: CHANGE_DAYS, limit: CHANGES_SHOWN }),
    listWebhooks(DB, account.id, null, MAX_WEBHOOKS),
    lastTrouble(DB, account.id),
    listImports(DB, account.id, null, Number.MAX_SAFE_INTEGER, IMPORTS_READ),
    loadReport(c, visitor, {}),
  ]);
  const signed = await withPortals(DB, account.id, changes, portals);
  const todos = [...aboutImports(visitor, imports), ...attention(visitor, portals, report, webhooks)];
  const last = changes[0]?.at;
  const lastChange = last === undefined ? '' : texts.lastChange({ ago: formatAgo(last, now, language) });
  const calm = {
    icon: 'check',
    tone: 'good',
    text: texts.allWell,
    why: trouble === null ? texts.nothingLately : texts.nothingSince({ since: formatDay(trouble, now, language) }),
  } as const;
  const noPortals = { icon: 'portals', text: texts.noPortals, why: texts.noPortalsWhy } as const;
  return {
    title: headingOf(portals, texts.headings),
    lead: portals.length === 0 ? texts.noneLead : `${texts.lead({ count: count(groups, isInFeeds) })} ${lastChange}`,
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
          empty={todos.length === 0 && calm}
        >
          <Todos items={todos} />
        </Card>
        <Card
          title={texts.portals}
          flush
          more={<a href="/portals">{texts.allPortals}</a>}
          empty={portals.length === 0 && noPortals}
        >
          <PortalTable portals={portals} />
        </Card>
        <div class="columns">
          <ChangesCard title={texts.changes} none={[texts.noChanges, texts.noChangesWhy]} changes={signed} />
          <Portfolio groups={groups} />
        </div>
      </div>
    ),
  };
}

/** How the portals come, in a sentence. */
function headingOf(portals: readonly PortalView[], headings: (typeof HOME)['en']['headings']): string {
  const number = (...states: PortalState[]) => portals.filter(({ state }) => states.includes(state)).length;
  const [seen, ok, awaited] = [number('onTime', 'overdue'), number('onTime'), number('never')];
  if (portals.length === 0) return headings.none;
  if (seen > 0) return ok === seen ? headings.all({ count: ok }) : headings.some({ ok, count: seen });
  return awaited > 0 ? headings.waiting({ count: awaited }) : headings.paused;
}

/** Changes with the portals that may be sent them. */
async function withPortals(
  db: D1Database,
  accountId: number,
  changes: readonly Change[],
  portals: readonly PortalView[],
): Promise<Change[]> {
  const identifiers = [...new Set(changes.flatMap(({ identifier }) => identifier ?? []))];
  const { rows } = await listProperties(db, accountId, { identifiers, order: 'changed' }, 0, identifiers.length);
  const active = portals.filter(({ state }) => state !== 'paused');
  return changes.map((change) => {
    const row = rows.find(({ identifier }) => identifier === change.identifier);
    const signs = row && active.map((portal) => ({ ...portal, isOff: heldBy(portal, row) === null }));
    return { ...change, ...(signs && { signs }) };
  });
}

/** Whether feeds show properties of a group. */
function isInFeeds({ status, forSale, forLongTerm, forShortTerm }: PropertyGroup): boolean {
  return status !== 'Withdrawn' && status !== 'Sold' && forSale + forLongTerm + forShortTerm > 0;
}

function count(groups: readonly PropertyGroup[], counts: (group: PropertyGroup) => boolean): number {
  return groups.filter(counts).reduce((sum, { properties }) => sum + properties, 0);
}

/** The portfolio in numbers; each leads to the properties that it counts. */
function Portfolio({ groups }: { readonly groups: readonly PropertyGroup[] }) {
  const { common, language, texts } = useVisit(HOME);
  const link = (properties: number, filter: Readonly<Record<string, string>>) => (
    <a href={`/properties?${query(filter)}`}>{formatNumber(properties, language)}</a>
  );
  const statuses = STATUSES.map((status) => [status, count(groups, (group) => group.status === status)] as const);
  const byStatus = statuses.filter(([, properties]) => properties > 0);
  const offers = [
    ['sale', common.forSale, 'forSale'],
    ['long', common.longTerm, 'forLongTerm'],
    ['short', common.shortTerm, 'forShortTerm'],
  ] as const;
  const ofOffer = (flag: (typeof offers)[number][2]) => count(groups, (group) => isInFeeds(group) && group[flag] === 1);
  return (
    <Card
      title={texts.portfolio}
      more={<a href="/properties">{texts.allProperties}</a>}
      empty={groups.length === 0 && { icon: 'properties', text: texts.noProperties, why: texts.noPropertiesWhy }}
    >
      <div class="stack close">
        <Split parts={byStatus.filter(([status]) => status in STATUS_TONES)} />
        <Facts
          kind="short"
          facts={[
            ...byStatus.map(([status, number]) => [<Status status={status} />, link(number, { status })] as const),
            ...offers.map(([offer, name, flag]) => [name, link(ofOffer(flag), { offer })] as const),
          ]}
        />
      </div>
    </Card>
  );
}

/** Parts of a whole as a bar; the numbers stand below. */
function Split({ parts }: { readonly parts: readonly (readonly [status: string, count: number])[] }) {
  const total = parts.reduce((sum, [, number]) => sum + number, 0);
  let x = 0;
  return (
    <svg class="split" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(([status, number]) => {
        const width = (100 * number) / total;
        x += width;
        return <rect class={STATUS_TONES[status]} x={x - width} width={Math.max(0, width - 0.7)} height="10" />;
      })}
    </svg>
  );
}
