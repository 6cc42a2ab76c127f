import type { InferredOptionTypes } from 'yargs';
import { LANGUAGES } from '../../lib/languages.ts';
import { RULES } from '../../rules/all.ts';
import { PORTALS, type Portal } from '../../rules/portals.ts';
import { type Report, type ReportFilter, type RuleCount, reportView } from '../../rules/report.ts';
import type { Severity } from '../../rules/rule.ts';
import type { CommandResult } from '../command/command.ts';
import { EXIT, usageFailure } from '../command/failure.ts';
import { choice, flag, text } from '../command/options.ts';
import { count } from '../command/print.ts';
import { PROGRESS } from '../import/progress.ts';

export const REPORT_OPTIONS = {
  portal: choice(
    Object.keys(PORTALS) as Portal[],
    'Only what applies to this portal; by default, what applies to all and to those of the account',
  ),
  severity: choice(['error', 'warning', 'info'] satisfies readonly Severity[], 'Only findings of this severity'),
  rule: text('Only findings of the rule with this code'),
  property: text('Only findings in the property with this id'),
  language: text('The languages that every description is expected in, such as uk,es; by default those that half have'),
  links: flag('Also request every picture and web page, and report those that no longer exist'),
  progress: PROGRESS,
} as const;

export function reportFilter(given: Partial<InferredOptionTypes<typeof REPORT_OPTIONS>>): ReportFilter {
  const { portal, severity, rule, property, language } = given;
  if (rule !== undefined && !RULES.some(({ code }) => code === rule)) {
    throw usageFailure(`--rule: there is no rule ${rule}. Their codes are in src/rules/README.md.`);
  }
  const known = LANGUAGES.map(({ element }): string => element);
  const languages = language?.split(',').map((name) => name.trim());
  const unknown = languages?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw usageFailure(`--language: ${unknown} is not one of ${known.join(', ')}.`);
  return { portal, severity, rule, property, languages };
}

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

function section(rule: RuleCount, report: Report, filter: ReportFilter): string {
  const { code, severity, explanation, fix, portals, properties } = rule;
  const found = report.findings.filter((finding) => finding.rule === code);
  // A report on one rule or one property is complete.
  const shown = filter.rule === undefined && filter.property === undefined ? found.slice(0, SHOWN) : found;
  const where = shown.map(({ property, node, value }) => `    ${property}  ${node}${value && `: ${value}`}\n`);
  const others = found.length - shown.length;
  const concerned = portals.length === 0 ? '' : ` [${portals.map((portal) => PORTALS[portal]).join(', ')}]`;
  return (
    `\n${severity.padEnd(7)} ${code}: ${count(properties, 'property', 'properties')}${concerned}\n` +
    `  ${explanation} ${fix}\n${where.join('')}` +
    (others === 0 ? '' : `    and ${others} more; for all: --rule ${code}\n`)
  );
}
