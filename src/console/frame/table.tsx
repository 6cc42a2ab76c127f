import type { Child } from 'hono/jsx';
import { useGuest } from '../visit.ts';
import { Card, type Nothing } from './parts.tsx';

/** A column of a table: its title, and whether its cells are numbers. */
export type Column = readonly [title: string, kind?: 'num'];

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Child[])[];
}

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

interface PagerProps {
  /** Which entries are shown, in words. */
  readonly text: string;
  /** The paths of other pages. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly labels: { readonly previous: string; readonly next: string };
}

/** The foot of a list that continues on other pages. */
export function Pager({ text, previous, next, labels }: PagerProps) {
  const link = (rel: 'prev' | 'next', href: string | undefined, label: string) =>
    href !== undefined && (
      <a class="button" href={href} rel={rel}>
        {label}
      </a>
    );
  return (
    <nav class="pager" aria-label={text}>
      <span>{text}</span>
      <span class="actions">
        {link('prev', previous, labels.previous)}
        {link('next', next, labels.next)}
      </span>
    </nav>
  );
}

interface PagesProps {
  /** From 1. */
  readonly page: number;
  /** How many entries all pages have together. */
  readonly total: number;
  readonly perPage: number;
  readonly path: (page: number) => string;
}

/** The foot of a list whose pages have numbers, if there are several. */
export function Pages({ page, total, perPage, path }: PagesProps) {
  const common = useGuest().texts;
  if (total <= perPage) return null;
  return (
    <Pager
      text={common.range({ from: (page - 1) * perPage + 1, to: Math.min(page * perPage, total), total })}
      previous={page > 1 ? path(page - 1) : undefined}
      next={page * perPage < total ? path(page + 1) : undefined}
      labels={common}
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
