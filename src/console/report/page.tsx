import { PORTALS } from '../../rules/portals.ts';
import type { Report, ReportFilter } from '../../rules/report.ts';
import { SEVERITIES } from '../../rules/rule.ts';
import { formatNumber } from '../format.tsx';
import { type Page, Table, type Visitor } from '../page.tsx';
import { query } from '../paths.ts';
import { ReportSettingsForm } from './settings.tsx';

const FINDINGS_PER_PAGE = 100;

/** What is wrong with the properties: by rule and, for one rule, the affected properties. */
export function reportPage(visitor: Visitor, report: Report, filter: ReportFilter, page: number): Page {
  const { texts, language } = visitor;
  const number = (value: number) => formatNumber(value, language);
  const given = { portal: filter.portal, severity: filter.severity, rule: filter.rule };
  return {
    title: texts.report,
    content: (
      <>
        <ReportFigures report={report} visitor={visitor} />
        <form action="/report" class="parameters">
          {filter.rule !== undefined && <input type="hidden" name="rule" value={filter.rule} />}
          <Choice name="portal" title={texts.portal} all={texts.all} chosen={filter.portal} choices={PORTALS} />
          <Choice
            name="severity"
            title={texts.severity}
            all={texts.all}
            chosen={filter.severity}
            choices={Object.fromEntries(SEVERITIES.map((severity) => [severity, texts[severity]]))}
          />
          <p>
            <button type="submit">{texts.apply}</button>
          </p>
        </form>
        <p>
          <a href={`/report.csv?${query(given)}`} download>
            CSV
          </a>
          {filter.rule !== undefined && (
            <>
              {' · '}
              <a href={`/report?${query({ ...given, rule: undefined })}`}>{texts.allRules}</a>
            </>
          )}
        </p>
        {report.rules.length === 0 ? (
          <p>{texts.noFindings}</p>
        ) : (
          <Table
            label={texts.rules}
            columns={[
              [texts.rule],
              [texts.severity],
              [texts.properties, 'number'],
              [texts.meaning],
              [texts.fix],
              [texts.portal],
            ]}
            rows={report.rules.map((rule) => [
              <a href={`/report?${query({ ...given, rule: rule.code })}`}>{rule.code}</a>,
              texts.severities[rule.severity],
              number(rule.properties),
              rule.explanation,
              rule.fix,
              rule.portals.length === 0 ? texts.all : rule.portals.map((portal) => PORTALS[portal]).join(', '),
            ])}
          />
        )}
        {filter.rule !== undefined && report.findings.length > 0 && (
          <Findings
            texts={texts}
            report={report}
            page={page}
            path={(other) => `/report?${query({ ...given, page: other })}`}
          />
        )}
        {visitor.reader === null && filter.portal === undefined && (
          <ReportSettingsForm report={report} filter={filter} visitor={visitor} />
        )}
      </>
    ),
  };
}

/** How many properties were checked, and what was found. */
export function ReportFigures({ report, visitor }: { readonly report: Report; readonly visitor: Visitor }) {
  const { texts, language } = visitor;
  const figures: [string, string, number][] = [
    ['checked', texts.checked, report.properties],
    ['with-errors', texts.withErrors, report.withErrors],
    ...SEVERITIES.map((severity): [string, string, number] => [severity, texts[severity], report.counts[severity]]),
  ];
  return (
    <dl class="figures">
      {figures.map(([id, name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd id={id}>{formatNumber(value, language)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly title: string;
  readonly all: string;
  readonly chosen: string | undefined;
  readonly choices: Readonly<Record<string, string>>;
}

function Choice({ name, title, all, chosen, choices }: ChoiceProps) {
  return (
    <label>
      {title}
      <select name={name}>
        <option value="">{all}</option>
        {Object.entries(choices).map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

type FindingsProps = Pick<Visitor, 'texts'> & {
  readonly report: Report;
  readonly page: number;
  readonly path: (page: string) => string;
};

function Findings({ texts, report: { findings }, page, path }: FindingsProps) {
  const shown = findings.slice((page - 1) * FINDINGS_PER_PAGE, page * FINDINGS_PER_PAGE);
  return (
    <>
      <h2>{texts.affected}</h2>
      <Table
        label={texts.affected}
        columns={[[texts.property], [texts.node], [texts.value]]}
        rows={shown.map(({ property, node, value }) => [
          <a href={`/feed?${query({ record: property })}#records`}>{property}</a>,
          <code>{node}</code>,
          value,
        ])}
      />
      {page * FINDINGS_PER_PAGE < findings.length && (
        <p>
          <a href={path(String(page + 1))} rel="next">
            {texts.next}
          </a>
        </p>
      )}
    </>
  );
}

/** The findings as CSV (RFC 4180), in UTF-8 with a byte order mark, by which spreadsheets recognise it. */
export function reportCsv({ rules, findings }: Report): string {
  const byCode = new Map(rules.map((rule) => [rule.code, rule]));
  const rows = findings.map(({ rule, property, node, value }) => {
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
