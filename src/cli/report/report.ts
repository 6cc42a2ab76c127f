import type { InferredOptionTypes } from 'yargs';
import { loadAccountState } from '../../api/report/account-state.ts';
import { checkAccount, checkForReader } from '../../api/report/load.ts';
import { ALL_LISTED, whyNotListed } from '../../db/feed/selection.ts';
import { readSegments } from '../../db/operator/inspect.ts';
import { exportPortfolio } from '../../db/portfolio/export.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { REFUSING_PORTALS, RULES } from '../../rules/all.ts';
import { type PartialReport, shortened } from '../../rules/check.ts';
import { PORTALS, type Portal } from '../../rules/portals.ts';
import { makeReport, type Report, type ReportFilter, type RuleCount, reportView } from '../../rules/report.ts';
import { type FoundIn, SEVERITIES } from '../../rules/rule.ts';
import { accountCommand, type CommandResult } from '../command/command.ts';
import { EXIT, Failure, usageFailure } from '../command/failure.ts';
import { choice, flag, text } from '../command/options.ts';
import { count } from '../command/print.ts';
import { PROGRESS, type Progress, withProgress } from '../portfolio/progress.ts';

export const REPORT_OPTIONS = {
  portal: choice(
    Object.keys(PORTALS) as Portal[],
    'Only what applies to this portal; by default, what applies to all portals or to those of the account',
  ),
  severity: choice(SEVERITIES, 'Only findings of this severity'),
  rule: text('Only findings of the rule with this code'),
  property: text('Only findings in the property with this id'),
  language: text(
    'Languages in which every property should have a description, such as uk,es; by default those in which half have one',
  ),
  links: flag('Also request every picture and web page, and report those that no longer exist'),
  progress: PROGRESS,
} as const;

export const report = accountCommand({
  command: 'report',
  describe: "Check an account's listed properties for what portals reject or misread",
  options: {
    ...REPORT_OPTIONS,
    format: choice(REFUSING_PORTALS, 'Only the reasons why feeds in the format of this portal leave properties out'),
    reader: text(
      "Only the reasons why this reader's feed leaves properties out, given its preset, channel and policy; in the " +
        `format of --format, by default ${REFUSING_PORTALS[0]}`,
    ),
  },
  async run({ reader, format, ...args }, { db, accountId, code, existing }) {
    const segments = await readSegments(db, accountId);
    if (segments.disabled) throw new Failure('disabled', `Account ${code} is disabled, so it has no feeds.`);
    const chosen = reader === undefined ? format : (format ?? REFUSING_PORTALS[0]!);
    const filter = { ...reportFilter(args), format: chosen };
    const parts =
      reader === undefined
        ? await checkAccount(db, accountId, segments.segments)
        : existing(await checkForReader(db, accountId, segments.segments, reader, chosen!), 'reader', reader);
    const { settings, part } = await loadAccountState(db, accountId);
    if (reader === undefined) parts.push(part);
    if (args.links) {
      const links: FoundIn[] = [];
      for await (const document of exportPortfolio(db, accountId)) {
        if (document.kind === 'property' && isListed(document)) links.push(...linksOf(document));
      }
      parts.push(await withProgress(args.progress, (progress) => findGoneLinks(links, progress)));
    }
    const made = reportOn(parts, { ...(reader === undefined && settings), ...filter }, segments.now);
    return reportResult(made, filter, { json: { account: code }, text: '', errors: 0 });
  },
});

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

/** The report of a command. An empty one on a property that was not checked would look like one without findings. */
export function reportOn(parts: readonly PartialReport[], filter: ReportFilter, now: EpochSeconds): Report {
  const { property } = filter;
  if (property === undefined || parts.some(({ traces }) => traces.some(({ id }) => id === property))) {
    return makeReport(parts, filter, 'en', now);
  }
  throw new Failure('no_property', `Property not found, or not listed: ${property}`);
}

const SHOWN = 10;

/**
 * What a command prints about a report. Its exit code tells whether there are errors.
 *
 * @param about JSON members and text to put before the report, and the number of errors to add to it
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
    `${count(counts.warning, 'warning')}, ${count(counts.info, 'suggestion')}; ` +
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
  const affected = portals.length === 0 ? '' : ` [${portals.map((portal) => PORTALS[portal]).join(', ')}]`;
  return (
    `\n${severity.padEnd(7)} ${code}: ${count(properties, 'property', 'properties')}${affected}\n` +
    `  ${explanation} ${fix}\n${where.join('')}` +
    (others === 0 ? '' : `    and ${others} more; for all: --rule ${code}\n`)
  );
}

/** Requests in flight, and how long a server may take for one. */
const IN_FLIGHT = 8;
const TIMEOUT_MS = 10_000;

/** Whether feeds show a property, unless its unit is sold. */
function isListed(property: PropertyDocument): boolean {
  const unitStatus = property.unit === null ? null : 'Available';
  return whyNotListed(property, unitStatus, ALL_LISTED, null) === null;
}

/** The addresses of a property's pages and pictures, as findings whose values they are. */
export function linksOf({ id, pictures, texts }: PropertyDocument): FoundIn[] {
  const pages = Object.entries(texts).flatMap(([language, text]) =>
    text?.url ? [{ property: id, node: `url/${language}`, value: text.url }] : [],
  );
  const images = pictures.map((value, at) => ({ property: id, node: `images/image[${at + 1}]/url`, value }));
  return [...pages, ...images];
}

/**
 * Requests every address once, and finds those that do not exist according to their server: 404, 410, or no such host.
 * If a server is not responding or returns another error, its addresses are not reported: they may exist.
 */
export async function findGoneLinks(links: readonly FoundIn[], progress: Progress): Promise<PartialReport> {
  const urls = new Set(links.map(({ value }) => value));
  const reasons = new Map<string, string>();
  progress.begin('Requesting links', urls.size);
  const left = urls.values();
  const work = async () => {
    for (const url of left) {
      const reason = await reasonGone(url);
      if (reason !== null) reasons.set(url, reason);
      progress.add(1);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  const found = links.flatMap((link): FoundIn[] => {
    const reason = reasons.get(link.value);
    return reason === undefined ? [] : [{ ...link, value: shortened(`${reason} ${link.value}`) }];
  });
  return { traces: [], findings: { link_gone: found } };
}

async function reasonGone(url: string): Promise<string | null> {
  if (!/^https?:\/\//i.test(url)) return null;
  try {
    const asked = await request(url, { method: 'HEAD' });
    // Some servers do not implement HEAD, or reject it with the status of a missing page.
    const status = asked < 400 ? asked : await request(url, { method: 'GET', headers: { Range: 'bytes=0-0' } });
    return status === 404 || status === 410 ? String(status) : null;
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return code === 'ENOTFOUND' ? code : null;
  }
}

async function request(url: string, init: RequestInit): Promise<number> {
  const { status, body } = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  await body?.cancel();
  return status;
}
