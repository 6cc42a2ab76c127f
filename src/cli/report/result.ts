import { PORTALS } from '../../rules/portals.ts';
import { type Report, type ReportFilter, type RuleCount, reportView } from '../../rules/report.ts';
import type { CommandResult } from '../command/command.ts';
import { EXIT } from '../command/failure.ts';
import { count } from '../command/print.ts';

/** Findings of a rule that the text shows. */
const SHOWN = 10;

/**
 * What a command prints about a report. Its exit code tells whether there are errors.
 *
 * @param about what the report is on, and what could not be checked with its number of errors
 */
export function reportResult(
  report: Report,
  filter: ReportFilter,
  about: { json: object; text: string; errors: number },
): CommandResult {
  const { counts, properties, withErrors } = report;
  const errors = counts.error + about.errors;
  const heading =
    `${count(properties, 'property', 'properties')} checked: ${count(errors, 'error')}, ` +
    `${count(counts.warning, 'warning')}, ${count(counts.info, 'remark')}; ` +
    `${count(withErrors, 'property has', 'properties have')} errors.\n`;
  const sections = report.rules.map((rule) => section(rule, report, filter));
  return {
    json: { ...about.json, ...reportView({ ...report, counts: { ...counts, error: errors } }) },
    text: about.text + heading + sections.join(''),
    exit: errors > 0 ? EXIT.warnings : EXIT.ok,
  };
}

function section(
  { code, severity, explanation, fix, portals, properties }: RuleCount,
  report: Report,
  filter: ReportFilter,
): string {
  const found = report.findings.filter(({ rule }) => rule === code);
  // A report on one rule or one property is complete.
  const shown = filter.rule === undefined && filter.property === undefined ? found.slice(0, SHOWN) : found;
  const where = shown.map(
    ({ property, node, value }) => `    ${property}  ${node}${value === '' ? '' : `: ${value}`}\n`,
  );
  const others = found.length - shown.length;
  const concerned = portals.length === 0 ? '' : ` [${portals.map((portal) => PORTALS[portal]).join(', ')}]`;
  return (
    `\n${severity.padEnd(7)} ${code}: ${count(properties, 'property', 'properties')}${concerned}\n` +
    `  ${explanation} ${fix}\n${where.join('')}` +
    (others === 0 ? '' : `    and ${others} more; for all: --rule ${code}\n`)
  );
}
