import { ACCOUNT_RULES, RULES } from './all.ts';
import { type Findings, type PartialReport, shown } from './check.ts';
import type { Portal } from './portals.ts';
import type { FoundIn, Rule, Severity } from './rule.ts';
import type { RuleText, RuleTexts } from './texts.ts';
import type { Trace } from './trace.ts';

/** What a report is to contain; everything by default. */
export interface ReportFilter {
  /** Rules that apply to this portal. */
  readonly portal?: Portal | undefined;
  readonly severity?: Severity | undefined;
  /** The code of a rule. */
  readonly rule?: string | undefined;
  /** The identifier of a property. */
  readonly property?: string | undefined;
  /** Languages that every property should have a description in; by default those that half of the properties have. */
  readonly languages?: readonly string[] | undefined;
}

/** A rule with the number of its findings and of the properties concerned. */
export interface RuleCount extends Rule, RuleText {
  readonly findings: number;
  readonly properties: number;
}

/** A place where a property breaks a rule. */
export interface ReportedFinding {
  /** The rule's code. */
  readonly rule: string;
  readonly property: string;
  readonly node: string;
  readonly value: string;
}

/** What is wrong with the properties of an account. */
export interface Report {
  /** Properties checked. */
  readonly properties: number;
  /** Properties with at least one error. */
  readonly withErrors: number;
  /** Findings by severity. */
  readonly counts: Readonly<Record<Severity, number>>;
  readonly languages: readonly string[];
  /** The rules with findings, the most severe first. */
  readonly rules: readonly RuleCount[];
  /** In the order of the rules, then of the properties. */
  readonly findings: readonly ReportedFinding[];
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** The rules that a report shows first come first. */
const ORDERED: readonly Rule[] = RULES.toSorted(
  (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
);

/**
 * The report on an account.
 *
 * @param parts the results for all of its properties, each in one part
 * @param texts of the rules
 * @param now seconds since 1970-01-01 UTC
 */
export function makeReport(
  parts: readonly PartialReport[],
  filter: ReportFilter,
  texts: RuleTexts,
  now: number,
): Report {
  const traces = parts.flatMap((part) => part.traces);
  const languages = filter.languages ?? usualLanguages(traces);
  const compared: Findings = Object.fromEntries(
    ACCOUNT_RULES.map((rule) => [rule.code, rule.compare(traces, languages).map(shown)]),
  );
  const all = [...parts.map((part) => part.findings), compared];
  const rules = ORDERED.filter((rule) => isWanted(rule, filter)).flatMap((rule) => {
    const findings = all.flatMap((found) => (found[rule.code] ?? []).filter((one) => holds(one, filter, now)));
    return findings.length === 0 ? [] : [{ rule, findings }];
  });
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { rule, findings } of rules) counts[rule.severity] += findings.length;
  return {
    properties: traces.length,
    withErrors: propertiesIn(rules.flatMap(({ rule, findings }) => (rule.severity === 'error' ? findings : []))),
    counts,
    languages,
    rules: rules.map(({ rule, findings }) => ({
      code: rule.code,
      severity: rule.severity,
      ...texts[rule.code]!,
      portals: rule.portals,
      findings: findings.length,
      properties: propertiesIn(findings),
    })),
    findings: rules.flatMap(({ rule, findings }) =>
      findings.map(({ property, node, value }) => ({ rule: rule.code, property, node, value })),
    ),
  };
}

/** The languages in which at least half of the properties have a description. */
function usualLanguages(traces: readonly Trace[]): string[] {
  const counts = new Map<string, number>();
  for (const { texts } of traces) {
    for (const language of Object.keys(texts)) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count * 2 >= traces.length).map(([language]) => language);
}

function isWanted({ code, severity, portals, onRequest }: Rule, filter: ReportFilter): boolean {
  return (
    (!onRequest || filter.portal !== undefined || filter.rule === code) &&
    (filter.rule === undefined || filter.rule === code) &&
    (filter.severity === undefined || filter.severity === severity) &&
    (filter.portal === undefined || portals.length === 0 || portals.includes(filter.portal))
  );
}

function holds({ property, from, until }: FoundIn, filter: ReportFilter, now: number): boolean {
  return (
    (filter.property === undefined || filter.property === property) &&
    (from === undefined || from <= now) &&
    (until === undefined || now < until)
  );
}

function propertiesIn(findings: readonly FoundIn[]): number {
  return new Set(findings.map(({ property }) => property)).size;
}
