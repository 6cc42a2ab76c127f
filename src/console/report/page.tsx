import type { Context } from 'hono';
import { reportQuery } from '../../api/report/schemas.ts';
import type { AppEnv } from '../../env.ts';
import { validate } from '../../http/validation.ts';
import { PORTALS } from '../../rules/portals.ts';
import type { Report, ReportedFinding, ReportFilter, RuleCount } from '../../rules/report.ts';
import type { Severity } from '../../rules/rule.ts';
import { formatList, formatNumber } from '../format.tsx';
import { Choice, Choices, Hidden, OptionList, Submit } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Chip, Figures, Links } from '../frame/parts.tsx';
import { SEVERITY_TONES } from '../frame/status.tsx';
import { entriesOf, Pages, pageIn, Table } from '../frame/table.tsx';
import { may, notFoundPage } from '../guards.tsx';
import { propertyPath, query, withQuery } from '../paths.ts';
import { REPORT } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { loadReport } from './load.ts';

const FINDINGS_PER_PAGE = 100;

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** What is wrong with the listings, grouped by what to do; or, for one rule, with which. */
export async function showReport(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const filter = reportFilter(c);
  const report = filter && (await loadReport(c, visitor, filter));
  if (filter === null || report === null) return notFoundPage(visitor);
  return reportPage(visitor, report, filter, pageIn(c.req.query('page')));
}

/** The same as CSV. */
export async function downloadReport(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  const filter = reportFilter(c);
  const report = filter && (await loadReport(c, visitor, filter));
  if (report === null) return notFoundPage(visitor);
  return new Response(reportCsv(report), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="report-${visitor.account.code}.csv"`,
      'Cache-Control': 'no-store',
    },
  });
}

/** The filter in a query; `null` if a value is not allowed. A form sends an empty value for each choice that was not made. */
function reportFilter(c: Context<AppEnv>): ReportFilter | null {
  const given = Object.entries(c.req.query()).filter(([, value]) => value !== '');
  const filter = validate(reportQuery, Object.fromEntries(given));
  return 'errors' in filter ? null : filter.value;
}

function reportPage(visitor: Visitor, report: Report, filter: ReportFilter, page: number): Page {
  const texts = REPORT[visitor.language];
  const { properties, withErrors, rules } = report;
  const given = { portal: filter.portal, severity: filter.severity, rule: filter.rule };
  const rule = filter.rule === undefined ? undefined : rules[0];
  const overall =
    withErrors > 0
      ? texts.errors({ count: withErrors, listings: texts.affected({ count: properties }) })
      : texts.noErrors({ count: properties });
  return {
    title: rule?.fix ?? (rules.length === 0 ? texts.clean({ count: properties }) : overall),
    lead: rule?.explanation ?? texts.lead,
    crumbs:
      filter.rule === undefined ? [] : [[visitor.texts.report, withQuery('/report', { ...given, rule: undefined })]],
    actions: (
      <a class="button" href={withQuery('/report.csv', given)} download>
        {texts.csv}
      </a>
    ),
    content: (
      <div class="stack">
        {filter.rule === undefined && <ReportFigures report={report} />}
        {filter.rule === undefined && <FilterForm filter={filter} />}
        {rules.length === 0 && (
          <Card title={texts.none} empty={{ icon: 'check', tone: 'good', text: texts.none, why: texts.noneWhy }} />
        )}
        {filter.rule === undefined
          ? rules.map((one) => <RuleCard rule={one} report={report} given={given} />)
          : rule !== undefined && <Findings report={report} given={given} page={page} />}
        {filter.portal === undefined && filter.rule === undefined && may(visitor, 'editor') && (
          <Settings report={report} />
        )}
      </div>
    ),
  };
}

type Given = Readonly<Record<string, string | undefined>>;

/** How many listings were checked, and what was found. */
function ReportFigures({ report }: { readonly report: Report }) {
  const { language } = useVisitor();
  const texts = useTexts(REPORT);
  const figures: [string, string, number][] = [
    ['checked', texts.checked, report.properties],
    ['with-errors', texts.withErrors, report.withErrors],
    ...SEVERITIES.map((severity): [string, string, number] => [severity, texts[severity], report.counts[severity]]),
  ];
  return <Figures figures={figures.map(([id, name, value]) => ({ id, name, value: formatNumber(value, language) }))} />;
}

function FilterForm({ filter }: { readonly filter: ReportFilter }) {
  const { texts: common } = useVisitor();
  const texts = useTexts(REPORT);
  return (
    <form action="/report" class="bar">
      <label>
        {texts.portal}
        <select name="portal">
          <OptionList options={[['', texts.allPortals], ...Object.entries(PORTALS)]} value={filter.portal ?? ''} />
        </select>
      </label>
      <label>
        {texts.severity}
        <select name="severity">
          <OptionList
            options={[['', texts.allSeverities], ...SEVERITIES.map((severity) => [severity, texts[severity]] as const)]}
            value={filter.severity ?? ''}
          />
        </select>
      </label>
      <Button>{common.apply}</Button>
    </form>
  );
}

/** Affected listings that are named on the card of a rule. */
const NAMED = 4;

function RuleCard({ rule, report, given }: { rule: RuleCount; report: Report; given: Given }) {
  const visitor = useVisitor();
  const { language, texts: common } = visitor;
  const texts = useTexts(REPORT);
  const { code, severity, properties, fix, explanation, portals } = rule;
  const names = portals.map((portal) => PORTALS[portal]);
  const named = report.findings.filter((finding) => finding.rule === code).slice(0, NAMED);
  return (
    <Card title={fix} more={<Chip tone={SEVERITY_TONES[severity]}>{common.severities[severity]}</Chip>}>
      <div class="stack close">
        <p>{explanation}</p>
        <p class="small muted">
          <Links
            links={named.map(({ property }) => [property, propertyLink(property, visitor)] as const)}
            hasMore={properties > named.length}
          />
        </p>
        <div class="actions">
          <ButtonLink href={`/report?${query({ ...given, rule: code })}`}>
            {texts.see({ count: properties })}
          </ButtonLink>
          {portals.length > 0 && <span class="tag">{texts.onlyFor({ portals: formatList(names, language) })}</span>}
          {may(visitor, 'editor') && (
            <form method="post" action="/report">
              <Hidden values={{ portal: report.portals, muted: [...report.muted, code] }} />
              <button type="submit" class="plain small">
                {texts.hide}
              </button>
            </form>
          )}
          <code class="small muted">{code}</code>
        </div>
      </div>
    </Card>
  );
}

/** The page about a property; readers have none, and see its record. */
function propertyLink(id: string, visitor: Visitor): string {
  return visitor.reader === null ? propertyPath(id) : `/feed?${query({ record: id })}#records`;
}

function Findings({ report, given, page }: { report: Report; given: Given; page: number }) {
  const visitor = useVisitor();
  const texts = useTexts(REPORT);
  const { findings } = report;
  return (
    <Card title={texts.affected({ count: findings.length })} flush>
      <Table
        label={texts.affected({ count: findings.length })}
        columns={[[texts.property], [texts.fields], [texts.value]]}
        rows={entriesOf(findings, page, FINDINGS_PER_PAGE).map(({ property, node, value }) => [
          <a href={propertyLink(property, visitor)}>{property}</a>,
          <code>{node}</code>,
          value,
        ])}
      />
      <Pages
        page={page}
        total={findings.length}
        perPage={FINDINGS_PER_PAGE}
        path={(to) => `/report?${query({ ...given, page: String(to) })}`}
      />
    </Card>
  );
}

/** The portals that count, and the rules that are hidden. */
function Settings({ report: { portals, muted } }: { readonly report: Report }) {
  const { texts: common } = useVisitor();
  const texts = useTexts(REPORT);
  return (
    <Card title={texts.used}>
      <form method="post" action="/report" class="stack close">
        <p class="muted">{texts.usedWhy}</p>
        <div class="choices">
          {Object.entries(PORTALS).map(([portal, name]) => (
            <Choice name="portal" value={portal} checked={(portals as readonly string[]).includes(portal)}>
              {name}
            </Choice>
          ))}
        </div>
        {muted.length > 0 && (
          <Choices legend={texts.hidden}>
            {muted.map((code) => (
              <Choice name="muted" value={code} checked>
                {code}
              </Choice>
            ))}
          </Choices>
        )}
        <Submit>{common.save}</Submit>
      </form>
    </Card>
  );
}

/** The findings as CSV (RFC 4180), in UTF-8 with a byte order mark, by which spreadsheets recognise it. */
function reportCsv({ rules, findings }: Report): string {
  const byCode = new Map(rules.map((rule) => [rule.code, rule]));
  const rows = findings.map(({ rule, property, node, value }: ReportedFinding) => {
    const { severity, explanation = '', fix = '' } = byCode.get(rule) ?? {};
    return [property, rule, severity ?? '', node, value, explanation, fix];
  });
  const lines = [['property', 'rule', 'severity', 'node', 'value', 'explanation', 'fix'], ...rows];
  return `\ufeff${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** Quotes a text that begins like a formula, which a spreadsheet would compute. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
