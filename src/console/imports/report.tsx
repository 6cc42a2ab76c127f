import type { Child } from 'hono/jsx';
import type { ImportNames } from '../../db/schema.ts';
import type { StoredReport } from '../../imports/runs/manage.ts';
import { type ListedRow, listProperties } from '../../properties/store/listings.ts';
import { formatList, formatNumber, formatPrice, sortedNames } from '../format.ts';
import { Chip, type Column, Figures, Item, Notice, Table, TableCard } from '../frame/parts.tsx';
import { propertyPath } from '../paths.ts';
import { inWords, textOf } from '../texts/texts.ts';
import { JUMP_FACTOR } from '../units/form.ts';
import { type FormState, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { UnknownNames } from './names.tsx';
import { nodeText } from './nodes.ts';

/** Entries of each list of a report that the page shows. */
const SHOWN = 100;

/** Entries that are shown without unfolding the rest. */
const UNFOLDED = 10;

/** A listing that a report names, as it is now; one that is not stored would be new. */
interface NamedListing extends Pick<ListedRow, 'reference' | 'town'> {
  readonly isStored: boolean;
}

/** By identifiers. */
export type Listings = ReadonlyMap<string, NamedListing>;

export async function listingsIn(
  { db, account }: Visitor,
  report: StoredReport | null,
): Promise<Listings> {
  if (report === null) return new Map();
  const { rejected_records: rejected, interpreted, would_change: changes } = report;
  const identifiers = [
    ...rejected.slice(0, SHOWN).flatMap(({ id }) => id ?? []),
    ...report.withdrawn_properties.slice(0, SHOWN),
    ...interpreted.slice(0, SHOWN).flatMap(({ listings }) => listings.flatMap((id) => id ?? [])),
  ];
  const rows =
    identifiers.length === 0
      ? []
      : await listProperties(db, account.id, { identifiers, order: 'reference' });
  const named = new Map<string, NamedListing>();
  for (const { id, ref, town } of changes) named.set(id, { reference: ref, town, isStored: false });
  for (const row of rows) named.set(row.identifier, { ...row, isStored: true });
  return named;
}

interface ListingProps {
  readonly id: string;
  readonly listings: Listings;
}

/** A listing by its reference, with a link if it exists. */
function Listing({ id, listings }: ListingProps) {
  const { reference, isStored = false } = listings.get(id) ?? {};
  const name = <b>{reference || id}</b>;
  return isStored ? <a href={propertyPath(id)}>{name}</a> : name;
}

interface ReportProps {
  readonly report: StoredReport;
  readonly listings: Listings;
  /** What the account has mapped its names to. */
  readonly known: ImportNames;
  readonly form: FormState;
}

export function Report({ report, listings, known, form }: ReportProps) {
  const visitor = useVisitor();
  const { language, common } = visitor;
  const texts = useTexts('imports');
  const { properties, developments, units } = report;
  const counts = ['read', 'created', 'updated', 'unchanged', 'withdrawn', 'rejected'] as const;
  const hrefOf = (id: (typeof counts)[number]) => {
    if (properties[id] === 0 || id === 'read' || id === 'unchanged') return undefined;
    const isListed = report.dry_run || id === 'withdrawn' || id === 'rejected';
    // The list of properties begins with the last changes.
    return isListed ? `#list-${id}` : '/properties?order=changed';
  };
  const nameless = report.interpreted.find(
    ({ node, interpretation }) => node === 'id' && interpretation === 'missing',
  );
  const others = { [common.developments]: developments, [texts.units]: units };
  return (
    <>
      <Figures
        figures={counts.map((id) => ({
          id,
          name: report.dry_run ? texts.would[id] : texts[id],
          value: properties[id],
          href: hrefOf(id),
        }))}
      />
      {Object.entries(others)
        .filter(([, { read }]) => read > 0)
        .map(([name, { read, created, updated }]) => (
          <p>
            <b>{name}</b>: {texts.written({ read, written: created + updated })}
          </p>
        ))}
      {Object.entries(report.in_other_sources).map(([source, count]) => (
        <Notice kind="warn">{texts.inSource({ count, source })}</Notice>
      ))}
      {nameless && <Notice kind="warn">{texts.nameless({ count: nameless.times })}</Notice>}
      <WouldChange report={report} />
      <Section
        id="list-withdrawn"
        title={report.dry_run ? texts.wouldBeWithdrawn : texts.withdrawnListings}
        columns={[texts.listing, texts.town]}
        rows={report.withdrawn_properties.map((id) => [
          <Listing id={id} listings={listings} />,
          listings.get(id)?.town,
        ])}
        total={properties.withdrawn}
      />
      <UnknownNames known={known} names={report.unknown_names} form={form} />
      <Section
        id="list-rejected"
        title={texts.rejectedRecords}
        columns={[texts.record, texts.problem]}
        rows={report.rejected_records.map(({ line, id, problems }) => [
          <>
            {id !== null && <Listing id={id} listings={listings} />}{' '}
            <span class="muted">
              {[id && listings.get(id)?.town, texts.line({ line })].filter(Boolean).join(', ')}
            </span>
          </>,
          problems
            .map(({ field, ...problem }) =>
              [field && nodeText(field, visitor), inWords(language, problem)]
                .filter(Boolean)
                .join(': '),
            )
            .join('; '),
        ])}
      />
      <Section
        title={texts.interpreted}
        columns={[texts.field, texts.example, texts.meaning, texts.in]}
        rows={report.interpreted.map((one) => [
          nodeText(one.node, visitor),
          one.example.text === ''
            ? '–'
            : texts.exampleOf({
                text: one.example.text,
                as: textOf(texts.as, one.example.as) || '–',
              }),
          inWords(language, { code: one.interpretation }),
          <Where of={one} listings={listings} />,
        ])}
      />
      <Section
        title={texts.ignored}
        columns={[texts.field, { numbers: texts.times }]}
        rows={report.ignored.map(({ name, times }) => [
          <code>{name}</code>,
          formatNumber(times, language),
        ])}
      />
    </>
  );
}

interface WhereProps {
  readonly of: StoredReport['interpreted'][number];
  readonly listings: Listings;
}

/** In which listings a value was interpreted, as far as the report knows them, and how often in all. */
function Where({ of: { times, lines, listings: ids }, listings }: WhereProps) {
  const texts = useTexts('imports');
  const { language } = useVisitor();
  const known = [...new Set(ids.flatMap((id) => id ?? []))];
  if (known.length === 0)
    return <>{texts.lines({ lines: formatList(lines.map(String), language) })}</>;
  const rest = times - known.length;
  return (
    <>
      {known.map((id, index) => (
        <>
          {index > 0 && ', '}
          <Listing id={id} listings={listings} />
        </>
      ))}
      {rest > 0 && <span class="muted"> {texts.more({ count: rest })}</span>}
    </>
  );
}

/** What would be new, and what would change, if the file were imported. */
function WouldChange({ report }: Pick<ReportProps, 'report'>) {
  const visitor = useVisitor();
  const { language } = visitor;
  const texts = useTexts('imports');
  const { would_change: all, properties } = report;
  const price = (value: number | null) =>
    value === null ? visitor.common.onRequest : formatPrice(value, language);
  return (
    <>
      <Section
        id="list-created"
        title={texts.wouldBeNew}
        columns={[texts.listing, texts.town]}
        rows={all
          .filter(({ isNew }) => isNew)
          .map(({ id, ref, town }) => [<b>{ref || id}</b>, town])}
        total={properties.created}
      />
      <Section
        id="list-updated"
        title={texts.wouldChange}
        columns={[texts.listing, texts.whatChanges]}
        rows={all
          .filter(({ isNew }) => !isNew)
          .map((one) => [
            <Item href={propertyPath(one.id)} title={one.ref || one.id} note={one.town} />,
            <>
              {sortedNames(
                new Set(one.fields.map((field) => nodeText(field, visitor))),
                language,
              ).join(', ')}
              {one.price && (
                <div class="muted">
                  {price(one.price[0])} → {price(one.price[1])}{' '}
                  {isJump(one.price) && <Chip tone="warn">{texts.doubtful}</Chip>}
                </div>
              )}
            </>,
          ])}
        total={properties.updated}
      />
    </>
  );
}

/** Whether a price differs so much from the one before that it may be mistyped. */
function isJump([before, after]: readonly [number | null, number | null]): boolean {
  if (before === null || after === null) return false;
  return after > before * JUMP_FACTOR || after * JUMP_FACTOR < before;
}

type SectionProps = {
  id?: string;
  title: string;
  columns: readonly Column[];
  rows: readonly (readonly Child[])[];
  total?: number;
};

/** A list of a report, its first rows unfolded; nothing if it is empty. */
export function Section({ id, title, columns, rows, total = rows.length }: SectionProps) {
  const { language } = useVisitor();
  const texts = useTexts('imports');
  if (rows.length === 0) return null;
  const rest = rows.slice(UNFOLDED, SHOWN);
  return (
    <TableCard
      id={id}
      title={title}
      more={formatNumber(total, language)}
      columns={columns}
      rows={rows.slice(0, UNFOLDED)}
    >
      {rest.length > 0 && (
        <details class="rest">
          <summary class="body">{texts.more({ count: rest.length })}</summary>
          <Table label={title} columns={columns} rows={rest} />
        </details>
      )}
      {total > SHOWN && <p class="body muted">{texts.more({ count: total - SHOWN })}</p>}
    </TableCard>
  );
}
