import type { Context } from 'hono';
import { type ListedRow, type ListFilter, type ListOrder, listProperties, type Offer } from '../../db/listings.ts';
import { countProperties, readTypeNames } from '../../db/overview.ts';
import type { AppEnv } from '../../env.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import type { Report } from '../../rules/report.ts';
import { formatList, formatNumber } from '../format.tsx';
import { OptionList, type Options } from '../frame/form.tsx';
import { Icon } from '../frame/icon.tsx';
import { Logos } from '../frame/logo.tsx';
import { ButtonLink, Card, Chip, Empty } from '../frame/parts.tsx';
import { Pager, Table } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { propertyPath, withQuery } from '../paths.ts';
import { heldBy, isListedFor, loadPortals, type PortalView } from '../portals/portal.ts';
import { loadReport } from '../report/load.ts';
import { textOf } from '../texts/catalogue.ts';
import { STATUSES } from '../texts/common.ts';
import { STATUS_TONES } from '../texts/tones.ts';
import type { Page, Visitor } from '../visit.ts';
import { pricesText } from './price.ts';
import { PROPERTIES } from './texts.ts';

const ROWS_PER_PAGE = 24;
const MAX_TOWNS = 200;
const MAX_SEARCH_LENGTH = 100;
const OFFERS: readonly Offer[] = ['sale', 'long', 'short', 'none'];
const ORDERS: readonly ListOrder[] = ['changed', 'price', 'reference'];

/** What a list of properties was asked for, as in its URL. */
type Asked = Readonly<Record<'q' | 'status' | 'offer' | 'town' | 'portal' | 'finding' | 'order', string | undefined>>;

/** The properties of an account: search, filters, pages. */
export async function showProperties(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, language, now, texts: common } = visitor;
  const texts = PROPERTIES[language];
  const { DB } = c.env;
  const asked = readAsked(c.req.query());
  const page = /^[1-9]\d{0,4}$/.test(c.req.query('page') ?? '') ? Number(c.req.query('page')) : 1;
  const reading = Promise.all([
    loadPortals(DB, account.id, now),
    readTypeNames(DB, account.id, language === 'es' ? 2 : 1),
    countProperties(DB, account.id),
  ]);
  const [[portals, typeNames, groups], report] = await Promise.all([
    orUnavailable('properties', reading),
    loadReport(c, visitor, asked.finding === undefined ? {} : { rule: asked.finding }),
  ]);
  const filter = filterOf(asked, report);
  const ofPortal = portals.find(({ name }) => name === asked.portal);
  const [from, limit] = ofPortal === undefined ? [(page - 1) * ROWS_PER_PAGE, ROWS_PER_PAGE] : [0, 1_000_000];
  const found = await orUnavailable('properties', listProperties(DB, account.id, filter, from, limit));
  const listed = ofPortal && found.rows.filter((row) => isListedFor(ofPortal, row));
  const total = listed?.length ?? found.total;
  const rows = listed?.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE) ?? found.rows;
  const isFiltered = Object.entries(asked).some(([name, value]) => value !== undefined && name !== 'order');
  const towns = Map.groupBy(groups, ({ town }) => town);
  const pages = Math.max(1, Math.ceil(total / ROWS_PER_PAGE));
  const path = (to: number) =>
    to < 1 || to > pages ? undefined : withQuery('/properties', { ...asked, page: String(to) });
  const add = may(visitor, 'editor') && (
    <ButtonLink href="/property/edit" icon="plus" kind="primary">
      {texts.add}
    </ButtonLink>
  );
  return {
    title: isFiltered ? texts.titleFiltered({ count: total }) : texts.title({ count: total }),
    lead: asked.finding === undefined ? texts.lead : report?.rules[0] && texts.finding({ fix: report.rules[0].fix }),
    actions: add,
    content: (
      <>
        <FilterForm
          asked={asked}
          portals={portals}
          towns={[...towns.keys()]
            .filter((town) => town !== '')
            .sort()
            .slice(0, MAX_TOWNS)}
          report={report}
          visitor={visitor}
        />
        <Card title={common.properties} flush>
          {rows.length === 0 ? (
            <Empty
              icon="properties"
              title={isFiltered ? texts.noMatch : texts.none}
              action={isFiltered ? <ButtonLink href="/properties">{texts.removeFilters}</ButtonLink> : add}
            >
              {isFiltered ? texts.noMatchWhy : texts.noneWhy}
            </Empty>
          ) : (
            <>
              <Rows rows={rows} portals={portals} typeNames={typeNames} report={report} visitor={visitor} />
              <Pager
                text={common.range({
                  from: (page - 1) * ROWS_PER_PAGE + 1,
                  to: (page - 1) * ROWS_PER_PAGE + rows.length,
                  total,
                })}
                previous={path(page - 1)}
                next={path(page + 1)}
                labels={common}
              />
            </>
          )}
        </Card>
      </>
    ),
  };
}

function readAsked(query: Readonly<Record<string, string>>): Asked {
  const given = (name: string) => query[name]?.trim().slice(0, MAX_SEARCH_LENGTH) || undefined;
  return {
    q: given('q'),
    status: given('status'),
    offer: given('offer'),
    town: given('town'),
    portal: given('portal'),
    finding: given('finding'),
    order: given('order'),
  };
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
  readonly visitor: Visitor;
}

function FilterForm({ asked, portals, towns, report, visitor }: FilterProps) {
  const { language, texts: common } = visitor;
  const texts = PROPERTIES[language];
  const selects: [name: keyof Asked, label: string, options: Options][] = [
    [
      'status',
      common.status,
      [['', texts.anyStatus], ...STATUSES.map((status) => [status, common.statuses[status]] as const)],
    ],
    [
      'offer',
      texts.price,
      [
        ['', texts.anyOffer],
        ['sale', common.forSale],
        ['long', common.longTerm],
        ['short', common.shortTerm],
        ['none', texts.noOffer],
      ],
    ],
    ['town', texts.place, [['', texts.anyTown], ...towns.map((town) => [town, town] as const)]],
    [
      'portal',
      common.portals,
      [['', texts.anyPortal], ...portals.map(({ name, title }) => [name, texts.onPortal({ title })] as const)],
    ],
    [
      'finding',
      common.report,
      [['', texts.anyFinding], ...(report?.rules ?? []).map(({ code, fix }) => [code, fix] as const)],
    ],
    ['order', texts.order, ORDERS.map((order) => [order, texts.orders[order]] as const)],
  ];
  return (
    <form action="/properties" class="bar">
      <div class="search">
        <label for="q" class="away">
          {texts.find}
        </label>
        <Icon name="search" />
        <input
          id="q"
          name="q"
          type="search"
          value={asked.q ?? ''}
          maxlength={MAX_SEARCH_LENGTH}
          placeholder={texts.find}
        />
      </div>
      {selects
        .filter(([, , options]) => options.length > 1)
        .map(([name, label, options]) => (
          <select name={name} aria-label={label} data-apply>
            <OptionList options={options} value={asked[name] ?? ''} />
          </select>
        ))}
      <button type="submit" class="button">
        {common.search}
      </button>
    </form>
  );
}

interface RowsProps {
  readonly rows: readonly ListedRow[];
  readonly portals: readonly PortalView[];
  readonly typeNames: ReadonlyMap<number, string>;
  readonly report: Report | null;
  readonly visitor: Visitor;
}

function Rows({ rows, portals, typeNames, report, visitor }: RowsProps) {
  const { language, texts: common } = visitor;
  const texts = PROPERTIES[language];
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
          .filter((portal) => isListedFor(portal, row))
          .map((portal) => ({ ...portal, isOff: heldBy(portal, row) === null }));
        const named = (isOff: boolean, text: (values: { portals: string }) => string) => {
          const titles = signs.filter((sign) => sign.isOff === isOff).map((sign) => sign.title);
          return titles.length > 0 && text({ portals: formatList(titles, language) });
        };
        const portalsHave = [named(false, texts.sentTo), named(true, texts.notSentTo)].filter(Boolean).join(', ');
        return [
          <span class="item">
            <Thumb row={row} alt={texts.noPicture} />
            <span>
              <a href={propertyPath(row.identifier)}>
                <b>{title || row.reference}</b>
              </a>
              <span class="muted">
                {row.identifier === row.reference ? row.reference : `${row.reference} · ${row.identifier}`}
              </span>
            </span>
          </span>,
          <b>{pricesText(pricesOf(row), visitor).join(', ')}</b>,
          <span class="muted">{sizeText(row, visitor)}</span>,
          <Chip tone={STATUS_TONES[row.status] ?? 'none'}>{textOf(common.statuses, row.status)}</Chip>,
          signs.length > 0 ? <Logos signs={signs} label={portalsHave} /> : '',
          count > 0 ? (
            <a class="small" href={`${propertyPath(row.identifier)}#findings`}>
              {texts.fixCount({ count })}
            </a>
          ) : (
            ''
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

function pricesOf(row: ListedRow) {
  return {
    currency: row.currency,
    ...(row.forSale === 1 ? { sale: row.salePrice } : {}),
    ...(row.forLongTerm === 1 ? { month: row.monthlyRent } : {}),
    ...(row.forShortTerm === 1 ? { weeks: [row.lowRent, row.highRent] } : {}),
  };
}

function sizeText({ beds, bath, builtArea, plotArea }: ListedRow, { language }: Visitor): string {
  const number = (value: number) => formatNumber(value, language);
  const area = builtArea ?? plotArea;
  const rooms = beds + bath === 0 ? '' : PROPERTIES[language].short({ beds, baths: Math.floor(bath) });
  return [rooms, area !== null && `${number(area)} m²`].filter(Boolean).join(' · ');
}
