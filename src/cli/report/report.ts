import { parseDocument } from '../../properties/documents.ts';
import { PORTALS, type Portal } from '../../rules/portals.ts';
import { makeReport, type ReportView, reportView } from '../../rules/report.ts';
import { type FoundIn, SEVERITIES } from '../../rules/rule.ts';
import { accountCommand, type CommandResult } from '../command/command.ts';
import { EXIT, Failure } from '../command/failure.ts';
import { choice, flag, text } from '../command/options.ts';
import { count } from '../command/print.ts';
import { statedIn } from '../command/request.ts';
import { PROGRESS, withProgress } from '../portfolio/progress.ts';
import type { ServiceClient } from '../service/client.ts';
import { findGoneLinks, linksOf } from './links.ts';

const FILTERS = {
  portal: choice(
    Object.keys(PORTALS) as Portal[],
    'Only what applies to this portal; by default, what applies to all portals or to those of the account',
  ),
  severity: choice(SEVERITIES, 'Only findings of this severity'),
  rule: text('Only findings of the rule with this code'),
  property: text('Only findings in the property with this id'),
  language: {
    ...text(
      'Languages in which every property should have a description, such as uk,es; by default those in which half have one',
    ),
    as: 'languages',
  },
} as const;

export const REPORT_OPTIONS = {
  ...FILTERS,
  links: flag('Also request every picture and web page, and report those that no longer exist'),
  progress: PROGRESS,
} as const;

const FEED_FILTERS = {
  format: text('Only the reasons why feeds in the format of this portal leave properties out'),
  reader: text(
    "Only the reasons why this reader's feed leaves properties out, given its preset, channel and policy",
  ),
};

export const report = accountCommand({
  command: 'report',
  describe: "Check an account's listed properties for what portals reject or misread",
  examples: {
    '--account COSTA': 'List all findings, by rule',
    '--account COSTA --portal kyero --severity error': 'List what Kyero rejects',
    '--account COSTA --property R4100001': 'List all findings in one property',
  },
  options: { ...REPORT_OPTIONS, ...FEED_FILTERS },
  async run(args, { client, account, context }) {
    const { rule, property } = args;
    const query = statedIn(args, { ...FILTERS, ...FEED_FILTERS }) as Readonly<
      Record<string, string>
    >;
    // A report on a property that does not exist would look like one without findings.
    if (property !== undefined) await client.get(`/v1/properties/${encodeURIComponent(property)}`);
    const made = await client.get(`/v1/report?${new URLSearchParams(query)}`);
    const isWhole = rule !== undefined || property !== undefined;
    if (!args.links || (rule !== undefined && rule !== LINK_GONE))
      return reportResult(made, { isWhole }, { account });
    const gone = await withProgress(args.progress, async (progress) =>
      findGoneLinks(await linksIn(client, property), progress),
    );
    const links = reportView(makeReport([gone], { rule: LINK_GONE }, context.now()));
    return reportResult(together(made, links), { isWhole }, { account });
  },
});

/** The addresses in the properties of an account that may be listed. */
async function linksIn(client: ServiceClient, property: string | undefined): Promise<FoundIn[]> {
  const text = await (await client.open('GET', '/v1/export')).text();
  const documents = text
    .split('\n')
    .filter((line) => line.startsWith('{"kind":"property"'))
    .map((line) => parseDocument(JSON.parse(line)));
  return documents.flatMap((document) =>
    document.kind === 'property' &&
    !['Withdrawn', 'Sold'].includes(document.status) &&
    (property === undefined || document.id === property)
      ? linksOf(document)
      : [],
  );
}

const LINK_GONE = 'link_gone';

/** Two reports on the same properties, by different rules, as one. */
function together(one: ReportView, other: ReportView): ReportView {
  const rules = [...one.rules, ...other.rules];
  const severities = new Map(rules.map(({ code, severity }) => [code, severity]));
  const byId = Map.groupBy([...one.properties, ...other.properties], ({ id }) => id);
  const properties = [...byId].map(([id, found]) => ({
    id,
    findings: found.flatMap(({ findings }) => findings),
  }));
  const withErrors = properties.filter(({ findings }) =>
    findings.some(({ rule }) => severities.get(rule) === 'error'),
  );
  const summary = {
    ...one.summary,
    properties_with_errors: withErrors.length,
    error: one.summary.error + other.summary.error,
    warning: one.summary.warning + other.summary.warning,
    info: one.summary.info + other.summary.info,
  };
  return { summary, rules, properties };
}

const SHOWN = 10;

interface About {
  /** Whether all findings are shown: those of one rule, or in one property. */
  readonly isWhole: boolean;
  /** Text before the report, and the number of errors to add to it. */
  readonly text?: string;
  readonly errors?: number;
}

/**
 * What a command prints about a report. Its exit code tells whether there are errors.
 *
 * @param json members before the report
 */
export function reportResult(
  { summary, rules, properties }: ReportView,
  { isWhole, text = '', errors: more = 0 }: About,
  json: object,
): CommandResult {
  const errors = summary.error + more;
  const heading =
    `${count(summary.properties, 'property', 'properties')} checked: ${count(errors, 'error')}, ` +
    `${count(summary.warning, 'warning')}, ${count(summary.info, 'suggestion')}; ` +
    `${count(summary.properties_with_errors, 'property has', 'properties have')} errors.\n`;
  const sections = rules.map((rule) => {
    const found = properties.flatMap(({ id, findings }) =>
      findings
        .filter((finding) => finding.rule === rule.code)
        .map((finding) => ({ property: id, ...finding })),
    );
    return section(rule, found, isWhole);
  });
  return {
    json: { ...json, summary: { ...summary, error: errors }, rules, properties },
    text: text + heading + sections.join(''),
    exit: errors > 0 ? EXIT.warnings : EXIT.ok,
  };
}

function section(
  rule: ReportView['rules'][number],
  found: readonly FoundIn[],
  isWhole: boolean,
): string {
  const { code, severity, explanation, fix, portals, properties } = rule;
  const shown = isWhole ? found : found.slice(0, SHOWN);
  const where = shown.map(
    ({ property, node, value }) => `    ${property}  ${node}${value && `: ${value}`}\n`,
  );
  const others = found.length - shown.length;
  const affected =
    portals.length === 0 ? '' : ` [${portals.map((portal) => PORTALS[portal]).join(', ')}]`;
  return (
    `\n${severity.padEnd(7)} ${code}: ${count(properties, 'property', 'properties')}${affected}\n` +
    `  ${explanation} ${fix}\n${where.join('')}` +
    (others === 0 ? '' : `    and ${others} more; for all: --rule ${code}\n`)
  );
}

/** An empty report on a property that was not checked would look like one without findings. */
export function noProperty(property: string): Failure {
  return new Failure('no_property', `Property not found, or not listed: ${property}`);
}
