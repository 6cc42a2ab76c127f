import type { EpochSeconds } from '../lib/time/time.ts';
import { type UnavailablePictures, unavailablePictures } from './about/across.ts';
import { ACCOUNT_RULES, RULES } from './all.ts';
import { type Findings, type PartialReport, shortened } from './check.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Portal } from './portals.ts';
import { type Detail, type FoundIn, type Rule, SEVERITIES, type Severity } from './rule.ts';

export interface ReportSettings {
  /** The portals that it sends its properties to: rules for others do not count. */
  readonly portals: readonly Portal[];
  readonly muted: readonly string[];
}

/** What a report is to contain; everything that applies to all portals by default. */
export interface ReportFilter extends Partial<ReportSettings> {
  /** Rules that apply to this portal, whatever the account has chosen. */
  readonly portal?: Portal | undefined;
  /** Only why our feed for this portal leaves properties out. */
  readonly format?: Portal | undefined;
  readonly severity?: Severity | undefined;
  /** The code of a rule, which is then reported even if it is muted or for another portal. */
  readonly rule?: string | undefined;
  readonly property?: string | undefined;
  /** Whether findings about a node are left out. */
  readonly isHidden?: ((node: string) => boolean) | undefined;
  /** Languages in which every property should have a description; by default, those in which half of them have one. */
  readonly languages?: readonly string[] | undefined;
}

/** What is wrong with the properties of an account. */
export interface Report {
  /** How many were checked. */
  readonly properties: number;
  /** How many of them have an error. */
  readonly withErrors: number;
  /** Findings by severity: one for each property and rule. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** The languages in which a description is expected. */
  readonly languages: readonly string[];
  readonly portals: readonly Portal[];
  readonly muted: readonly string[];
  /** The most severe first. */
  readonly rules: readonly RuleCount[];
  readonly findings: readonly Finding[];
}

/** A rule that properties break, and how many. */
export interface RuleCount {
  readonly code: string;
  readonly severity: Severity;
  readonly explanation: string;
  readonly fix: string;
  readonly portals: readonly Portal[];
  readonly properties: number;
}

/** What a rule finds in a property. */
export interface Finding {
  /** The rule's code. */
  readonly rule: string;
  /** The property's identifier. */
  readonly property: string;
  readonly node: string;
  readonly value: string;
}

/** The rules that a report shows first come first. */
const ORDERED: readonly Rule[] = RULES.toSorted(
  (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
);

/** All that the rules find in an account, whatever a report is to contain. */
export interface Found {
  /** How many properties were checked. */
  readonly properties: number;
  readonly languages: readonly string[];
  readonly findings: readonly Findings[];
}

/**
 * What the rules find in the properties of an account, each in one part, and by comparing them.
 *
 * @param given languages in which every property should have a description; by default, those in which half of them have one
 * @param unavailable pictures that nobody can fetch
 */
export function findAll(
  parts: readonly PartialReport[],
  given?: readonly string[],
  unavailable: UnavailablePictures = new Map(),
): Found {
  const traces = parts.flatMap((part) => part.traces);
  const languages = given ?? usualLanguages(traces);
  const compared: Findings = Object.fromEntries(
    ACCOUNT_RULES.map((rule) => [rule.code, rule.compare(traces, languages)]),
  );
  const requested: Findings = { picture_unavailable: unavailablePictures(traces, unavailable) };
  const findings = [...parts.map((part) => part.findings), compared, requested];
  return { properties: traces.length, languages, findings };
}

/** The report on an account, from the results for all of its properties, each in one part. */
export function makeReport(
  parts: readonly PartialReport[],
  filter: ReportFilter,
  now: EpochSeconds,
): Report {
  return reportOn(findAll(parts, filter.languages), filter, now);
}

/** The report on what was found in an account. */
export function reportOn(
  { properties, languages, findings: all }: Found,
  filter: ReportFilter,
  now: EpochSeconds,
): Report {
  const rules = ORDERED.filter((rule) => isWanted(rule, filter)).flatMap((rule) => {
    const details = all.flatMap((found) =>
      (found[rule.code] ?? []).filter((one) => holds(one, filter, now)),
    );
    const byProperty = Map.groupBy(details, ({ property }) => property);
    const findings = [...byProperty].map(([property, found]) => merged(rule.code, property, found));
    return findings.length === 0 ? [] : [{ rule, findings }];
  });
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { rule, findings } of rules) counts[rule.severity] += findings.length;
  const errors = rules
    .filter(({ rule }) => rule.severity === 'error')
    .flatMap(({ findings }) => findings);
  return {
    properties,
    withErrors: new Set(errors.map(({ property }) => property)).size,
    counts,
    languages,
    portals: portalsOf(filter),
    muted: filter.muted ?? [],
    rules: rules.map(({ rule, findings }) => ({
      code: rule.code,
      severity: rule.severity,
      explanation: rule.explanation,
      fix: rule.fix,
      portals: rule.portals ?? [],
      properties: findings.length,
    })),
    findings: rules.flatMap(({ findings }) => findings),
  };
}

/** One finding for everything that a rule finds in a property, such as its descriptions in several languages. */
function merged(rule: string, property: string, found: readonly Detail[]): Finding {
  const joined = (key: 'node' | 'value', separator: string) =>
    [...new Set(found.map((detail) => detail[key]))].filter((text) => text !== '').join(separator);
  return { rule, property, node: joined('node', ', '), value: shortened(joined('value', ' · ')) };
}

function usualLanguages(traces: readonly Fingerprint[]): string[] {
  const counts = new Map<string, number>();
  for (const { texts } of traces) {
    for (const language of Object.keys(texts))
      counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count * 2 >= traces.length)
    .map(([language]) => language);
}

function isWanted({ code, severity, portals, isRefusal }: Rule, filter: ReportFilter): boolean {
  const { format } = filter;
  if (format !== undefined && !(isRefusal && portals?.includes(format))) return false;
  if (filter.severity !== undefined && filter.severity !== severity) return false;
  if (filter.rule !== undefined) return filter.rule === code;
  if (filter.muted?.includes(code)) return false;
  return portals === undefined || portals.some((portal) => portalsOf(filter).includes(portal));
}

function portalsOf({ format, portal = format, portals = [] }: ReportFilter): readonly Portal[] {
  return portal === undefined ? portals : [portal];
}

function holds(
  { property, node, from, until }: FoundIn,
  filter: ReportFilter,
  now: number,
): boolean {
  return (
    !filter.isHidden?.(node) &&
    (filter.property === undefined || filter.property === property) &&
    (from === undefined || from <= now) &&
    (until === undefined || now < until)
  );
}

/** A report as JSON: summarised by rule, and in detail by property. */
export interface ReportView {
  readonly summary: Readonly<Record<Severity, number>> & {
    readonly properties: number;
    readonly properties_with_errors: number;
    readonly languages: Report['languages'];
    readonly portals: Report['portals'];
    readonly muted: Report['muted'];
  };
  readonly rules: Report['rules'];
  readonly properties: {
    readonly id: string;
    readonly findings: Pick<Finding, 'rule' | 'node' | 'value'>[];
  }[];
}

/** A report as JSON. */
export function reportView({
  properties,
  withErrors,
  counts,
  languages,
  portals,
  muted,
  rules,
  findings,
}: Report): ReportView {
  const byProperty = Map.groupBy(findings, ({ property }) => property);
  return {
    summary: {
      properties,
      properties_with_errors: withErrors,
      ...counts,
      languages,
      portals,
      muted,
    },
    rules,
    properties: [...byProperty].map(([id, found]) => ({
      id,
      findings: found.map(({ rule, node, value }) => ({ rule, node, value })),
    })),
  };
}
