import type { Child, JSX } from 'hono/jsx';
import { type EpochSeconds, isoTime } from '../../lib/time/time.ts';
import type { Severity } from '../../rules/rule.ts';
import type { UnitStatus } from '../../units/schemas.ts';
import { formatAgo, formatNumber, formatTime } from '../format.ts';
import { type Query, withQuery } from '../paths.ts';
import { textOf } from '../texts/texts.ts';
import { useGuest } from '../visit.ts';
import { Icon, type IconName } from './icon.tsx';

/** What a colour means: it always comes with words. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'none';

/** The colours of the statuses of properties that feeds show, by their names in feeds. */
export const STATUS_TONES: Readonly<Record<string, Tone>> = {
  Available: 'good',
  'Under Offer': 'warn',
  'Sale Agreed': 'info',
};

export const UNIT_TONES: Readonly<Record<UnitStatus, Tone>> = {
  1: 'good',
  2: 'info',
  8: 'warn',
  4: 'none',
};

export const SEVERITY_TONES = {
  error: 'bad',
  warning: 'warn',
  info: 'info',
} as const satisfies Record<Severity, Tone>;

export interface CardProps {
  readonly title: string;
  /** At the end of the header, such as a link to the complete list. */
  readonly more?: Child;
  /** Whether the content has no margin of its own: a list or a table. */
  readonly flush?: boolean;
  /** Shown instead of the content, if there is none yet: what will stand there, and how to begin. */
  readonly empty?: false | Todo;
  readonly id?: string | undefined;
  readonly children?: Child;
}

/** A titled part of a page. */
export function Card({ title, more, flush, empty, id, children }: CardProps) {
  const content = flush ? children : <div class="body stack close">{children}</div>;
  return (
    <section class="card" id={id}>
      <header>
        <h2>{title}</h2>
        {more && <span class="muted">{more}</span>}
      </header>
      {empty ? <Todos items={[empty]} /> : content}
    </section>
  );
}

/** A status in a word. */
export function Chip({ tone = 'none', children }: { tone?: Tone; children: Child }) {
  return <span class={`chip ${tone}`}>{children}</span>;
}

/** The status of a property. */
export function Status({ status }: { status: string }) {
  return (
    <Chip tone={STATUS_TONES[status] ?? 'none'}>{textOf(useGuest().common.statuses, status)}</Chip>
  );
}

const NOTICE_ICONS = { good: 'check', bad: 'alert', warn: 'warning', info: 'info' } as const;

export type NoticeKind = keyof typeof NOTICE_ICONS;

type NoticeProps = { kind: NoticeKind; actions?: Child; children: Child };

/** A message about what has just happened, with what can be done about it; read out by screen readers. */
export function Notice({ kind, actions, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={NOTICE_ICONS[kind]} />
      <div>{children}</div>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

/** Something that needs attention: what is the case, why it matters, and what resolves it. */
export interface Todo {
  readonly icon: IconName;
  /** `info` by default. */
  readonly tone?: Exclude<Tone, 'none'>;
  readonly text: Child;
  readonly why?: Child;
  readonly action?: Child;
}

export function Todos({ items }: { items: readonly Todo[] }) {
  return (
    <ul class="todo">
      {items.map(({ icon, tone = 'info', text, why, action }) => (
        <li>
          <span class={`mark ${tone}`}>
            <Icon name={icon} />
          </span>
          <div>
            <b>{text}</b>
            {why && <span class="muted">{why}</span>}
          </div>
          {action && <div class="actions">{action}</div>}
        </li>
      ))}
    </ul>
  );
}

/** A number with its name; next to it a note, if there is one. */
interface Figure {
  readonly id: string;
  readonly name: string;
  readonly value: number;
  readonly note?: Child;
  readonly href?: string | undefined;
}

export function Figures({ figures }: { figures: readonly Figure[] }) {
  const { language } = useGuest();
  return (
    <dl class="figures">
      {figures.map(({ id, name, value, note, href }) => {
        const Value = href === undefined ? 'span' : 'a';
        return (
          <div>
            <dt>{name}</dt>
            <dd>
              <Value id={id} href={href}>
                {formatNumber(value, language)}
              </Value>
              {note && <small> {note}</small>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Names and values, without those that have none: tall ones stand below their names, short ones always next to them. */
export function Facts({
  facts,
  kind,
}: {
  facts: readonly (readonly Child[])[];
  kind?: 'tall' | 'short';
}) {
  return (
    <dl class={`facts ${kind ?? ''}`}>
      {facts
        .filter(([, value]) => value || value === 0)
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

/** The name of a person or a thing, with a link and an icon or a picture. */
export function Item({
  picture,
  href,
  title,
  note,
}: {
  picture?: Child;
  href: string;
  title: Child;
  note?: Child;
}) {
  return (
    <span class="item">
      {picture}
      <span>
        <a href={href}>
          <b>{title}</b>
        </a>
        {note && <span class="muted">{note}</span>}
      </span>
    </span>
  );
}

interface Labelled {
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'danger' | undefined;
  readonly text: Child;
}

export type ButtonProps = Labelled & JSX.IntrinsicElements['button'];

/** A link that looks like a button. */
export function ButtonLink({ href, icon, kind, text }: Labelled & { readonly href: string }) {
  return (
    <a class={`button ${kind ?? ''}`.trim()} href={href}>
      {icon && <Icon name={icon} />}
      {text}
    </a>
  );
}

/** The button that sends a form; other properties are those of the element. */
export function Button({ icon, kind, text, ...attributes }: ButtonProps) {
  return (
    <button type="submit" class={`button ${kind ?? ''}`.trim()} {...attributes}>
      {icon && <Icon name={icon} />}
      {text}
    </button>
  );
}

/** A text with a button that copies it, where scripts run: they put `before` before what is chosen in a form. */
export function Copyable({ id, text, before }: { id: string; text: string; before?: string }) {
  return (
    <div class="copy">
      <code id={id} data-before={before}>
        {text}
      </code>
      <CopyButton of={id} />
    </div>
  );
}

export function CopyButton({ of }: { of: string }) {
  const { copy, copied } = useGuest().common;
  return (
    <Button
      data-copy={of}
      data-copied={copied}
      type="button"
      icon="copy"
      hidden
      aria-live="polite"
      text={<span>{copy}</span>}
    />
  );
}

/** How long ago something happened; the exact time is its title. */
export function Ago({ seconds }: { readonly seconds: EpochSeconds }) {
  const guest = useGuest();
  return (
    <time datetime={isoTime(seconds)} title={formatTime(seconds, guest)}>
      {formatAgo(seconds, guest)}
    </time>
  );
}

/** A column of a table: its title, unless its cells are numbers, or say by themselves what they are. */
export type Column = string | { readonly numbers: string } | { readonly hidden: string };

type TableProps = {
  label: string;
  columns: readonly Column[];
  rows: readonly (readonly Child[])[];
};

/** A table, which may scroll, by keyboard as well; on a narrow screen each row is a card. */
export function Table({ label, columns, rows }: TableProps) {
  const heads = columns.map((column) => {
    if (typeof column === 'string') return { title: column };
    return 'hidden' in column ? column : { title: column.numbers, kind: 'num' };
  }) as readonly { title?: string; hidden?: string; kind?: string }[];
  return (
    <section class="scroll" tabindex={0} aria-label={label}>
      <table class="cards">
        <thead>
          <tr>
            {heads.map(({ title, hidden, kind }) => (
              <th scope="col" class={kind}>
                {title ?? <span class="vh">{hidden}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, index) => (
                <td class={heads[index]!.kind} data-column={heads[index]!.title || undefined}>
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

interface ChangedProps {
  readonly name?: Child;
  readonly before: Child;
  readonly after: Child;
  /** Whether it is only mentioned. */
  readonly isQuiet?: true;
}

/** A value as it was and as it is, or would be: of a field, with its name. */
export function Changed({ name, before, after, isQuiet }: ChangedProps) {
  const prefix = name && <>{name}: </>;
  if (isQuiet)
    return (
      <div class="small muted">
        {prefix}
        {before} → {after}
      </div>
    );
  return (
    <div>
      {prefix}
      <s>{before}</s> → <b>{after}</b>
    </div>
  );
}

export interface TableCardProps extends Omit<TableProps, 'label'>, Pick<CardProps, 'id'> {
  readonly title: string;
  readonly more?: Child;
  readonly none?: Todo;
  /** A link to further rows. */
  readonly next?: Child;
  /** What stands below the table. */
  readonly children?: Child;
}

/** A table in a card of its own. */
export function TableCard({ id, title, more, none, next, children, ...table }: TableCardProps) {
  const isEmpty = table.rows.length === 0 && none !== undefined;
  return (
    <Card id={id} title={title} flush more={!isEmpty && more} empty={isEmpty && none}>
      <Table label={title} {...table} />
      {next && <div class="body">{next}</div>}
      {children}
    </Card>
  );
}

type PagesProps = {
  page: number;
  total: number;
  perPage: number;
  path: string;
  query: Query;
  hash?: string;
};

/** Links to the other pages of a list, if it has several; pages are numbered from 1. `query` is that of the first one. */
export function Pages({ page, total, perPage, path, query, hash = '' }: PagesProps) {
  const { common } = useGuest();
  const pathOf = (number: number) => withQuery(path, { ...query, page: String(number) }) + hash;
  if (total <= perPage) return null;
  const text = common.range({
    from: (page - 1) * perPage + 1,
    to: Math.min(page * perPage, total),
    total,
  });
  return (
    <nav class="pager" aria-label={text}>
      <span>{text}</span>
      <span class="actions">
        {page > 1 && <ButtonLink href={pathOf(page - 1)} text={common.previous} />}
        {page * perPage < total && <ButtonLink href={pathOf(page + 1)} text={common.next} />}
      </span>
    </nav>
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
