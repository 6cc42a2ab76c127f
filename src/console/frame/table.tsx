import type { Child } from 'hono/jsx';

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

interface PagerProps {
  /** Which entries are shown, in words. */
  readonly text: string;
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly labels: { readonly previous: string; readonly next: string };
}

/** The foot of a list that continues on other pages, whose paths are given. */
export function Pager({ text, previous, next, labels }: PagerProps) {
  return (
    <nav class="pager" aria-label={text}>
      <span>{text}</span>
      {(previous ?? next) !== undefined && (
        <span class="actions">
          {previous !== undefined && (
            <a class="button" href={previous} rel="prev">
              {labels.previous}
            </a>
          )}
          {next !== undefined && (
            <a class="button" href={next} rel="next">
              {labels.next}
            </a>
          )}
        </span>
      )}
    </nav>
  );
}
