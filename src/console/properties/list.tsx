import { readSetting, writeView } from '../../accounts/accounts.ts';
import type { SavedViews } from '../../db/schema.ts';
import { type ListedFacts, type ListedRow, withFacts } from '../../properties/store/listings.ts';
import { definePage } from '../define-page.tsx';
import { formatList, formatNumber, sortedNames } from '../format.ts';
import { ButtonForm, Choice, FilterBar, type FilterMenu, Hidden, Input } from '../frame/form.tsx';
import { Icon, Logos } from '../frame/icon.tsx';
import {
  Button,
  ButtonLink,
  entriesOf,
  Facts,
  Item,
  Pages,
  pageIn,
  Status,
  TableCard,
  type Todo,
} from '../frame/parts.tsx';
import { ImportLink } from '../imports/list.tsx';
import { propertyPath, withQuery } from '../paths.ts';
import { FIRST_SCREEN, Thumb } from '../pictures/thumb.tsx';
import { deliveredTo, type LeftOut, leftOutOf, withRefused } from '../portals/portal.ts';
import { preferenceOf } from '../preferences.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { BulkBar } from './bulk.tsx';
import { FILTERS, type FilterName } from './filters.ts';
import { type Found, findProperties, ORDERS } from './find.ts';
import { offersOf, pricesText, titleOf } from './property.ts';

const ROWS_PER_PAGE = 24;

/** The most views of an account, and the longest name of one. */
const MOST_VIEWS = 30;
const MAX_VIEW_NAME = 60;

interface Listed extends Found {
  readonly views: SavedViews;
  /** What is asked for, as a view has it. */
  readonly query: string;
}

/** The properties of an account: search, filters, pages; what is asked for can be saved as a view. */
export const propertyList = definePage<Listed>({
  find: async (visitor) => {
    const [found, views] = await Promise.all([
      findProperties(visitor),
      readSetting(visitor.db, visitor.account.id, 'views'),
    ]);
    const query = new URLSearchParams(found.asked as Record<string, string>);
    query.sort();
    return { ...found, views, query: query.toString() };
  },
  show: showProperties,
  actions: {
    save: async (visitor, { views, query }, fields) => {
      const texts = textsOf(visitor, 'properties').views;
      const name = (fields.get('name') ?? '').trim().normalize('NFC');
      if (name === '' || name.length > MAX_VIEW_NAME || query === '') return { why: texts.unnamed };
      if (Object.keys(views).length >= MOST_VIEWS && !Object.hasOwn(views, name))
        return { why: texts.tooMany({ most: MOST_VIEWS }) };
      await writeView(visitor.db, visitor.account.id, name, query);
      return { did: 'view.saved', with: name, next: `/properties?${query}` };
    },
    remove: async (visitor, { views, query }, fields) => {
      const name = fields.get('name') ?? '';
      if (!Object.hasOwn(views, name)) return null;
      await writeView(visitor.db, visitor.account.id, name, null);
      return { did: 'view.removed', with: name, next: `/properties?${query}` };
    },
  },
});

async function showProperties(visitor: Visitor, found: Listed): Promise<Page> {
  const { isEditor, common } = visitor;
  const texts = textsOf(visitor, 'properties');
  const { asked, rows, report } = found;
  const page = pageIn(visitor.c.req.query('page'));
  const keys = preferenceOf(visitor.c, 'keys', ['on', 'off']);
  const isFiltered = Object.keys(asked).some((name) => name !== 'order');
  const add = isEditor && (
    <ButtonLink href="/property/edit" icon="plus" kind="primary" text={texts.add} />
  );
  const menus = menusOf(visitor, found);
  const none = isFiltered
    ? noMatch(visitor, found, menus)
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
    { hidden: texts.toFix },
  ];
  const here = { ...asked, page: page === 1 ? undefined : String(page) };
  const density = preferenceOf(visitor.c, 'rows', ['high', 'low']);
  const other = density === 'high' ? 'low' : 'high';
  const looks = (
    <span class="actions">
      <a class="plain" data-looks href={withQuery('/properties', { ...here, rows: other })}>
        {texts.density[other]}
      </a>
      <button type="button" class="plain with-keys" popovertarget="keys">
        {texts.keys.title}
      </button>
    </span>
  );
  const shown = entriesOf(rows, page, ROWS_PER_PAGE);
  const cells = await tableRows(visitor, found, shown);
  const table = (
    <TableCard
      title={common.properties}
      more={looks}
      none={none}
      columns={isEditor ? [{ hidden: textsOf(visitor, 'bulk').selected }, ...columns] : columns}
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
        <Views {...found} canSave={isEditor && isFiltered} />
        <FilterBar
          path="/properties"
          search={{ name: 'q', label: texts.find }}
          menus={menus}
          values={asked}
        />
        <div class={density} data-keys={keys}>
          {isEditor && rows.length > 0 ? (
            <form action="/properties/change" class="selectable">
              <Hidden values={Object.entries(asked)} />
              {table}
              <BulkBar total={rows.length} shown={shown.map(({ identifier }) => identifier)} />
            </form>
          ) : (
            table
          )}
        </div>
        <Keys isOn={keys === 'on'} path={withQuery('/properties', here)} />
      </>
    ),
  };
}

/** That nothing matches: without which filter the most would, or else without all of them. */
function noMatch(visitor: Visitor, { asked, without }: Found, menus: readonly FilterMenu[]): Todo {
  const texts = textsOf(visitor, 'properties');
  const [best] = [...without].toSorted(([, a], [, b]) => b - a);
  const chosen = menus.find(({ name }) => name === best?.[0])?.chosen;
  const isOne = best !== undefined && chosen !== undefined;
  const href = isOne ? withQuery('/properties', { ...asked, [best[0]]: undefined }) : '/properties';
  return {
    icon: 'properties',
    text: texts.noMatch,
    why: isOne ? texts.without({ filter: chosen, count: best[1] }) : texts.noMatchWhy,
    action: <ButtonLink href={href} text={isOne ? texts.removeFilter : texts.removeFilters} />,
  };
}

/** The saved views as links, and a form that saves what is asked for, or removes the view that is shown. */
function Views({ views, query, canSave }: Listed & { readonly canSave: boolean }) {
  const { language, common, isEditor } = useVisitor();
  const texts = useTexts('properties').views;
  const names = sortedNames(Object.keys(views), language);
  const here = names.find((name) => views[name] === query);
  if (names.length === 0 && !canSave) return null;
  return (
    <nav class="tabs" aria-label={texts.title}>
      <a class="tab" href="/properties" aria-current={query === '' ? 'page' : undefined}>
        {texts.all}
      </a>
      {names.map((name) => (
        <a
          class="tab"
          href={`/properties?${views[name]}`}
          aria-current={name === here ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
      {here === undefined && canSave && (
        <details class="menu">
          <summary class="tab">
            <Icon name="plus" />
            {texts.save}
          </summary>
          <div>
            <form method="post" class="stack close">
              <Input
                name="name"
                id="view"
                label={texts.name}
                required
                maxlength={MAX_VIEW_NAME}
                autocomplete="off"
              />
              <Button text={common.save} />
            </form>
          </div>
        </details>
      )}
      {here !== undefined && isEditor && (
        <ButtonForm buttons={[{ does: 'remove', text: texts.remove }]}>
          <Hidden values={{ name: here }} />
        </ButtonForm>
      )}
    </nav>
  );
}

/** What single keys do in the list, where scripts run, and the link that switches them off. */
function Keys({ isOn, path }: { readonly isOn: boolean; readonly path: string }) {
  const texts = useTexts('properties').keys;
  const other = isOn ? 'off' : 'on';
  const keys: readonly (readonly [string, string])[] = [
    ['J K', texts.move],
    ['X', texts.select],
    ['Shift X', texts.selectTo],
    ['Enter', texts.open],
    ['E', texts.edit],
    ['/', texts.search],
    ['Esc', texts.clear],
    ['?', texts.show],
  ];
  const named = keys.map(([names, text]) => [
    names.split(' ').map((name) => (
      <>
        <kbd>{name}</kbd>{' '}
      </>
    )),
    text,
  ]);
  return (
    <section id="keys" popover="auto" class="card body stack close" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <Facts kind="short" facts={named} />
      <ButtonLink
        href={`${path}${path.includes('?') ? '&' : '?'}keys=${other}`}
        text={texts[other]}
      />
    </section>
  );
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
    ...{ beds: texts.form.fields.beds, town: texts.form.fields.town },
    ...{ portal: common.portals, finding: texts.toFix },
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
        picture={<Thumb address={row.picture} isEager={index < FIRST_SCREEN} />}
        href={propertyPath(row.identifier)}
        title={titleOf(row, names) || row.reference}
        note={[row.reference, row.area && row.town].filter(Boolean).join(' · ')}
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
