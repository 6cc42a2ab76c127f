import type { Child } from 'hono/jsx';
import { useGuest } from '../visit.ts';
import { Card, type Nothing } from './parts.tsx';

/** A column of a table: its title, and whether its cells are numbers. */
type Column = readonly [title: string, kind?: 'num'];

type TableProps = { label: string; columns: readonly Column[]; rows: readonly (readonly Child[])[] };

/** A table, which may scroll, by keyboard as well; on a narrow screen each row is a card. */
export function Table({ label, columns, rows }: TableProps) {
  return (
    <section class="scroll" tabindex={0} aria-label={label}>
      <table class="cards">
        <thead>
          <tr>
            {columns.map(([title, kind]) => (
              <th scope="col" class={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, index) => (
                <td class={columns[index]?.[1]} data-column={columns[index]?.[0] || undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface TableCardProps extends Omit<TableProps, 'label'> {
  readonly title: string;
  readonly more?: Child;
  /** What stands there without rows. */
  readonly none?: Nothing;
  /** What stands below the table. */
  readonly children?: Child;
}

/** A table in a card of its own. */
export function TableCard({ title, more, none, children, ...table }: TableCardProps) {
  const isEmpty = table.rows.length === 0 && none !== undefined;
  return (
    <Card title={title} flush more={!isEmpty && more} empty={isEmpty && none}>
      <Table label={title} {...table} />
      {children}
    </Card>
  );
}

type Around<Value> = { readonly previous: Value; readonly next: Value };

/** The foot of a list that continues on other pages: which entries are shown, in words, and the paths of other pages. */
export function Pager({
  text,
  labels,
  ...paths
}: { text: string; labels?: Around<string> } & Around<string | undefined>) {
  const texts = labels ?? useGuest().texts;
  const link = (name: 'previous' | 'next', rel: string) =>
    paths[name] !== undefined && (
      <a class="button" href={paths[name]} rel={rel}>
        {texts[name]}
      </a>
    );
  return (
    <nav class="pager" aria-label={text}>
      <span>{text}</span>
      <span class="actions">
        {link('previous', 'prev')}
        {link('next', 'next')}
      </span>
    </nav>
  );
}

type PagesProps = { page: number; total: number; perPage: number; path: (page: number) => string };

/** The foot of a list of so many entries whose pages have numbers, from 1, if there are several. */
export function Pages({ page, total, perPage, path }: PagesProps) {
  const { texts } = useGuest();
  if (total <= perPage) return null;
  return (
    <Pager
      text={texts.range({ from: (page - 1) * perPage + 1, to: Math.min(page * perPage, total), total })}
      previous={page > 1 ? path(page - 1) : undefined}
      next={page * perPage < total ? path(page + 1) : undefined}
    />
  );
}

/** The number of a page in a query; the first one if it is not a number. */
export function pageIn(query: string | undefined): number {
  return /^[1-9]\d{0,5}$/.test(query ?? '') ? Number(query) : 1;
}

/** The entries of a page. */
export function entriesOf<Entry>(all: readonly Entry[], page: number, perPage: number): Entry[] {
  return all.slice((page - 1) * perPage, page * perPage);
}
