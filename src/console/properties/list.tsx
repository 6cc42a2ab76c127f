import { countProperties } from '../../accounts/overview.ts';
import { thumbnailOf } from '../../properties/pictures.ts';
import {
  type ListedFacts,
  type ListOrder,
  listProperties,
  type Offer,
  withFacts,
} from '../../properties/store/listings.ts';
import { formatList, formatNumber, sortedNames } from '../format.ts';
import { type FilterChoice, Filters, MAX_SEARCH_LENGTH, type Options } from '../frame/form.tsx';
import { Icon, Logos } from '../frame/icon.tsx';
import { ButtonLink, entriesOf, Item, Pages, pageIn, Status, TableCard } from '../frame/parts.tsx';
import { ImportLink } from '../imports/list.tsx';
import { propertyPath } from '../paths.ts';
import {
  deliveredTo,
  type LeftOut,
  leftOutOf,
  loadPortals,
  withRefused,
} from '../portals/portal.ts';
import { loadReport } from '../report/load.ts';
import { STATUSES, textsOf } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { offersOf, pricesText, readNames } from './property.ts';

const ROWS_PER_PAGE = 24;
const MAX_TOWNS = 200;
const OFFERS: readonly Offer[] = ['sale', 'long', 'short', 'none'];
const ORDERS = ['changed', 'price', 'reference'] as const satisfies readonly ListOrder[];

const ASKED = ['q', 'status', 'offer', 'town', 'portal', 'finding', 'order'] as const;

type Asked = Readonly<Partial<Record<(typeof ASKED)[number], string>>>;

/** The properties of an account: search, filters, pages. */
export async function showProperties(visitor: Visitor): Promise<Page> {
  const { isEditor, common } = visitor;
  const texts = textsOf(visitor, 'properties');
  const loaded = await load(visitor);
  const { asked, page, total, report } = loaded;
  const isFiltered = Object.keys(asked).some((name) => name !== 'order');
  const add = isEditor && (
    <ButtonLink href="/property/edit" icon="plus" kind="primary" text={texts.add} />
  );
  const unfilter = <ButtonLink href="/properties" text={texts.removeFilters} />;
  const none = isFiltered
    ? ({
        icon: 'properties',
        text: texts.noMatch,
        why: texts.noMatchWhy,
        action: unfilter,
      } as const)
    : ({
        icon: 'properties',
        text: texts.none,
        why: texts.noneWhy,
        action: add && (
          <>
            <ImportLink />
            {add}
          </>
        ),
      } as const);
  return {
    title: isFiltered ? texts.titleFiltered({ count: total }) : texts.title({ count: total }),
    lead:
      asked.finding === undefined
        ? texts.lead
        : report?.rules[0] && texts.finding({ fix: report.rules[0].fix }),
    actions: add,
    checkedIn: report?.checkedIn,
    content: (
      <>
        <Filters
          action="/properties"
          search={{ name: 'q', label: texts.find }}
          choices={choicesOf(visitor, loaded)}
          values={asked}
          submit={common.search}
        />
        <TableCard
          title={common.properties}
          none={none}
          columns={[
            texts.property,
            { numbers: texts.price },
            texts.size,
            common.status,
            texts.onPortals,
            '',
          ]}
          rows={rowsOf(visitor, loaded)}
        >
          <Pages
            page={page}
            total={total}
            perPage={ROWS_PER_PAGE}
            path="/properties"
            query={asked}
          />
        </TableCard>
      </>
    ),
  };
}

type Loaded = Awaited<ReturnType<typeof load>>;

/** What the query asks for, and a page of the properties that it selects. */
async function load(visitor: Visitor) {
  const { c, db, account } = visitor;
  const query = c.req.query();
  const given = ASKED.map((name) => [name, query[name]?.trim().slice(0, MAX_SEARCH_LENGTH)]);
  const asked: Asked = Object.fromEntries(given.filter(([, value]) => value));
  const page = pageIn(query.page);
  const [readers, names, groups, report] = await Promise.all([
    loadPortals(visitor),
    readNames(visitor),
    countProperties(db, account.id),
    loadReport(visitor, { rule: asked.finding }),
  ]);
  const [portalName, reason] = (asked.portal ?? '').split(':');
  const isOfPortal = readers.some(({ name }) => name === portalName);
  // What a portal gets is not known to the database.
  const from = isOfPortal ? 0 : (page - 1) * ROWS_PER_PAGE;
  const limit = isOfPortal ? 1_000_000 : ROWS_PER_PAGE;
  const filter = {
    search: asked.q,
    status: asked.status,
    offer: OFFERS.find((known) => known === asked.offer),
    town: asked.town,
    identifiers:
      asked.finding === undefined ? undefined : report?.findings.map(({ property }) => property),
    order: ORDERS.find((known) => known === asked.order) ?? 'changed',
  };
  const found = await listProperties(db, account.id, filter, from, limit);
  const portals = await withRefused(visitor, readers, found.rows);
  const portal = portals.find(({ name }) => name === portalName);
  const listed =
    portal && found.rows.filter((row) => (leftOutOf(portal, row) ?? undefined) === reason);
  const shown = listed ? entriesOf(listed, page, ROWS_PER_PAGE) : found.rows;
  return {
    asked,
    page,
    types: names.types,
    groups,
    report,
    portals,
    portal,
    reason,
    rows: await withFacts(db, account.id, shown),
    total: listed?.length ?? found.total,
  };
}

/** What the list can be filtered by, and its orders. */
function choicesOf(
  visitor: Visitor,
  { asked, groups, report, portals, portal, reason, total }: Loaded,
): FilterChoice[] {
  const { language, common } = visitor;
  const texts = textsOf(visitor, 'properties');
  const towns = sortedNames(new Set(groups.flatMap(({ town }) => town || [])), language).slice(
    0,
    MAX_TOWNS,
  );
  const offers = {
    sale: common.forSale,
    long: common.longTerm,
    short: common.shortTerm,
    none: texts.noOffer,
  };
  const findings = (report?.rules ?? []).map(({ code, fix }) => [code, fix] as const);
  const onPortals = portals.map(({ name, title }) => [name, texts.onPortal({ title })] as const);
  const why = textsOf(visitor, 'portals').reasons[reason as LeftOut]?.({ count: total });
  if (portal && why)
    onPortals.push([asked.portal!, texts.notOnPortal({ title: portal.title, reason: why })]);
  const choice = (name: keyof Asked, label: string, any: string, options: Options) => ({
    name,
    label,
    options: [['', any] as const, ...options],
  });
  return [
    choice(
      'status',
      common.status,
      texts.anyStatus,
      STATUSES.map((one) => [one, common.statuses[one]]),
    ),
    choice(
      'offer',
      texts.price,
      texts.anyOffer,
      OFFERS.map((offer) => [offer, offers[offer]]),
    ),
    choice(
      'town',
      texts.place,
      texts.anyTown,
      towns.map((town) => [town, town]),
    ),
    choice('portal', common.portals, texts.anyPortal, onPortals),
    choice('finding', common.report, texts.anyFinding, findings),
    {
      name: 'order',
      label: texts.order,
      options: ORDERS.map((order) => [order, texts.orders[order]] as const),
    },
  ];
}

function rowsOf(visitor: Visitor, { rows, portals, types, report }: Loaded) {
  const { language } = visitor;
  const texts = textsOf(visitor, 'properties');
  const findings = Map.groupBy(report?.findings ?? [], ({ property }) => property);
  const active = portals.filter(({ state }) => state !== 'paused');
  return rows.map((row) => {
    const title = [types.get(row.type), row.area, row.town].filter(Boolean).join(', ');
    const count = findings.get(row.identifier)?.length ?? 0;
    const logos = active
      .filter((portal) => leftOutOf(portal, row) === null)
      .map((portal) => ({ ...portal, isOff: deliveredTo(portal, row) === null }));
    const named = (isOff: boolean, text: (values: { portals: string }) => string) => {
      const titles = logos.filter((logo) => logo.isOff === isOff).map(({ title }) => title);
      return titles.length > 0 && text({ portals: formatList(titles, language) });
    };
    const portalsHave = [named(false, texts.sentTo), named(true, texts.notSentTo)]
      .filter(Boolean)
      .join(', ');
    const prices = pricesText(row.document.currency, offersOf(row.document, row), visitor);
    return [
      <Item
        picture={thumb(row, texts.noPicture)}
        href={propertyPath(row.identifier)}
        title={title || row.reference}
        note={[...new Set([row.reference, row.identifier])].join(' · ')}
      />,
      <span class="prices">
        {prices.map((price) => (
          <b>{price}</b>
        ))}
      </span>,
      <span class="muted">{sizeText(row, visitor)}</span>,
      <Status status={row.status} />,
      logos.length > 0 && <Logos logos={logos} label={portalsHave} />,
      count > 0 && (
        <a class="small" href={`${propertyPath(row.identifier)}#findings`}>
          {texts.fixCount({ count })}
        </a>
      ),
    ];
  });
}

function thumb({ picture }: ListedFacts, none: string) {
  return picture !== null && /^https?:/.test(picture) ? (
    <img
      class="thumb"
      src={thumbnailOf(picture)}
      alt=""
      loading="lazy"
      referrerpolicy="no-referrer"
      width="76"
      height="54"
    />
  ) : (
    <span class="thumb" title={none}>
      <Icon name="picture" />
    </span>
  );
}

function sizeText({ document }: ListedFacts, { language }: Visitor): string {
  const { beds, bath } = document;
  const area = document.built_area ?? document.plot_area;
  const rooms =
    beds + bath === 0
      ? ''
      : textsOf({ language }, 'properties').short({ beds, count: Math.floor(bath) });
  return [rooms, area !== null && `${formatNumber(area, language)}\u00a0m²`]
    .filter(Boolean)
    .join(' · ');
}
