import { thumbnailOf } from '../../properties/pictures.ts';
import { type ListedFacts, type ListedRow, withFacts } from '../../properties/store/listings.ts';
import { formatList, formatNumber } from '../format.ts';
import { Choice, FilterBar, type FilterMenu, Hidden } from '../frame/form.tsx';
import { Icon, Logos } from '../frame/icon.tsx';
import { ButtonLink, entriesOf, Item, Pages, pageIn, Status, TableCard } from '../frame/parts.tsx';
import { ImportLink } from '../imports/list.tsx';
import { propertyPath } from '../paths.ts';
import { deliveredTo, type LeftOut, leftOutOf, withRefused } from '../portals/portal.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { BulkBar } from './bulk.tsx';
import { FILTERS, type FilterName } from './filters.ts';
import { type Found, findProperties, ORDERS } from './find.ts';
import { offersOf, pricesText } from './property.ts';

const ROWS_PER_PAGE = 24;
/** Rows whose pictures are requested at once: those of the first screen. */
const EAGER_ROWS = 8;

/** The properties of an account: search, filters, pages. */
export async function showProperties(visitor: Visitor): Promise<Page> {
  const { isEditor, common } = visitor;
  const texts = textsOf(visitor, 'properties');
  const found = await findProperties(visitor);
  const { asked, rows, report } = found;
  const page = pageIn(visitor.c.req.query('page'));
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
  const columns = [
    texts.property,
    { numbers: texts.price },
    texts.size,
    common.status,
    texts.onPortals,
    '',
  ];
  const cells = await tableRows(visitor, found, entriesOf(rows, page, ROWS_PER_PAGE));
  const table = (
    <TableCard
      title={common.properties}
      none={none}
      columns={isEditor ? ['', ...columns] : columns}
      rows={cells}
    >
      <Pages
        page={page}
        total={rows.length}
        perPage={ROWS_PER_PAGE}
        path="/properties"
        query={asked}
      />
    </TableCard>
  );
  const title = isFiltered ? texts.titleFiltered : texts.title;
  return {
    title: title({ count: rows.length }),
    lead: texts.lead,
    actions: add,
    checkedIn: report?.checkedIn,
    content: (
      <>
        <FilterBar
          path="/properties"
          search={{ name: 'q', label: texts.find }}
          menus={menusOf(visitor, found)}
          values={asked}
          clear={texts.removeFilters}
        />
        {isEditor && rows.length > 0 ? (
          <form action="/properties/change" class="selectable">
            <Hidden values={Object.entries(asked)} />
            {table}
            <BulkBar total={rows.length} />
          </form>
        ) : (
          table
        )}
      </>
    ),
  };
}

/** The filters with their values in words, and the orders. */
function menusOf(visitor: Visitor, { asked, counts, names, portals, report }: Found): FilterMenu[] {
  const { language, common } = visitor;
  const texts = textsOf(visitor, 'properties');
  const { reasons } = textsOf(visitor, 'portals');
  const fixes = new Map(report?.rules.map(({ code, fix }) => [code, fix]));
  const titles = new Map(portals.map(({ name, title }) => [name, title]));
  const offers = {
    sale: common.forSale,
    long: common.longTerm,
    short: common.shortTerm,
    none: texts.noOffer,
  };
  const inWords: Readonly<Record<FilterName, (value: string) => string>> = {
    status: (status) => textOf(common.statuses, status),
    offer: (offer) => textOf(offers, offer),
    type: (type) => names.types.get(type) ?? type,
    price: (range) => {
      const [from = '', to = ''] = range.split('-');
      const bounds = {
        from: formatNumber(Number(from), language),
        to: formatNumber(Number(to), language),
      };
      return to === '' ? texts.priceFrom(bounds) : texts.priceRange(bounds);
    },
    beds: (count) => texts.bedsFrom({ count: Number(count) }),
    town: (town) => town,
    portal: (value) => {
      const [name = '', reason] = value.split(':');
      const title = titles.get(name) ?? name;
      if (reason === undefined) return texts.onPortal({ title });
      const why = reasons[reason as LeftOut]?.({ count: 1 }) ?? reason;
      return texts.notOnPortal({ title, reason: why });
    },
    finding: (code) => fixes.get(code) ?? code,
  };
  const labels: Readonly<Record<FilterName, string>> = {
    ...{ status: common.status, offer: texts.offer, type: texts.type, price: texts.price },
    ...{ beds: texts.rooms, town: texts.place, portal: common.portals, finding: texts.toFix },
  };
  const menus = FILTERS.map((name): FilterMenu => {
    const values = [...counts.get(name)!];
    const options = values.map(([value, count]) => ({ value, text: inWords[name](value), count }));
    // Those of an order come in it, others by their number.
    const { compare } = new Intl.Collator(language, { numeric: true });
    const byName = name === 'town' || name === 'type' || name === 'portal';
    const isOrdered = name === 'price' || name === 'beds';
    const sorted = options.toSorted((a, b) =>
      isOrdered ? compare(a.value, b.value) : byName ? compare(a.text, b.text) : b.count - a.count,
    );
    const chosen = asked[name];
    return {
      name,
      label: labels[name],
      options: sorted,
      chosen: chosen === undefined ? undefined : inWords[name](chosen),
    };
  });
  const orders = ORDERS.map((value) => ({ value, text: texts.orders[value] }));
  return [...menus, { name: 'order', label: texts.order, options: orders }];
}

async function tableRows(
  visitor: Visitor,
  { portals, names, findings }: Found,
  shown: readonly ListedRow[],
) {
  const { db, account, language } = visitor;
  const texts = textsOf(visitor, 'properties');
  const [rows, all] = await Promise.all([
    withFacts(db, account.id, shown),
    withRefused(visitor, portals, shown),
  ]);
  const active = all.filter(({ state }) => state !== 'paused');
  return rows.map((row, index) => {
    const title = [names.types.get(row.type), row.area, row.town].filter(Boolean).join(', ');
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
    const select = textsOf(visitor, 'bulk').select({ name: row.reference });
    const box = (
      <Choice name="id" value={row.identifier} checked={false} text="" aria-label={select} />
    );
    return [
      ...(visitor.isEditor ? [box] : []),
      <Item
        picture={thumb(row, texts.noPicture, index < EAGER_ROWS)}
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

function thumb({ picture }: ListedFacts, none: string, isEager: boolean) {
  return picture !== null && /^https?:/.test(picture) ? (
    <img
      class="thumb"
      src={thumbnailOf(picture)}
      alt=""
      loading={isEager ? 'eager' : 'lazy'}
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
