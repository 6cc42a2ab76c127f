import type { Overview } from '../../db/overview.ts';
import type { ReaderView } from '../../readers/view.ts';
import type { Report } from '../../rules/report.ts';
import type { UnitStatus } from '../../units/schemas.ts';
import { formatBytes, formatNumber, statusNames, Time } from '../format.tsx';
import { type Page, Table, type Visitor } from '../page.tsx';
import { query, unitPath } from '../paths.ts';
import { ReportFigures } from '../report/page.tsx';
import { countBy, countByPlace, groupsInFeeds, PLACES, totalOf } from './counts.ts';

const BARS_PER_CHART = 8;

/** What the account has: properties, findings about them, recent changes, cached feeds, and readers. */
export function overviewPage(
  visitor: Visitor,
  { groups, typeNames, changedProperties, changedUnits, cached }: Overview,
  readers: readonly ReaderView[],
  report: Report | null,
): Page {
  const { texts, language } = visitor;
  const counts = countByPlace(groups);
  const inFeeds = groupsInFeeds(groups);
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
            <Chart title={title} bars={bars.slice(0, BARS_PER_CHART)} number={number} />
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
