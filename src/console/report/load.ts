import { loadManifest } from '../../feed/manifest/manifest-cache.ts';
import { isWithheld, policyIn } from '../../readers/policy.ts';
import { loadFindings, scopeOfReader, WHOLE_ACCOUNT } from '../../rules/report/load.ts';
import { type Report, type ReportFilter, reportOn } from '../../rules/report.ts';
import type { Todo } from '../frame/parts.tsx';
import type { Language } from '../texts/language.ts';
import { translated } from '../texts/texts.ts';
import type { Visitor } from '../visit.ts';

/** Parts of 500 properties that are checked in about a second: a page waits for no more than these. */
const PARTS_A_SECOND = 3;

/** A report, and when what it lacks should be checked; `null` if it lacks nothing. */
export interface LoadedReport extends Report {
  readonly checkedIn: number | null;
}

/** That all is well, which is said only when all is checked. */
export function whenChecked(
  { common }: Visitor,
  checkedIn: number | null | undefined,
  allWell: Todo,
): Todo {
  return checkedIn ? { icon: 'clock', text: common.checking, why: common.checkingWhy } : allWell;
}

/**
 * The report on the properties that a visitor may see; `null` if the account no longer exists. If many properties have changed
 * since they were checked, it lacks some of them, which should be checked in `checkedIn` seconds: the page says so.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function loadReport(
  visitor: Visitor,
  filter: ReportFilter,
  mostAwaited = PARTS_A_SECOND,
): Promise<LoadedReport | null> {
  const { c, db, account, reader, language } = visitor;
  const scope = reader === null ? WHOLE_ACCOUNT : scopeOfReader(reader);
  const { manifest } = await loadManifest(db, account.code, scope.set, Date.now());
  if (manifest === null) return null;
  const { found, settings, unchecked } = await loadFindings(c, manifest, scope, { mostAwaited });
  const isHidden = reader === null ? undefined : hiddenBy(reader.policy);
  const report = reportOn(found, { ...settings, ...filter, isHidden }, manifest.now);
  return {
    ...translatedReport(report, language),
    checkedIn: unchecked > 0 ? 1 + Math.ceil(unchecked / PARTS_A_SECOND) : null,
  };
}

/** A report with what its rules say in the language of the page. */
export function translatedReport<Of extends Pick<Report, 'rules'>>(
  report: Of,
  language: Language,
): Of {
  const rules = report.rules.map((rule) => translated(language, 'rules', rule.code, rule));
  return { ...report, rules };
}

/** What policies call what a node shows, where that has another name. */
const WITHHELD_AS: Readonly<Record<string, string>> = { rental_license: 'rental_licence' };

/**
 * Whether a reader with this policy does not get what a node shows: that it is missing is then no
 * finding.
 */
function hiddenBy(policy: string): (node: string) => boolean {
  const seen = policyIn(policy);
  return (node) => {
    const [name = ''] = node.split('/');
    const isElsewhere = name === 'location' && seen.place !== 'exact';
    return isElsewhere || isWithheld(seen, WITHHELD_AS[name] ?? name);
  };
}
