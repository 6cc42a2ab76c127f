import type { Overview } from '../db/overview.ts';
import type { ReaderView } from '../readers/view.ts';
import type { UnitStatus } from '../units/change.ts';
import type { Report } from '../validator/report.ts';
import { formatBytes, formatNumber, statusNames, Time } from './format.tsx';
import { type Page, Table, type Visitor } from './page.tsx';
import { query, unitPath } from './paths.ts';
import { ReportFigures } from './report/page.tsx';

/** Entries of a chart. */
const MAX_BARS = 8;

type Group = Overview['groups'][number];

/** What the account has: properties, what is wrong with them, recent changes, its feeds in the cache, and its readers. */
export function overviewPage(
  visitor: Visitor,
  { groups, typeNames, changedProperties, changedUnits, cached }: Overview,
  readers: readonly ReaderView[],
  report: Report | null,
): Page {
  const { texts, language } = visitor;
  const counts = countByPlace(groups);
  const inFeeds = groups.filter((group) => placeOf(group) === 'inFeeds');
  const number = (value: number) => formatNumber(value, language);
  const names = statusNames(texts);
  const offers = {
    [texts.forSale]: inFeeds.filter((group) => group.forSale === 1),
    [texts.longTerm]: inFeeds.filter((group) => group.forLongTerm === 1),
    [texts.shortTerm]: inFeeds.filter((group) => group.forShortTerm === 1),
  };
  const charts: [string, [string, number][]][] = [
    [texts.status, countBy(groups, ({ status }) => texts.statuses[status] ?? status)],
    [texts.offers, Object.entries(offers).map(([name, those]) => [name, totalOf(those)])],
    [texts.type, countBy(inFeeds, (group) => typeNames.get(group.typeId) ?? '')],
    [texts.town, countBy(inFeeds, (group) => group.town)],
  ];
  return {
    title: texts.overview,
    content: (
      <>
        <dl class="figures">
          {PLACES.map((place) => (
            <div>
              <dt>{texts[place]}</dt>
              <dd id={place}>{number(counts[place])}</dd>
            </div>
          ))}
          <div>
            <dt>{texts.total}</dt>
            <dd id="properties">{number(totalOf(groups))}</dd>
          </div>
        </dl>
        <p>
          <small>{texts.totalHint}</small>
        </p>
        <div class="charts">
          {charts.map(([title, bars]) => (
            <Chart title={title} bars={bars.slice(0, MAX_BARS)} number={number} />
          ))}
        </div>
        {report && (
          <>
            <h2>
              <a href="/report">{texts.report}</a>
            </h2>
            <ReportFigures report={report} visitor={visitor} />
          </>
        )}
        <h2>{texts.changedProperties}</h2>
        {changedProperties.length === 0 ? (
          <p>{texts.noChanges}</p>
        ) : (
          <Table
            label={texts.changedProperties}
            columns={[[texts.property], [texts.reference], [texts.town], [texts.changedAt]]}
            rows={changedProperties.map(({ identifier, reference, town, changedAt }) => [
              <a href={`/feed?${query({ record: identifier })}#records`}>{identifier}</a>,
              reference,
              town,
              <Time seconds={changedAt} language={language} />,
            ])}
          />
        )}
        {changedUnits.length > 0 && <h2>{texts.changedUnits}</h2>}
        {changedUnits.length > 0 && (
          <Table
            label={texts.changedUnits}
            columns={[[texts.unit], [texts.status], [texts.price, 'number'], [texts.changedAt]]}
            rows={changedUnits.map((unit) => [
              <a href={unitPath(unit.development, unit.name)}>{`${unit.development} / ${unit.name}`}</a>,
              names[unit.status as UnitStatus],
              number(unit.price),
              <Time seconds={unit.changedAt} language={language} />,
            ])}
          />
        )}
        <h2>{texts.feeds}</h2>
        <p>{cached.length === 0 ? texts.noFeeds : texts.feedsHint}</p>
        {cached.length > 0 && (
          <Table
            label={texts.feeds}
            columns={[[texts.parameters], [texts.cached, 'number'], [texts.size, 'number'], [texts.lastUsed]]}
            rows={cached.map((feed) => [
              <code>{`${feed.format.replace(/-.*/, '')} ${feed.parameters}`}</code>,
              number(feed.parts),
              formatBytes(feed.bytes, language),
              <Time seconds={feed.lastUsedAt} language={language} />,
            ])}
          />
        )}
        {readers.length > 0 && (
          <>
            <h2>{texts.readers}</h2>
            <Table
              label={texts.readers}
              columns={[[texts.name], [texts.preset], [texts.keys, 'number'], [texts.status], [texts.lastVisit]]}
              rows={readers.map((reader) => [
                reader.name,
                <code>{reader.preset}</code>,
                number(reader.keys),
                reader.disabled || reader.keys === 0 ? texts.off : reader.late ? texts.late : texts.on,
                reader.last_visit_at === null ? (
                  '—'
                ) : (
                  <Time seconds={Date.parse(reader.last_visit_at) / 1_000} language={language} />
                ),
              ])}
            />
          </>
        )}
      </>
    ),
  };
}

interface ChartProps {
  readonly title: string;
  readonly bars: readonly (readonly [name: string, properties: number])[];
  readonly number: (value: number) => string;
}

/** A bar for each name. The numbers are text, so the bars are decoration. */
function Chart({ title, bars, number }: ChartProps) {
  const most = Math.max(1, ...bars.map(([, properties]) => properties));
  return (
    <section class="card">
      <h2>{title}</h2>
      <table class="bars">
        <tbody>
          {bars.map(([name, properties]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={(100 * properties) / most} height="10" />
                </svg>
              </td>
              <td class="number">{number(properties)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Where a property is: in feeds, or why it is in none. */
const PLACES = ['inFeeds', 'soldProperties', 'withoutOffer', 'withdrawn'] as const;

type Place = (typeof PLACES)[number];

function placeOf({ status, forSale, forLongTerm, forShortTerm }: Group): Place {
  if (status === 'Withdrawn') return 'withdrawn';
  if (status === 'Sold') return 'soldProperties';
  return forSale + forLongTerm + forShortTerm === 0 ? 'withoutOffer' : 'inFeeds';
}

function countByPlace(groups: readonly Group[]): Readonly<Record<Place, number>> {
  const of = (place: Place) => totalOf(groups.filter((group) => placeOf(group) === place));
  return {
    inFeeds: of('inFeeds'),
    soldProperties: of('soldProperties'),
    withoutOffer: of('withoutOffer'),
    withdrawn: of('withdrawn'),
  };
}

function totalOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { properties }) => sum + properties, 0);
}

/** Properties by name, most first. */
function countBy(groups: readonly Group[], nameOf: (group: Group) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(nameOf(group), (counts.get(nameOf(group)) ?? 0) + group.properties);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
