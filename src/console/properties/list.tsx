import type { Context } from 'hono';
import { countProperties, readTypeNames } from '../../db/accounts/overview.ts';
import { type ListedRow, type ListFilter, type ListOrder, listProperties, type Offer } from '../../db/feed/listings.ts';
import type { AppEnv } from '../../env.ts';
import type { Report } from '../../rules/report.ts';
import { formatList, formatNumber } from '../format.tsx';
import { OptionList, type Options, Search } from '../frame/form.tsx';
import { Icon } from '../frame/icon.tsx';
import { Logos } from '../frame/logo.tsx';
import { Button, ButtonLink, Card, Item, type Nothing } from '../frame/parts.tsx';
import { Status } from '../frame/status.tsx';
import { entriesOf, Pages, pageIn, Table } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { propertyPath, withQuery } from '../paths.ts';
import { heldBy, leftOutOf, loadPortals, type PortalView } from '../portals/portal.ts';
import { withRefused } from '../portals/refused.ts';
import { loadReport } from '../report/load.ts';
import { PROPERTIES, STATUSES } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { offersOf, pricesText } from './price.ts';

const ROWS_PER_PAGE = 24;
const MAX_TOWNS = 200;
const MAX_SEARCH_LENGTH = 100;
const OFFERS: readonly Offer[] = ['sale', 'long', 'short', 'none'];
const ORDERS: readonly ListOrder[] = ['changed', 'price', 'reference'];

/** What a list of properties was asked for, as in its URL. */
const ASKED = ['q', 'status', 'offer', 'town', 'portal', 'finding', 'order'] as const;

type Asked = Readonly<Partial<Record<(typeof ASKED)[number], string>>>;

/** The properties of an account: search, filters, pages. */
export async function showProperties(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, language, now, texts: common } = visitor;
  const texts = PROPERTIES[language];
  const { DB } = c.env;
  const asked = readAsked(c.req.query());
  const page = pageIn(c.req.query('page'));
  const reading = Promise.all([
    loadPortals(DB, account.id, now),
    readTypeNames(DB, account.id, language === 'es' ? 2 : 1),
    countProperties(DB, account.id),
  ]);
  const [[readers, typeNames, groups], report] = await Promise.all([
    reading,
    loadReport(c, visitor, asked.finding === undefined ? {} : { rule: asked.finding }),
  ]);
  const isOfPortal = readers.some(({ name }) => name === asked.portal);
  const [from, limit] = isOfPortal ? [0, 1_000_000] : [(page - 1) * ROWS_PER_PAGE, ROWS_PER_PAGE];
  const listing = listProperties(DB, account.id, filterOf(asked, report), from, limit);
  const found = await listing;
  const portals = await withRefused(DB, account.id, readers, found.rows);
  const portal = portals.find(({ name }) => name === asked.portal);
  const listed = portal && found.rows.filter((row) => leftOutOf(portal, row) === null);
  const total = listed?.length ?? found.total;
  const rows = listed === undefined ? found.rows : entriesOf(listed, page, ROWS_PER_PAGE);
  const isFiltered = Object.keys(asked).some((name) => name !== 'order');
  const add = may(visitor, 'editor') && (
    <ButtonLink href="/property/edit" icon="plus" kind="primary">
      {texts.add}
    </ButtonLink>
  );
  const none: Nothing = isFiltered
    ? {
        icon: 'properties',
        text: texts.noMatch,
        why: texts.noMatchWhy,
        action: <ButtonLink href="/properties">{texts.removeFilters}</ButtonLink>,
      }
    : { icon: 'properties', text: texts.none, why: texts.noneWhy, action: add };
  const towns = [...new Set(groups.map(({ town }) => town))].filter(Boolean).sort().slice(0, MAX_TOWNS);
  return {
    title: isFiltered ? texts.titleFiltered({ count: total }) : texts.title({ count: total }),
    lead: asked.finding === undefined ? texts.lead : report?.rules[0] && texts.finding({ fix: report.rules[0].fix }),
    actions: add,
    content: (
      <>
        <FilterForm asked={asked} portals={portals} towns={towns} report={report} />
        <Card title={common.properties} flush empty={rows.length === 0 && none}>
          <Rows rows={rows} portals={portals} typeNames={typeNames} report={report} />
          <Pages
            page={page}
            total={total}
            perPage={ROWS_PER_PAGE}
            path={(to) => withQuery('/properties', { ...asked, page: String(to) })}
          />
        </Card>
      </>
    ),
  };
}

function readAsked(query: Readonly<Record<string, string>>): Asked {
  const given = ASKED.map((name) => [name, query[name]?.trim().slice(0, MAX_SEARCH_LENGTH)]);
  return Object.fromEntries(given.filter(([, value]) => value));
}

function filterOf({ q, status, offer, town, finding, order }: Asked, report: Report | null): ListFilter {
  const findings = finding === undefined ? undefined : (report?.findings ?? []);
  return {
    search: q,
    status,
    offer: OFFERS.find((known) => known === offer),
    town,
    identifiers: findings?.map(({ property }) => property),
    order: ORDERS.find((known) => known === order) ?? 'changed',
  };
}

interface FilterProps {
  readonly asked: Asked;
  readonly portals: readonly PortalView[];
  readonly towns: readonly string[];
  readonly report: Report | null;
}

function FilterForm({ asked, portals, towns, report }: FilterProps) {
  const { texts: common } = useVisitor();
  const texts = useTexts(PROPERTIES);
  const offers = { sale: common.forSale, long: common.longTerm, short: common.shortTerm, none: texts.noOffer };
  const selects: [name: keyof Asked, label: string, all: string, options: Options][] = [
    ['status', common.status, texts.anyStatus, STATUSES.map((status) => [status, common.statuses[status]])],
    ['offer', texts.price, texts.anyOffer, OFFERS.map((offer) => [offer, offers[offer]])],
    ['town', texts.place, texts.anyTown, towns.map((town) => [town, town])],
    ['portal', common.portals, texts.anyPortal, portals.map(({ name, title }) => [name, texts.onPortal({ title })])],
    ['finding', common.report, texts.anyFinding, (report?.rules ?? []).map(({ code, fix }) => [code, fix])],
  ];
  return (
    <form action="/properties" class="bar">
      <Search name="q" label={texts.find} value={asked.q ?? ''} maxlength={MAX_SEARCH_LENGTH} />
      {selects
        .filter(([, , , options]) => options.length > 0)
        .map(([name, label, all, options]) => (
          <select name={name} aria-label={label} data-apply>
            <OptionList options={[['', all], ...options]} value={asked[name] ?? ''} />
          </select>
        ))}
      <select name="order" aria-label={texts.order} data-apply>
        <OptionList options={ORDERS.map((order) => [order, texts.orders[order]])} value={asked.order ?? ''} />
      </select>
      <Button>{common.search}</Button>
    </form>
  );
}

interface RowsProps {
  readonly rows: readonly ListedRow[];
  readonly portals: readonly PortalView[];
  readonly typeNames: ReadonlyMap<number, string>;
  readonly report: Report | null;
}

function Rows({ rows, portals, typeNames, report }: RowsProps) {
  const visitor = useVisitor();
  const { language, texts: common } = visitor;
  const texts = useTexts(PROPERTIES);
  const findings = Map.groupBy(report?.findings ?? [], ({ property }) => property);
  const active = portals.filter(({ state }) => state !== 'paused');
  return (
    <Table
      label={common.properties}
      columns={[[texts.property], [texts.price, 'num'], [texts.size], [common.status], [texts.onPortals], ['']]}
      rows={rows.map((row) => {
        const title = [typeNames.get(row.typeId), row.area, row.town].filter(Boolean).join(', ');
        const count = findings.get(row.identifier)?.length ?? 0;
        const signs = active
          .filter((portal) => leftOutOf(portal, row) === null)
          .map((portal) => ({ ...portal, isOff: heldBy(portal, row) === null }));
        const named = (isOff: boolean, text: (values: { portals: string }) => string) => {
          const titles = signs.filter((sign) => sign.isOff === isOff).map((sign) => sign.title);
          return titles.length > 0 && text({ portals: formatList(titles, language) });
        };
        const portalsHave = [named(false, texts.sentTo), named(true, texts.notSentTo)].filter(Boolean).join(', ');
        return [
          <Item
            sign={<Thumb row={row} alt={texts.noPicture} />}
            href={propertyPath(row.identifier)}
            title={title || row.reference}
            note={[...new Set([row.reference, row.identifier])].join(' · ')}
          />,
          <b>{pricesText(offersOf(row), visitor).join(', ')}</b>,
          <span class="muted">{sizeText(row, visitor)}</span>,
          <Status status={row.status} />,
          signs.length > 0 && <Logos signs={signs} label={portalsHave} />,
          count > 0 && (
            <a class="small" href={`${propertyPath(row.identifier)}#findings`}>
              {texts.fixCount({ count })}
            </a>
          ),
        ];
      })}
    />
  );
}

function Thumb({ row: { picture }, alt }: { readonly row: ListedRow; readonly alt: string }) {
  return picture !== null && /^https?:/.test(picture) ? (
    <img class="thumb" src={picture} alt="" loading="lazy" referrerpolicy="no-referrer" width="76" height="54" />
  ) : (
    <span class="thumb" title={alt}>
      <Icon name="picture" />
    </span>
  );
}

function sizeText({ beds, bath, builtArea, plotArea }: ListedRow, { language }: Visitor): string {
  const number = (value: number) => formatNumber(value, language);
  const area = builtArea ?? plotArea;
  const rooms = beds + bath === 0 ? '' : PROPERTIES[language].short({ beds, baths: Math.floor(bath) });
  return [rooms, area !== null && `${number(area)} m²`].filter(Boolean).join(' · ');
}
